import { setTimeout as sleep } from "node:timers/promises";
import { type Fault, fault, validationFault } from "../../../core/errors.ts";
import { type Minor, minorToJson } from "../../../core/money.ts";
import { CARD_UNKNOWN_MAX_S } from "../../../core/payments/timers.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import { ACTIONS_WITH_AMOUNT, ACTIONS_WITH_REASON, type DeskAction } from "../../../core/sandbox/desk-actions.ts";
import type { DeclineReason } from "../../../core/sandbox/desk-words.ts";
import type { PaymentName } from "../../../store/payments/shown-payments.ts";
import { type DeskPaymentRow, findDeskPayment } from "../../../store/sandbox/desk-payments.ts";
import { movePastEnd } from "./desk-clock.ts";
import type { DeskDeps, SandboxWorld, WorldAnswer } from "./desk-deps.ts";
import { NO_SANDBOX, SANDBOX_SILENT } from "./desk-faults.ts";
import { type DeskPayment, deskActionsOn, deskKindOf, viewDeskPayment } from "./desk-payment.ts";
import { NO_DESK_PAYMENT } from "./read-desk.ts";

/** What a tester does to a payment, in the place of the outside world. */
export type DeskWish = {
  readonly action: DeskAction;
  readonly amount: number | undefined;
  readonly reason: DeclineReason | undefined;
};

/** So much less or more arrives where the tester names no sum. */
const OTHER_BY_MINOR = 100n;
const WAIT_MS = 5_000;
/** Between two things that an action does: the second must not come before the first was noticed. */
const WAIT_BETWEEN_MS = 10_000;
const LOOK_EVERY_MS = 50;

/**
 * Plays the outside world, and waits until the service has noticed. Only the sandbox is told, over HTTP; the payment changes by
 * the same way as after any word of a provider.
 */
export async function actOnPayment(
  deps: DeskDeps,
  name: PaymentName,
  wish: DeskWish,
): Promise<Result<DeskPayment, Fault>> {
  const { world } = deps;
  const row = await findDeskPayment(deps.db, name);
  if (row === undefined) return fail(NO_DESK_PAYMENT);
  const refused = findMisfit(row, wish) ?? findSurplus(wish);
  if (refused !== undefined) return fail(refused);
  if (world === undefined) return fail(NO_SANDBOX);
  const played = await PLAYS[wish.action]({ deps, world, row, reference: row.reference ?? "", wish });
  if (!played.ok) return played;
  // That the acquirer does not decide changes nothing of the payment.
  const after = wish.action === "hold" ? played.value : await awaitChange(deps, name, played.value);
  return ok(viewDeskPayment(deps, await deps.currentDirectory(), after));
}

function findMisfit(row: DeskPaymentRow, { action }: DeskWish): Fault | undefined {
  const possible = deskActionsOn(row);
  if (possible.includes(action)) return undefined;
  const now = possible.length === 0 ? "nothing can be done to it now" : `possible now: ${possible.join(", ")}`;
  return fault("wrong_state", `${action} does not fit a ${deskKindOf(row)} in the state ${row.state}; ${now}`);
}

function findSurplus({ action, amount, reason }: DeskWish): Fault | undefined {
  const surplus = [
    ...(amount !== undefined && !ACTIONS_WITH_AMOUNT.includes(action) ? ["amount"] : []),
    ...(reason !== undefined && !ACTIONS_WITH_REASON.includes(action) ? ["reason"] : []),
  ];
  if (surplus.length === 0) return undefined;
  const message = `is not used with the action ${action}`;
  return validationFault(surplus.map((field) => ({ field, code: "not_allowed", message })));
}

type Scene = {
  readonly deps: DeskDeps;
  readonly world: SandboxWorld;
  readonly row: DeskPaymentRow;
  readonly reference: string;
  readonly wish: DeskWish;
};

/** The row that the change is seen against: the one before the last thing that was done. */
type Played = Promise<Result<DeskPaymentRow, Fault>>;
type Play = (scene: Scene) => Played;

/** The sum that arrives: what the tester says, or else what is usual for the action. */
const arrives =
  (usual: (row: DeskPaymentRow) => bigint): Play =>
  async (scene) => {
    const { world, reference, row, wish } = scene;
    const amount = wish.amount ?? minorToJson(usual(row) as Minor);
    return afterAll(row, [() => world.takeOver("payin", reference), () => world.sendMoney(reference, amount)]);
  };

/** What is missing; where nothing is, as much again. */
const missing = ({ amount, receivedAmount }: DeskPaymentRow): bigint =>
  receivedAmount < amount ? amount - receivedAmount : amount;
