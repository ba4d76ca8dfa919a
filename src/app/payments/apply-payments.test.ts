import { describe, expect, it, vi } from "vitest";
import type { Id } from "../../core/ids.ts";
import type { PayinHappening } from "../../core/payments/decide-payin.ts";
import { nextPayinState } from "../../core/payments/payin-transitions.ts";
import type { PayoutEvent } from "../../core/payments/payout-transitions.ts";
import { isFinal, type P2pPayinState } from "../../core/payments/states.ts";
import { listBalances } from "../../store/ledger/balances.ts";
import { postingTransaction } from "../../store/ledger/ledger.ts";
import { findPayment } from "../../store/payments/payments.ts";
import { aNewPayin, aNewPayout, ratesOf, WITH_CALLBACKS } from "../../testing/builders/new-payments.ts";
import { aProject, credit, minor } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { type ApplyPayment, applyInTransaction, openApplyPayments } from "./apply-payments.ts";
import { openCreatePayments } from "./create-payments.ts";
import type { PaymentEvent } from "./payment-event.ts";

const { db } = useTestDatabase();
const creates = openCreatePayments(db);
const CLEARING = "clearing:sandbox" as const;

const apply = openApplyPayments(db);
/** What is applied alone waits for a lock in its turn: a common batch would set it aside on a busy machine. */
async function applyAlone(event: PaymentEvent) {
  const posted = await postingTransaction(db, (tx) => applyInTransaction(tx, [event]));
  if (!posted.ok) return posted;
  const [applied] = posted.value;
  if (applied === undefined) throw new Error("one event has one answer");
  return applied;
}

/** 2.5 %. */
const TERMS = { ...ratesOf(250), ...WITH_CALLBACKS };

type Name = { readonly projectId: Id; readonly requestId: Id };
type Receiving = { readonly payin: PayinHappening; readonly receivedFrom?: NonNullable<PaymentEvent["receivedFrom"]> };

function applyPayin(name: Name, receiving: Receiving, by: ApplyPayment = apply) {
  return by({ ...name, ...receiving, actor: "test" });
}

async function aPayin(...happenings: PayinHappening[]): Promise<Name> {
  const { projectId } = await aProject(db);
  const payin = aNewPayin(projectId, TERMS);
  await creates.payin(payin);
  const name = { projectId, requestId: payin.requestId };
  for (const happening of happenings) expect(await applyPayin(name, { payin: happening })).toMatchObject({ ok: true });
  return name;
}

async function aPayout(): Promise<Name> {
  const { projectId } = await aProject(db);
  await credit(db, projectId, 5000);
  const payout = aNewPayout(projectId, TERMS);
  await creates.payout(payout);
  return { projectId, requestId: payout.requestId };
}

function received(amount: number, receiptReference: string): Receiving {
  return {
    payin: { kind: "received", amount: minor(amount), clearing: CLEARING },
    receivedFrom: { provider: "sandbox", receiptReference, amount: minor(amount), receivedAt: new Date() },
  };
}

async function stateOf(name: Name) {
  return (await findPayment(db, name.projectId, name.requestId))?.state;
}

async function availableOf(projectId: Id): Promise<bigint> {
  return (await listBalances(db, [projectId]))[0]?.available ?? 0n;
}

const ISSUED: PayinHappening[] = [{ kind: "submitted" }, { kind: "requisites_issued" }];

