import type { Id } from "../../core/ids.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { excludeCallbackWriters } from "../../store/callbacks/callback-writers.ts";
import type { Database } from "../../store/db.ts";
import { findProject } from "../../store/merchants/projects.ts";
import { movePayments } from "../../store/payments/move-clock.ts";

/** Moves the clock of the outside world for a project, so that both sides agree on the time. */
export type MoveSandboxClock = (projectId: Id, seconds: number) => Promise<boolean>;

/**
 * Moves a test project's time on. The outside world moves first: if it cannot, nothing moves here, and if we die in
 * between, money is merely early. Real time is never moved, nor is the window of signatures.
 */
export async function moveClock(
  deps: { readonly db: Database; readonly moveSandboxClock: MoveSandboxClock },
  projectId: Id,
  seconds: number,
): Promise<Result<{ readonly moved: number }, "project_unknown" | "project_live" | "sandbox_silent">> {
  const project = await findProject(deps.db, projectId);
  if (project === undefined) return fail("project_unknown");
  if (project.book !== "test") return fail("project_live");
  if (!(await deps.moveSandboxClock(projectId, seconds))) return fail("sandbox_silent");
  const moved = await deps.db.transaction(async (tx) => {
    await excludeCallbackWriters(tx);
    return movePayments(tx, projectId, seconds);
  });
  return ok({ moved });
}
