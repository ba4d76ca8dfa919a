import { type Fault, fault } from "../../../core/errors.ts";
import type { Id } from "../../../core/ids.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import type { DeskDeps, OrderedFault, WaitingFault, WorldAnswer } from "./desk-deps.ts";

const SILENT_RETRY_S = 1;

export const SANDBOX_SILENT: Fault = {
  ...fault("unavailable", "the sandbox does not answer at the moment: try again in a second"),
  retryAfterS: SILENT_RETRY_S,
};
const NO_SANDBOX_RETRY_S = 60;
export const NO_SANDBOX: Fault = {
  ...fault("unavailable", "this installation runs no sandbox: ask its operator"),
  retryAfterS: NO_SANDBOX_RETRY_S,
};

/** More than a test needs, and few enough that nothing fills up. */
const FAULTS_MAX = 100;

export async function orderFault(deps: DeskDeps, projectId: Id, ordered: OrderedFault): Promise<Result<object, Fault>> {
  const { world } = deps;
  if (world === undefined) return fail(NO_SANDBOX);
  const waiting = await world.listFaults(projectId);
  if (waiting === undefined) return fail(SANDBOX_SILENT);
  if (waiting.length >= FAULTS_MAX)
    return fail(fault("wrong_state", `${FAULTS_MAX} faults are ordered already: clear them first`));
  return answerOf(await world.addFault(projectId, ordered));
}

export async function clearFaults({ world }: DeskDeps, projectId: Id): Promise<Result<object, Fault>> {
  return world === undefined ? fail(NO_SANDBOX) : answerOf(await world.clearFaults(projectId));
}

export async function listFaults(
  { world }: DeskDeps,
  projectId: Id,
): Promise<Result<{ readonly faults: readonly WaitingFault[] }, Fault>> {
  if (world === undefined) return fail(NO_SANDBOX);
  const faults = await world.listFaults(projectId);
  return faults === undefined ? fail(SANDBOX_SILENT) : ok({ faults });
}

function answerOf(answer: WorldAnswer): Result<object, Fault> {
  return answer === "done" ? ok({}) : fail(SANDBOX_SILENT);
}