describe("a pay-in", () => {
  it("goes from created to success: state, money, history and callbacks agree", async () => {
    const name = await aPayin(...ISSUED, { kind: "confirmed" });
    expect(await applyPayin(name, received(1000, "t1"))).toMatchObject({ ok: true });
    expect(await stateOf(name)).toBe("success");
    expect(await availableOf(name.projectId)).toBe(975n);
    const history = await db.run({
      text: "select number, event, to_state from payment_history where request_id = $1 order by number",
      values: [name.requestId],
    });
    expect(history).toEqual([
      { number: 1, event: "created", to_state: "processing:new" },
      { number: 2, event: "submitted", to_state: "processing:requisites" },
      { number: 3, event: "requisites_issued", to_state: "processing:awaiting_confirm" },
      { number: 4, event: "confirmed", to_state: "processing:paid" },
      { number: 5, event: "received_exact", to_state: "success" },
    ]);
    const callbacks = await db.run({
      text: "select sequence, url, body->'status'->>'status' as status from callbacks where request_id = $1 order by sequence",
      values: [name.requestId],
    });
    expect(callbacks).toEqual(
      [2, 3, 4, 5].map((sequence) => ({
        sequence,
        url: "https://shop.example/cb",
        status: sequence === 5 ? "success" : "processing",
      })),
    );
  });

  it("counts a transfer once, however often and however many tell of it", async () => {
    const name = await aPayin(...ISSUED);
    await Promise.all(Array.from({ length: 12 }, () => applyPayin(name, received(1000, "same"))));
    expect(await availableOf(name.projectId)).toBe(975n);
    await applyPayin(name, received(1000, "another"));
    const [suspense] = await db.run<{ sum: string }>({
      text: "select sum(amount)::text as sum from entries where project_id = $1 and account = 'suspense'",
      values: [name.projectId],
    });
    expect(suspense?.sum).toBe("1000");
  });

  it("remembers what was refused, and changes nothing", async () => {
    const name = await aPayin();
    expect(await applyPayin(name, { payin: { kind: "confirmed" } })).toEqual({
      ok: false,
      error: "refused",
    });
    const [line] = await db.run({
      text: "select from_state, to_state, event, detail from payment_history where request_id = $1 order by number desc limit 1",
      values: [name.requestId],
    });
    expect(line).toEqual({
      from_state: "processing:new",
      to_state: "processing:new",
      event: "confirmed",
      detail: "refused",
    });
    const [row] = await db.run<{ count: number }>({
      text: "select count(*)::int as count from callbacks where request_id = $1",
      values: [name.requestId],
    });
    expect(row?.count).toBe(0);
  });

  it("is not to be found under another project", async () => {
    const name = await aPayin();
    const { projectId } = await aProject(db);
    const foreign = applyPayin({ projectId, requestId: name.requestId }, { payin: { kind: "cancelled" } });
    expect(await foreign).toEqual({ ok: false, error: "payment_unknown" });
  });
});

/** Two things happen to one payment at the same moment. A lock is held until both wait, so that the order is certain. */
describe("every pair at once, in both orders", () => {
  const contenders: Record<string, Receiving> = {
    confirm: { payin: { kind: "confirmed" } },
    cancel: { payin: { kind: "cancelled" } },
    expiry: { payin: { kind: "expired" } },
    "provider success": received(1000, "t"),
    "provider decline": { payin: { kind: "provider_declined" } },
    "operator settle": { payin: { kind: "operator_settled", clearing: "clearing:manual" } },
    "operator decline": { payin: { kind: "operator_declined" } },
  };
  const begins: Record<string, PayinHappening[]> = {
    awaiting_confirm: ISSUED,
    paid: [...ISSUED, { kind: "confirmed" }],
  };
  const pairs = Object.keys(begins).flatMap((begin) =>
    Object.keys(contenders).flatMap((first) =>
      Object.keys(contenders)
        .filter((second) => second !== first)
        .map((second) => [begin, first, second] as const),
    ),
  );

  it.each(pairs)("%s: %s, then %s", async (begin, first, second) => {
    const name = await aPayin(...(begins[begin] ?? []));
    const began = (await stateOf(name)) as P2pPayinState;
    await inOrder(
      name,
      () => applyPayin(name, contenders[first] as Receiving, applyAlone),
      () => applyPayin(name, contenders[second] as Receiving, applyAlone),
    );
    const expected = [first, second].reduce<P2pPayinState>((state, each) => follow(state, each), began);
    expect(await stateOf(name)).toBe(expected);
    const success = expected === "success";
    expect(await availableOf(name.projectId)).toBe(success ? 975n : 0n);
    const finals = await db.run<{ to_state: P2pPayinState; from_state: P2pPayinState }>({
      text: "select from_state, to_state from payment_history where request_id = $1 and from_state <> to_state",
      values: [name.requestId],
    });
    expect(finals.filter((line) => isFinal(line.to_state)).length).toBe(isFinal(expected) ? 1 : 0);
  });

  function follow(state: P2pPayinState, contender: string): P2pPayinState {
    const { payin } = contenders[contender] ?? {};
    const event = payin?.kind === "received" ? "received_exact" : payin?.kind;
    return (event && nextPayinState(state, event, { confirmed: false })) ?? state;
  }
});

