import { openApplyPayments } from "../../app/payments/apply-payments.ts";
import { openCreatePayments } from "../../app/payments/create-payments.ts";
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

export function openPoolRig(db: Database, keyring: Keyring) {
  const creates = openCreatePayments(db);
  const apply = openApplyPayments(db);
  const desk = aDesk(db, keyring);

  async function get({ projectId, requestId }: PaymentKey): Promise<StoredPayment> {
    const payment = await findPayment(db, projectId, requestId);
    if (payment === undefined) throw new Error("there is no such payment");
    return payment;
  }

  /** What ends, or waits for a person, gives its place back, as the worker sees to. */
  async function happen(payin: PaymentKey & { readonly reference: string }, happening: PayinHappening) {
    const { projectId, requestId, reference } = payin;
    await apply({ projectId, requestId, actor: "test", payin: happening });
    const { state } = await get(payin);
    if (isFinal(state) || state === "dispute:confirm_timeout") await desk.endLending(reference);
    return state;
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
    const key = { projectId, requestId };
    const actor = "test";
    await apply({ ...key, actor, payin: { kind: "submitted" }, nextProvider: POOL_PROVIDER });
    const reference = (await get(key)).reference ?? "";
    const answer = await desk.lend({
      ...{ reference, projectId, method: "card-p2p", amount: minor(amount), currency: RUB, bank: undefined },
      expiresAt: new Date(),
    });
    if (answer === "other_request" || answer.kind !== "issued") {
      await happen({ ...key, reference }, { kind: "no_requisites" });
      return undefined;
    }
    await apply({
      ...key,
      actor,
      payin: { kind: "requisites_issued" },
      attemptEnd: { outcome: "taken", detail: null },
    });
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

  /** So much time passes for everything that was lent. */
  async function passTime(seconds: number): Promise<void> {
    await db.run({ text: "update attempts set ended_at = ended_at - make_interval(secs => $1)", values: [seconds] });
    await db.run({
      text: `update lendings set lent_at = lent_at - s, ended_at = ended_at - s, held_until = held_until - s
               from (select make_interval(secs => $1) as s) s where account_id is not null`,
      values: [seconds],
    });
  }

  return { desk, start, happen, record, passTime, get };
}

export type { ReportedAccount };
