import type { TSchema } from "typebox";
import { actOnPayment } from "../../app/sandbox/desk/act.ts";
import { moveDeskClock, moveDeskClockTo } from "../../app/sandbox/desk/desk-clock.ts";
import type { DeskDeps } from "../../app/sandbox/desk/desk-deps.ts";
import { clearFaults, listFaults, orderFault } from "../../app/sandbox/desk/desk-faults.ts";
import { listEchoes, orderEchoAnswer } from "../../app/sandbox/desk/echo.ts";
import { readDeskPayment, readDeskPayments } from "../../app/sandbox/desk/read-desk.ts";
import type { Fault, FieldFault } from "../../core/errors.ts";
import type { Id } from "../../core/ids.ts";
import { ok, type Result } from "../../core/result.ts";
import type { JsonValue } from "../../platform/strict-json.ts";
import {
  type ActBody,
  actBody,
  type CallbacksBody,
  type ClockBody,
  callbacksBody,
  clockBody,
  DESK_PAYMENTS_MAX,
  type EchoAnswerBody,
  echoAnswerBody,
  type FaultBody,
  faultBody,
  type PaymentBody,
  type PaymentsBody,
  paymentBody,
  paymentsBody,
  projectBody,
} from "./bodies.ts";

/** One call of the tester's desk. Its doors check who asks, and that the project is a test project of theirs. */
export type DeskCall = {
  /** Below each door's own path. */
  readonly name: string;
  readonly body: TSchema;
  /** What a schema cannot say of the body. */
  readonly rules?: (body: JsonValue) => readonly FieldFault[];
  readonly answer: (deps: DeskDeps, projectId: Id, body: never) => Promise<Result<object, Fault>>;
};

export const DESK_CALLS: readonly DeskCall[] = [
  {
    name: "payments",
    body: paymentsBody,
    answer: async (deps, projectId, { limit = DESK_PAYMENTS_MAX }: PaymentsBody) =>
      ok(await readDeskPayments(deps, projectId, limit)),
  },
  {
    name: "payment",
    body: paymentBody,
    answer: (deps, projectId, body: PaymentBody) => readDeskPayment(deps, nameOf(projectId, body)),
  },
  {
    name: "act",
    body: actBody,
    answer: (deps, projectId, body: ActBody) => {
      const { action, amount, reason } = body;
      return actOnPayment(deps, nameOf(projectId, body), { action, amount, reason });
    },
  },
  {
    name: "clock",
    body: clockBody,
    rules: findClockFaults,
    answer: (deps, projectId, { general, direction, seconds }: ClockBody) =>
      seconds === undefined
        ? moveDeskClockTo(deps, nameOf(projectId, { general: { payment_id: general.payment_id ?? "" }, direction }))
        : moveDeskClock(deps, projectId, seconds),
  },
  {
    name: "faults",
    body: faultBody,
    answer: (deps, projectId, { kind, call, ms, times }: FaultBody) =>
      orderFault(deps, projectId, { kind, call, ms, times }),
  },
  { name: "faults/clear", body: projectBody, answer: clearFaults },
  { name: "faults/list", body: projectBody, answer: listFaults },
  {
    name: "callbacks",
    body: callbacksBody,
    answer: (deps, projectId, { after }: CallbacksBody) => listEchoes(deps, projectId, after),
  },
  {
    name: "callbacks/answer",
    body: echoAnswerBody,
    answer: (deps, projectId, { status, times }: EchoAnswerBody) => orderEchoAnswer(deps, projectId, { status, times }),
  },
];

type NamesPayment = {
  readonly general: { readonly payment_id: string };
  readonly direction?: "payin" | "payout" | undefined;
};

function nameOf(projectId: Id, { general, direction = "payin" }: NamesPayment) {
  return { projectId, direction, paymentId: general.payment_id };
}

/** Either `seconds`, or `to` with the payment whose time is meant. */
function findClockFaults(body: JsonValue): readonly FieldFault[] {
  const { general, seconds, to } = body as Partial<ClockBody>;
  if (seconds === undefined && to === undefined)
    return [{ field: "seconds", code: "required", message: "or to is required" }];
  if (seconds !== undefined && to !== undefined)
    return [{ field: "to", code: "not_allowed", message: "cannot be given together with seconds" }];
  if (to !== undefined && general?.payment_id === undefined)
    return [{ field: "general.payment_id", code: "required", message: "is required with to" }];
  return [];
}
