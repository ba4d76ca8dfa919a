import type { Id } from "../../core/ids.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { endPause, insertPause, listPauses, type PauseKind } from "../../store/merchants/pauses.ts";
import { findProject, lockProject, updateProject } from "../../store/merchants/projects.ts";
import { notifyDue } from "../../store/payments/save-payments.ts";
import { wakeNewPayments } from "../../store/payments/wake-payments.ts";
import { readProviderCatalog } from "../providers/provider-catalog.ts";

/** What can be stopped for a while. Every process knows of it within five seconds, through the directory. */
export type PausedPart =
  /** Of one project, or of all. They are accepted and wait. */
  | { readonly kind: "payouts"; readonly projectId: Id | undefined }
  | { readonly kind: "project"; readonly projectId: Id }
  | { readonly kind: "method" | "provider"; readonly name: string };

export type PauseCommand = { readonly part: PausedPart; readonly reason: string; readonly actor: string };

/** `changed` is false when it was so already. */
export type Paused = { readonly changed: boolean };

/** What it names is not there. */
export type PauseFault = "project_unknown" | "provider_unknown";

export function pausePart(db: Database, command: PauseCommand): Promise<Result<Paused, PauseFault>> {
  const { part, reason, actor } = command;
  return db.transaction(async (tx) => {
    const name = nameOf(part);
    if (part.kind === "project") {
      const present = await lockProject(tx, part.projectId);
      if (present === undefined) return fail("project_unknown");
      if (present.status === "paused") return ok({ changed: false });
      await updateProject(tx, part.projectId, { ...present, status: "paused" });
      // An operator may have set it active again by its settings, and left the row.
      await endPause(tx, "project", name, actor);
    }
    const fault = await findPauseFault(tx, part);
    if (fault !== undefined) return fail(fault);
    return ok({ changed: await insertPause(tx, { id: newId(), kind: part.kind, name, reason, actor }) });
  });
}

export type Resumed = {
  readonly changed: boolean;
  /** Payments that waited and are now looked at. */
  readonly woken: number;
  /** Payouts of this project still wait, because all payouts are paused. */
  readonly allPayoutsPaused: boolean;
};

/** What waited is due a moment later, by the same commit. */
export function resumePart(db: Database, part: PausedPart, actor: string): Promise<Result<Resumed, PauseFault>> {
  return db.transaction(async (tx) => {
    if (part.kind === "project") return resumeProject(tx, part.projectId, actor);
    const fault = await findPauseFault(tx, part);
    if (fault !== undefined) return fail(fault);
    const changed = await endPause(tx, part.kind, nameOf(part), actor);
    const woken = changed ? await wakeWaiting(tx, part) : 0;
    if (woken > 0) await notifyDue(tx);
    return ok({ changed, woken, allPayoutsPaused: await isStoppedForAll(tx, part) });
  });
}

async function resumeProject(tx: Transaction, id: Id, actor: string): Promise<Result<Resumed, PauseFault>> {
  const present = await lockProject(tx, id);
  if (present === undefined) return fail("project_unknown");
  const changed = present.status === "paused";
  if (changed) await updateProject(tx, id, { ...present, status: "active" });
  await endPause(tx, "project", id, actor);
  return ok({ changed, woken: 0, allPayoutsPaused: false });
}

async function findPauseFault(tx: Transaction, part: PausedPart): Promise<PauseFault | undefined> {
  if (part.kind === "provider") return (await readProviderCatalog(tx)).has(part.name) ? undefined : "provider_unknown";
  if (part.kind !== "payouts" || part.projectId === undefined) return undefined;
  return (await findProject(tx, part.projectId)) === undefined ? "project_unknown" : undefined;
}

async function wakeWaiting(tx: Transaction, part: PausedPart): Promise<number> {
  if (part.kind === "provider") return wakeNewPayments(tx, {});
  if (part.kind !== "payouts") return 0;
  const { projectId } = part;
  return wakeNewPayments(tx, { direction: "payout", ...(projectId === undefined ? {} : { projectId }) });
}

async function isStoppedForAll(tx: Transaction, part: PausedPart): Promise<boolean> {
  if (part.kind !== "payouts" || part.projectId === undefined) return false;
  return (await listPauses(tx)).some((pause) => pause.kind === "payouts" && pause.name === ALL);
}

const ALL = "";

/** What the row is called by. */
function nameOf(part: PausedPart): string {
  return "name" in part ? part.name : (part.projectId ?? ALL);
}

/** The part that a row in force is about. */
export function partOf(kind: PauseKind, name: string): PausedPart {
  if (kind === "method" || kind === "provider") return { kind, name };
  if (kind === "project") return { kind, projectId: name as Id };
  return { kind, projectId: name === ALL ? undefined : (name as Id) };
}
