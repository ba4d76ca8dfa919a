import { isTestRequisite } from "../../core/cards/test-cards.ts";
import type { PayinRequest, PayinState, Requisites, RequisitesAnswer } from "../../core/connector.ts";
import type { Log } from "../../platform/log.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";
import { isUnavailable } from "../../store/faults.ts";
import { requisiteTypeOf } from "../core/requisite-value.ts";
import { listCreditsOf } from "../store/bank-lines.ts";
import {
  endLending,
  endUnshownLending,
  findLending,
  type LendingRequest,
  lendRequisite,
  noteLendingConfirmed,
  type ShownLending,
} from "../store/lendings.ts";
import { switchRequisite } from "../store/requisites.ts";
import { findHandPayout, takeHandPayout } from "./hand-payouts.ts";
import { unsealText } from "./pool-secrets.ts";

type Deps = { readonly db: Database; readonly keyring: Keyring; readonly log: Log };

/** Every free account was locked by another process each time: there are no further tries. */
const TRIES_MAX = 100;

/** The operator's own accounts: see `pool/connector/desk.ts`, whose questions these are. */
export function openPoolDesk(deps: Deps) {
  const { db } = deps;
  return {
    lend: (request: PayinRequest) => lend(deps, request),
    noteConfirm: (reference: string) => noteLendingConfirmed(db, reference),
    endLending: (reference: string) => endLending(db, reference),
    findPayin: (reference: string) => findPayin(deps, reference),
    takePayout: takeHandPayout(deps),
    findPayout: (reference: string) => findHandPayout(db, reference),
    isUnavailable,
  };
}

async function lend(deps: Deps, request: PayinRequest): Promise<RequisitesAnswer | "other_request"> {
  const wanted: LendingRequest = {
    reference: request.reference,
    projectId: request.projectId,
    type: requisiteTypeOf(request.method),
    method: request.method,
    currency: request.currency,
    amount: request.amount,
    bank: request.bank?.symbol ?? null,
    bankRequired: request.bank?.required ?? false,
  };
  let waitingFor: Awaited<ReturnType<typeof lendRequisite>>["accountId"] = null;
  for (let tried = 0; tried < TRIES_MAX; tried += 1) {
    const answer = await tryToLend(deps, wanted, waitingFor);
    if (answer.kind === "withdrawn") {
      // No payer was shown it yet, and none will be; unless a concurrent request was faster.
      return { kind: (await endUnshownLending(deps.db, request.reference)) ? "none" : "unknown" };
    }
    if (answer.kind !== "again") return answer.kind === "other_request" ? "other_request" : answer;
    waitingFor = answer.waitFor;
  }
  return { kind: "unknown" };
}

type Attempted =
  | RequisitesAnswer
  | { readonly kind: "other_request" }
  | { readonly kind: "withdrawn" }
  | { readonly kind: "again"; readonly waitFor: ShownLending["accountId"] };

/** What cannot be opened, or no payer may be shown, is not lent: the commit waits until the requisites were read. */
class NotLendable extends Error {
  readonly fault: keyof typeof COMPLAINTS;

  constructor(fault: keyof typeof COMPLAINTS) {
    super(fault);
    this.fault = fault;
  }
}

/** What the row says of it, and what the log says. */
const COMPLAINTS = {
  "it cannot be opened: it was tampered with": "a requisite could not be opened, and was switched off",
  "it is a test card, and the account is live": "a live account had a test card, which was switched off",
} as const;

async function tryToLend(
  deps: Deps,
  request: LendingRequest,
  waitingFor: ShownLending["accountId"],
): Promise<Attempted> {
  let chosen: ShownLending["requisiteId"] = null;
  try {
    return await deps.db.transaction(async (tx) => {
      const { verdict, accountId, requisiteId } = await lendRequisite(tx, request, waitingFor);
      if (verdict === "busy") return { kind: "again", waitFor: accountId };
      if (verdict === "none" || verdict === "over") return { kind: "none" };
      if (verdict === "other") return { kind: "other_request" };
      chosen = requisiteId;
      const lending = await findLending(tx, request.reference);
      if (lending?.withdrawnAt) return { kind: "withdrawn" };
      const requisites = lending === undefined ? undefined : openRequisites(deps.keyring, lending);
      if (requisites === undefined) throw new NotLendable("it cannot be opened: it was tampered with");
      if (lending?.book === "live" && isTestRequisite(requisites.type, requisites.value))
        throw new NotLendable("it is a test card, and the account is live");
      return { kind: "issued", requisites };
    });
  } catch (error) {
    if (!(error instanceof NotLendable) || chosen === null) throw error;
    // It was changed, moved here from another row, or accepted before test cards were refused. The next one is tried.
    await switchRequisite(deps.db, chosen, { enabled: false, fault: error.fault });
    deps.log.error({ requisite_id: chosen }, COMPLAINTS[error.fault]);
    const wasLentBefore = (await findLending(deps.db, request.reference)) !== undefined;
    return wasLentBefore ? { kind: "withdrawn" } : { kind: "again", waitFor: null };
  }
}

/** Undefined where it was tampered with. */
function openRequisites(keyring: Keyring, lending: ShownLending): Requisites | undefined {
  const { type, value, holder, accountId, requisiteId } = lending;
  if (type === null || value === null || holder === null || accountId === null || requisiteId === null)
    return undefined;
  try {
    return {
      type,
      value: unsealText(keyring, { table: "requisites", column: "value", row: requisiteId }, value),
      holder: unsealText(keyring, { table: "receiving_accounts", column: "holder", row: accountId }, holder),
      bank: lending.bank ?? undefined,
      bankName: lending.bankName ?? undefined,
    };
  } catch {
    return undefined;
  }
}

async function findPayin({ db, keyring }: Deps, reference: string): Promise<PayinState> {
  const lending = await findLending(db, reference);
  if (lending === undefined) return { kind: "never_seen" };
  const credits = await listCreditsOf(db, reference);
  const receipts = credits.map(({ reference: receiptReference, amount, receivedAt, account }) => ({
    ...{ receiptReference, amount, receivedAt, account },
  }));
  const isOver = lending.accountId === null || lending.withdrawnAt !== null;
  if (isOver) return { kind: "declined", receipts };
  return { kind: "open", requisites: openRequisites(keyring, lending), receipts };
}