async function inOrder(name: Name, ...contenders: (() => Promise<unknown>)[]): Promise<void> {
  const running: Promise<unknown>[] = [];
  await db.transaction(async (tx) => {
    await tx.run({
      text: "select from payments where project_id = $1 and request_id = $2 for update",
      values: [name.projectId, name.requestId],
    });
    for (const contender of contenders) {
      running.push(contender());
      await vi.waitFor(async () => expect(await waiting()).toBe(running.length), { timeout: 60_000, interval: 2 });
    }
  });
  await Promise.all(running);
}

async function waiting(): Promise<number> {
  const [row] = await db.run<{ count: number }>({
    text: `select count(*)::int as count from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`,
  });
  return row?.count ?? 0;
}

describe("a payout", () => {
  const happen = (name: Name, kind: PayoutEvent, by = apply) =>
    by({ ...name, payout: { kind, clearing: CLEARING }, actor: "test" });

  async function balanceOf(projectId: Id) {
    const [balance] = await listBalances(db, [projectId]);
    return [balance?.available, balance?.locked];
  }

  it("claimed, approved: what was locked has left, and our fee is ours", async () => {
    const name = await aPayout();
    expect(await balanceOf(name.projectId)).toEqual([3975n, 1025n]);
    await happen(name, "claimed");
    expect(await happen(name, "approved")).toMatchObject({ ok: true, value: { state: "success" } });
    expect(await balanceOf(name.projectId)).toEqual([3975n, 0n]);
    expect(await happen(name, "approved")).toMatchObject({ ok: true });
    expect(await happen(name, "declined")).toEqual({ ok: false, error: "refused" });
    expect(await balanceOf(name.projectId)).toEqual([3975n, 0n]);
  });

  it("declined gives all of it back; in dispute it stays locked", async () => {
    const name = await aPayout();
    await happen(name, "claimed");
    await happen(name, "may_have_left");
    expect([await stateOf(name), ...(await balanceOf(name.projectId))]).toEqual([
      "dispute:payout_failed",
      3975n,
      1025n,
    ]);
    await happen(name, "operator_declined");
    expect([await stateOf(name), ...(await balanceOf(name.projectId))]).toEqual(["decline", 5000n, 0n]);
    await happen(name, "approved");
    await happen(name, "approved");
    expect([await stateOf(name), ...(await balanceOf(name.projectId))]).toEqual(["decline", 5000n, 0n]);
    const [shortfall] = await db.run<{ sum: string }>({
      text: "select sum(amount)::text as sum from entries where project_id = $1 and account = 'shortfall'",
      values: [name.projectId],
    });
    expect(shortfall?.sum).toBe("-1000");
  });

  const ends: PayoutEvent[] = ["approved", "declined", "timed_out", "may_have_left"];
  it.each(ends.flatMap((first) => ends.filter((second) => second !== first).map((second) => [first, second] as const)))(
    "%s, then %s at once: the money moves once",
    async (first, second) => {
      const name = await aPayout();
      await happen(name, "claimed");
      await inOrder(
        name,
        () => happen(name, first, applyAlone),
        () => happen(name, second, applyAlone),
      );
      const [available, locked] = await balanceOf(name.projectId);
      const state = await stateOf(name);
      const expected = state === "success" ? [3975n, 0n] : state === "decline" ? [5000n, 0n] : [3975n, 1025n];
      expect([available, locked]).toEqual(expected);
    },
  );
});