const short = ({ amount }: DeskPaymentRow): bigint => (amount > OTHER_BY_MINOR ? amount - OTHER_BY_MINOR : 1n);
const over = ({ amount }: DeskPaymentRow): bigint => amount + OTHER_BY_MINOR;

const payoutEnds =
  (status: Parameters<SandboxWorld["endPayout"]>[1]): Play =>
  ({ world, reference, row }) =>
    afterAll(row, [() => world.endPayout(reference, status)]);

const PLAYS: Readonly<Record<DeskAction, Play>> = {
  arrive: arrives(missing),
  arrive_short: arrives(short),
  arrive_over: arrives(over),
  arrive_twice: arriveTwice,
  arrive_late: async (scene) => {
    const expired = await passTime(scene);
    if (!expired.ok) return expired;
    const later = await awaitChange(scene.deps, scene.row, expired.value, WAIT_BETWEEN_MS);
    return arrives(missing)({ ...scene, row: later });
  },
  never: passTime,
  refuse: ({ world, reference, row }) =>
    afterAll(row, [() => world.takeOver("payin", reference), () => world.cancelPayin(reference)]),
  take_back: ({ world, reference, row }) => afterAll(row, [() => world.takeMoneyBack(reference)]),
  approve: ({ world, reference, row, wish: { amount } }) =>
    afterAll(row, [
      () => world.endCharge(reference, { status: "approved", ...(amount === undefined ? {} : { amount }) }),
    ]),
  decline: ({ world, reference, row, wish: { reason } }) =>
    afterAll(row, [
      () => world.endCharge(reference, { status: "declined", ...(reason === undefined ? {} : { reason }) }),
    ]),
  time_out: timeOutCard,
  hold: ({ world, reference, row }) => afterAll(row, [() => world.endCharge(reference, { status: "pending" })]),
  reverse: ({ world, reference, row }) => afterAll(row, [() => world.endCharge(reference, { status: "reversed" })]),
  pay: payoutEnds("paid"),
  reject: payoutEnds("rejected"),
  fail: payoutEnds("failed"),
  wrong_details: payoutEnds("wrong_details"),
  return: payoutEnds("returned"),
};

/** One after the other: the first is counted before the second is sent, as when a payer pays again an hour later. */
async function arriveTwice(scene: Scene): Played {
  const first = await arrives(({ amount }) => amount)(scene);
  if (!first.ok) return first;
  const row = await awaitChange(scene.deps, scene.row, first.value, WAIT_BETWEEN_MS);
  return arrives(({ amount }) => amount)({ ...scene, row });
}

/** Nothing happens by itself any more, and the time of the present state ends. */
async function passTime({ deps, world, row, reference }: Scene): Played {
  const taken = await afterAll(row, [() => world.takeOver(row.direction, reference)]);
  if (!taken.ok) return taken;
  const moved = await movePastEnd(deps, row);
  return moved.ok ? ok(row) : moved;
}

/** A charge that the acquirer does not decide is waited for a day longer than one that its payer left. */
async function timeOutCard({ deps, world, row, reference }: Scene): Played {
  const isHeld = await world.isHeld(reference);
  if (isHeld === undefined) return fail(SANDBOX_SILENT);
  const isChallenged = row.state !== "processing:paid";
  const moved = await movePastEnd(deps, row, isHeld && isChallenged ? CARD_UNKNOWN_MAX_S : 0);
  return moved.ok ? ok(row) : moved;
}

async function afterAll(row: DeskPaymentRow, steps: readonly (() => Promise<WorldAnswer>)[]): Played {
  for (const step of steps) {
    const answer = await step();
    if (answer === "unknown") return fail(fault("wrong_state", "the sandbox was never asked for this payment"));
    if (answer === "silent") return fail(SANDBOX_SILENT);
  }
  return ok(row);
}

/** The payment once something of it differs, or as it is after a while: that it did not change is no error. */
async function awaitChange(
  deps: DeskDeps,
  name: PaymentName,
  before: DeskPaymentRow,
  waitMs = WAIT_MS,
): Promise<DeskPaymentRow> {
  const endsMs = performance.now() + waitMs;
  for (;;) {
    const row = (await findDeskPayment(deps.db, name)) ?? before;
    if (marksOf(row) !== marksOf(before) || performance.now() > endsMs) return row;
    await sleep(LOOK_EVERY_MS);
  }
}

function marksOf({ state, sequence, receivedAmount, contradictedAt, shortfallAt }: DeskPaymentRow): string {
  return [state, sequence, receivedAmount, contradictedAt?.getTime(), shortfallAt?.getTime()].join(" ");
}
