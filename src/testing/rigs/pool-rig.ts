import { openApplyPayments } from "../../app/payments/apply-payments.ts";
import { type CreatePayments, openCreatePayments } from "../../app/payments/create-payments.ts";
import type { Id } from "../../core/ids.ts";
import type { PayinHappening } from "../../core/payments/decide-payin.ts";
import { isFinal } from "../../core/payments/states.ts";
import { POOL_PROVIDER } from "../../core/providers.ts";
import { newId } from "../../platform/new-id.ts";
import type { Keyring } from "../../platform/secrets.ts";
import { type Recorded, recordLines } from "../../pool/app/record-lines.ts";
import type { ReportedAccount, ReportedLine } from "../../pool/app/reported-lines.ts";
import type { Database } from "../../store/db.ts";
import { findPayment, type PaymentKey, type StoredPayment } from "../../store/payments/payments.ts";
import { ASKED_FOR } from "../builders/asked-for.ts";
import { aNewPayin, ratesOf } from "../builders/new-payments.ts";
import { minor, RUB } from "../builders/projects.ts";
import { aDesk } from "../builders/receiving-accounts.ts";

/** Pay-ins to the operator's own accounts, moved on by hand as the worker would, and the lines that banks report. */
export type LentPayin = PaymentKey & { readonly reference: string; readonly accountId: Id; readonly amount: number };

export type Reported = Pick<ReportedLine, "account" | "reference"> & {
  readonly amount: number;
  readonly at: Date;
  readonly direction?: "credit" | "debit";
};

/** A payment of the hosted page, whose payer has not chosen yet. */
async function aPage(creates: CreatePayments, projectId: Id, amount: number): Promise<PaymentKey> {
  const requestId = newId();
  const terms = { product: "widget", method: null, rates: null, lifetimeS: 600, customerId: requestId } as const;
  const payin = aNewPayin(projectId, { ...terms, amount: minor(amount), requestId });
  const page = { projectId, requestId, token: Buffer.from("sealed"), tokenHash: Buffer.from(requestId) };
  const created = await creates.widgetPayin({ ...payin, page });
  if (!created.ok) throw new Error(created.error);
  return { projectId, requestId };
}

/** What the payer of a page chooses. */
const BY_TRANSFER = { method: "card-p2p", ...ratesOf(250), lifetimeS: 600, bank: undefined, card: undefined } as const;

async function getPayment(db: Database, { projectId, requestId }: PaymentKey): Promise<StoredPayment> {
  const payment = await findPayment(db, projectId, requestId);
  if (payment === undefined) throw new Error("there is no such payment");
  return payment;
}

/** So much time passes for everything that was lent. */
async function passTimeOf(db: Database, seconds: number): Promise<void> {
  await db.run({ text: "update attempts set ended_at = ended_at - make_interval(secs => $1)", values: [seconds] });
  await db.run({
    text: `update lendings set lent_at = lent_at - s, ended_at = ended_at - s, held_until = held_until - s
             from (select make_interval(secs => $1) as s) s where account_id is not null`,
    values: [seconds],
  });
}

export function openPoolRig(db: Database, keyring: Keyring) {
  const creates = openCreatePayments(db);
  const apply = openApplyPayments(db);
  const desk = aDesk(db, keyring);

  const get = (key: PaymentKey) => getPayment(db, key);

  /** What ends, waits for a person or is left gives its place back, as the worker sees to. */
  async function happen({ projectId, requestId }: PaymentKey, happening: PayinHappening) {
    const { reference } = await get({ projectId, requestId });
    await apply({ projectId, requestId, actor: "test", payin: happening });
    const after = await get({ projectId, requestId });
    const isOver = isFinal(after.state) || after.state === "dispute:confirm_timeout" || after.reference === null;
    if (isOver && reference !== null) await desk.endLending(reference);
    return after.state;
  }

  /** Undefined: no account was free for this sum. */
  async function start(
    projectId: Id,
    amount: number,
    product: "p2p" | "widget" = "p2p",
  ): Promise<LentPayin | undefined> {
    const requestId = newId();
    const terms = { ...ratesOf(250), amount: minor(amount), customerId: requestId };
    const created = await creates.payin(aNewPayin(projectId, { ...terms, requestId, product }));
    if (!created.ok) throw new Error(created.error);
    return lendTo({ projectId, requestId }, amount);
  }

  /** The payer of a hosted page chooses a transfer, for the first time or again. */
  async function choose({ projectId, requestId }: PaymentKey): Promise<LentPayin | undefined> {
    const key = { projectId, requestId };
    const chosen = await apply({ ...key, actor: "payer", payin: { kind: "chosen" }, choice: BY_TRANSFER });
    if (!chosen.ok) throw new Error(chosen.error);
    return lendTo(key, Number(chosen.value.requestedAmount));
  }

  /** Undefined: no account was free for this sum. */
  async function lendTo(key: PaymentKey, amount: number): Promise<LentPayin | undefined> {
    const { projectId } = key;
    const actor = "test";
    await apply({ ...key, actor, payin: { kind: "submitted" }, nextProvider: POOL_PROVIDER });
    const reference = (await get(key)).reference ?? "";
    const answer = await desk.lend({
      ...{ reference, projectId, method: "card-p2p", amount: minor(amount), currency: RUB, bank: undefined },
      expiresAt: new Date(),
      ...ASKED_FOR,
    });
    if (answer === "other_request" || answer.kind !== "issued") {
      await happen(key, { kind: "no_requisites" });
      return undefined;
    }
    const attemptEnd = { outcome: "taken", detail: null } as const;
    await apply({ ...key, actor, payin: { kind: "requisites_issued" }, attemptEnd });
    const [lending] = await db.run<{ accountId: Id }>({
      text: `select account_id as "accountId" from lendings where reference = $1`,
      values: [reference],
    });
    if (lending === undefined) throw new Error("what was lent is written down");
    return { ...key, reference, amount, accountId: lending.accountId };
  }

  async function record(lines: readonly Reported[]): Promise<Recorded[]> {
    const reported = lines.map(({ account, reference, amount, at, direction }) => ({
      ...{ account, reference, currency: RUB, amount: minor(amount), payer: undefined },
      direction: direction ?? ("credit" as const),
      booked: { kind: "instant" as const, from: at, to: at },
    }));
    const recorded = await recordLines({ db, keyring }, reported, "test");
    for (const result of recorded) {
      if (result.kind !== "recorded" || result.projectId === null || result.requestId === null) continue;
      const { state, reference } = await get({ projectId: result.projectId, requestId: result.requestId });
      if (state === "success" && reference !== null) await desk.endLending(reference);
    }
    return recorded;
  }

  const passTime = (seconds: number) => passTimeOf(db, seconds);
  const openPage = (projectId: Id, amount: number) => aPage(creates, projectId, amount);
  return { desk, start, openPage, choose, happen, record, passTime, get };
}

export type { ReportedAccount };
