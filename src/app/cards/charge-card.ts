import type { AuthenticationOutcome, AuthenticationResult, Browser, ChargedCard } from "../../core/card-acquirer.ts";
import type { Connector } from "../../core/connector.ts";
import { listProviders } from "../../core/merchants/routing.ts";
import { canServe } from "../../core/payments/provider-rules.ts";
import { openAtMost } from "../../platform/at-most.ts";
import type { Log } from "../../platform/log.ts";
import type { Database } from "../../store/db.ts";
import { findPayment, type StoredPayment } from "../../store/payments/payments.ts";
import type { Directory } from "../merchants/directory.ts";
import { type FollowDeps, followCharge, happenToCard } from "./follow-charge.ts";

/** Sends cards on. It runs in the process that took the card, since the card is stored nowhere but in its memory. */
export type CardDesk = {
  /** Begins, and does not wait: the payment is committed, and the worker asks for the result if this process dies. */
  readonly charge: (charge: CardCharge) => void;
  /** What the payer's browser brought back is only a reason to ask the provider. */
  readonly passResult: (payment: StoredPayment, result: AuthenticationResult) => Promise<PassedResult>;
  /** Asks the provider for the result of a charge, since the payer came back. */
  readonly ask: (payment: StoredPayment) => Promise<StoredPayment>;
  readonly drain: () => Promise<void>;
};

type CardCharge = {
  readonly projectId: StoredPayment["projectId"];
  readonly requestId: StoredPayment["requestId"];
  readonly card: ChargedCard;
  readonly browser: Browser | undefined;
  readonly pageToken: string;
};

type PassedResult = { readonly kind: "result_invalid" } | { readonly kind: "payment"; readonly payment: StoredPayment };

export type CardDeskDeps = FollowDeps & {
  readonly db: Database;
  readonly log: Log;
  readonly findConnector: (code: string) => Connector | undefined;
  readonly currentDirectory: () => Directory | Promise<Directory>;
  /** Where the payer's browser reaches us. */
  readonly publicUrl: () => string;
};

/**
 * Well before the worker asks: a card that could not be sent by then is not sent any more. Measured by this process's own
 * clock from beginning to end, since the database's may differ from it.
 */
const SEND_WITHIN_MS = 20_000;

/** Each is a call to the acquirer and a few statements: more at once would leave no connection to those who ask us. */
const CHARGES_MAX = 64;

export function openCardDesk(deps: CardDeskDeps): CardDesk {
  const underWay = new Set<Promise<void>>();
  const atMost = openAtMost(CHARGES_MAX);
  return {
    charge: (charge) => {
      const takenAtMs = deps.nowMs();
      const job = atMost(() => send(deps, charge, takenAtMs))
        // Never the error itself: whatever went wrong, a card was near.
        .catch(() => deps.log.error({ request_id: charge.requestId }, "a card could not be sent; the worker will ask"))
        .finally(() => underWay.delete(job));
      underWay.add(job);
    },
    passResult: (payment, result) => passResult(deps, payment, result),
    ask: (payment) => ask(deps, payment),
    drain: async () => {
      await Promise.all(underWay);
    },
  };
}

async function send(deps: CardDeskDeps, charge: CardCharge, takenAtMs: number): Promise<void> {
  // It waited too long for its turn. The worker finds that it was not sent.
  if (deps.nowMs() - takenAtMs > SEND_WITHIN_MS) return;
  const created = await findPayment(deps.db, charge.projectId, charge.requestId);
  if (created === undefined) return;
  const directory = await deps.currentDirectory();
  const provider = chooseAcquirer(deps, directory, created);
  if (provider === undefined) {
    await happenToCard(deps, created, { kind: "declined", reason: "other" }, { detail: "no provider takes cards now" });
    return;
  }
  const payment = await commitReference(deps, created, provider.code);
  const isLate = deps.nowMs() - takenAtMs > SEND_WITHIN_MS;
  if (payment === undefined || payment.reference === null || isLate) return;
  const outcome = await provider.cards.charge({
    reference: payment.reference,
    projectId: payment.projectId,
    merchantName: directory.projects.get(payment.projectId)?.name,
    amount: payment.requestedAmount,
    currency: payment.currency,
    card: charge.card,
    returnUrl: `${deps.publicUrl()}/3ds/${charge.pageToken}/return`,
    browser: charge.browser,
    expiresAt: payment.expiresAt ?? new Date(deps.nowMs()),
  });
  await followCharge(deps, payment, outcome);
}

/** Undefined: the payment is over, or another process has sent it. Then nothing is sent. */
async function commitReference(
  { apply }: CardDeskDeps,
  { projectId, requestId }: StoredPayment,
  nextProvider: string,
): Promise<StoredPayment | undefined> {
  const sent = await apply({ projectId, requestId, actor: "api", card: { kind: "sent" }, nextProvider });
  return sent.ok ? sent.value : undefined;
}

type Acquirer = Connector & { readonly cards: NonNullable<Connector["cards"]> };

/**
 * A create refuses cards while every acquirer is paused. One that was accepted a moment before the pause is still sent: it
 * cannot wait for the end of the pause, and declining it would be telling the payer what no provider said.
 */
function chooseAcquirer(deps: CardDeskDeps, directory: Directory, payment: StoredPayment): Acquirer | undefined {
  const project = directory.projects.get(payment.projectId);
  const { method } = payment;
  if (project === undefined || method === null) return undefined;
  const offer = { direction: "payin", method, currency: payment.currency } as const;
  const acquirers = listProviders(project, "payin", method, payment.request.paymentSystem)
    .map((code) => deps.findConnector(code))
    .filter((connector): connector is Acquirer => connector?.cards !== undefined && canServe(connector, offer));
  return acquirers.find(({ code }) => !directory.pauses.providers.has(code)) ?? acquirers[0];
}

async function passResult(
  deps: CardDeskDeps,
  payment: StoredPayment,
  result: AuthenticationResult,
): Promise<PassedResult> {
  const connector = payment.provider === null ? undefined : deps.findConnector(payment.provider);
  if (connector?.cards === undefined || payment.reference === null) return { kind: "payment", payment };
  const outcome: AuthenticationOutcome = await connector.cards.passAuthentication(payment.reference, result);
  if (outcome.kind === "result_invalid") return outcome;
  if (outcome.kind === "pending") {
    return { kind: "payment", payment: await happenToCard(deps, payment, { kind: "result_passed" }) };
  }
  return { kind: "payment", payment: await followCharge(deps, payment, outcome) };
}

async function ask(deps: CardDeskDeps, payment: StoredPayment): Promise<StoredPayment> {
  const connector = payment.provider === null ? undefined : deps.findConnector(payment.provider);
  if (connector?.cards === undefined || payment.reference === null) return payment;
  const state = await connector.cards.askChargeState(payment.reference);
  // "Never seen" is for the worker to believe, which asks when no process can still be sending it.
  if (state.kind === "never_seen") return payment;
  if (state.kind === "pending") return happenToCard(deps, payment, { kind: "result_passed" });
  return followCharge(deps, payment, state);
}
