import { type Fault, fault } from "../../../core/errors.ts";
import type { Id } from "../../../core/ids.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import type { PaymentName } from "../../../store/payments/shown-payments.ts";
import { type DeskPaymentRow, findDeskPayment } from "../../../store/sandbox/desk-payments.ts";
import { moveClock } from "../../payments/move-clock.ts";
import type { DeskDeps } from "./desk-deps.ts";
import { NO_SANDBOX, SANDBOX_SILENT } from "./desk-faults.ts";
import { endOfState } from "./desk-payment.ts";
import { NO_DESK_PAYMENT } from "./read-desk.ts";

/** How many payments moved on, and by how many seconds. */
export type MovedClock = { readonly moved: number; readonly seconds: number };

export const CLOCK_SECONDS_MAX = 30 * 86_400;

/** Of that project alone. The caller has checked that it is a test project; so does what moves it. */
export async function moveDeskClock(
  deps: DeskDeps,
  projectId: Id,
  seconds: number,
): Promise<Result<MovedClock, Fault>> {
  const { db, world } = deps;
  if (world === undefined) return fail(NO_SANDBOX);
  const moved = await moveClock({ db, moveSandboxClock: world.moveClock }, projectId, seconds);
  if (moved.ok) return ok({ moved: moved.value.moved, seconds });
  return fail(moved.error === "sandbox_silent" ? SANDBOX_SILENT : TEST_PROJECTS_ONLY);
}

export const TEST_PROJECTS_ONLY = fault("project_forbidden", "the sandbox serves test projects only");

/** Just past the end of the time that the payment's present state has. */
export async function moveDeskClockTo(deps: DeskDeps, name: PaymentName): Promise<Result<MovedClock, Fault>> {
  const row = await findDeskPayment(deps.db, name);
  return row === undefined ? fail(NO_DESK_PAYMENT) : movePastEnd(deps, row);
}

/** `longerS` is for what the service waits for beyond that end. */
export async function movePastEnd(
  deps: DeskDeps,
  row: DeskPaymentRow,
  longerS = 0,
): Promise<Result<MovedClock, Fault>> {
  const endsAt = endOfState(row);
  if (endsAt === null) return fail(fault("wrong_state", "the payment waits for no point in time now"));
  const leftS = (endsAt.getTime() - deps.clock.nowMs()) / 1000;
  const seconds = Math.max(1, Math.ceil(leftS) + longerS + 1);
  if (seconds > CLOCK_SECONDS_MAX)
    return fail(fault("wrong_state", `the payment's time ends in more than ${CLOCK_SECONDS_MAX} seconds`));
  return moveDeskClock(deps, row.projectId, seconds);
}
