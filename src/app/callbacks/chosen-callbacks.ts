import type { CallbackQuestion, ShownState } from "../../core/callbacks/callback-question.ts";
import { groupBy } from "../../core/group-by.ts";
import type { Id } from "../../core/ids.ts";
import type { Actor } from "../../core/people/actor.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { ReplayableState } from "../../store/callbacks/callback-replay.ts";
import { dismissDeadCallbacks } from "../../store/callbacks/dismiss-callbacks.ts";
import { findScopeCallbacks, listMatchingCallbacks } from "../../store/callbacks/scope-callbacks.ts";
import type { Database } from "../../store/db.ts";
import { audit } from "../people/audit.ts";
import { idsOf, projectsInScope, type ReportScope } from "../reports/report-scope.ts";
import { COUNTED_MAX } from "./list-scope-callbacks.ts";
import { type Replayed, replayCallbacks } from "./replay-callbacks.ts";

/** What a merchant's people do with callbacks that they chose: these, or all that match a question. */
export type Choice = { readonly ids: readonly Id[] } | { readonly question: CallbackQuestion };

export type ChoiceFault = "not_found" | "too_many" | "nothing_left";

type Chosen = { readonly projectId: Id; readonly id: Id; readonly state: ShownState };

async function findChosen(
  db: Database,
  scope: ReportScope,
  choice: Choice,
): Promise<Result<readonly Chosen[], ChoiceFault>> {
  if ("ids" in choice) {
    const found = await findScopeCallbacks(db, idsOf(scope.projects), choice.ids);
    return found.length === 0 ? fail("not_found") : ok(found);
  }
  const { question } = choice;
  const projects = projectsInScope(scope, question.projectId);
  if (!projects.ok) return projects;
  const keys = await listMatchingCallbacks(db, idsOf(projects.value), question, COUNTED_MAX + 1);
  if (keys.length > COUNTED_MAX) return fail("too_many");
  return ok(keys.map((key) => ({ ...key, state: question.state })));
}

/** The row's own word: a pending one is shown by what it waits for. */
const ROW_STATE: Readonly<Record<ShownState, ReplayableState>> = {
  dead: "dead",
  dismissed: "dismissed",
  delivered: "delivered",
  failing: "pending",
  waiting: "pending",
  held: "pending",
};

/** They become due one after another, so that a server that has just come back is not run over. */
const RATE_PER_SECOND = 20;

/**
 * Sends them again, through the queue. Each is the event that it was: the same id, a new signature. What is being sent at this moment
 * and what goes to a disabled URL stays as it is.
 */
export async function replayChosen(
  db: Database,
  scope: ReportScope,
  choice: Choice,
  actor: Actor,
): Promise<Result<Replayed, ChoiceFault>> {
  const chosen = await findChosen(db, scope, choice);
  if (!chosen.ok) return chosen;
  const groups = groupBy(chosen.value, ({ projectId, state }) => `${projectId} ${ROW_STATE[state]}`);
  let sum: Replayed = { replayed: 0, lastDueInS: 0, left: { underWay: 0, disabled: 0 } };
  for (const group of groups.values()) sum = added(sum, await replayGroup(db, scope, group, actor));
  return sum.replayed === 0 ? fail("nothing_left") : ok(sum);
}

/** Callbacks of one project that stand alike. */
async function replayGroup(
  db: Database,
  { merchantId }: ReportScope,
  group: readonly Chosen[],
  actor: Actor,
): Promise<Replayed> {
  const [first] = group;
  if (first === undefined) throw new Error("a group without a member");
  const { projectId } = first;
  const state = ROW_STATE[first.state];
  const done = await replayCallbacks(db, {
    filter: { projectId, state, ids: group.map(({ id }) => id) },
    ratePerSecond: RATE_PER_SECOND,
    countMax: undefined,
    actor: actor.name,
    note: (tx, ids) =>
      audit(tx, {
        ...{ merchantId, actor, action: "callbacks.replay", subject: subjectOf(projectId, ids) },
        ...{ before: { state }, after: { state: "pending", callbacks: ids.length } },
      }),
  });
  if (done.ok) return done.value;
  if (done.error.kind === "too_many") throw new Error("a replay without a limit was limited");
  return { replayed: 0, lastDueInS: 0, left: done.error.left };
}

function added(a: Replayed, b: Replayed): Replayed {
  return {
    replayed: a.replayed + b.replayed,
    lastDueInS: Math.max(a.lastDueInS, b.lastDueInS),
    left: { underWay: a.left.underWay + b.left.underWay, disabled: a.left.disabled + b.left.disabled },
  };
}

/** Says of dead letters that they need not be delivered any more. Nothing is deleted, and they can still be sent again. */
export async function dismissChosen(
  db: Database,
  scope: ReportScope,
  choice: Choice,
  actor: Actor,
): Promise<Result<number, ChoiceFault>> {
  const chosen = await findChosen(db, scope, choice);
  if (!chosen.ok) return chosen;
  const { merchantId } = scope;
  let dismissed = 0;
  for (const [projectId, group] of groupBy(chosen.value, (each) => each.projectId)) {
    const wanted = group.map(({ id }) => id);
    dismissed += await db.transaction(async (tx) => {
      const ids = await dismissDeadCallbacks(tx, projectId, wanted, actor.name);
      if (ids.length > 0) {
        await audit(tx, {
          ...{ merchantId, actor, action: "callbacks.dismiss", subject: subjectOf(projectId, ids) },
          ...{ before: { state: "dead" }, after: { state: "dismissed", callbacks: ids.length } },
        });
      }
      return ids.length;
    });
  }
  return dismissed === 0 ? fail("nothing_left") : ok(dismissed);
}

/** One is named itself, several by their project. */
function subjectOf(projectId: Id, [first, ...others]: readonly Id[]): string {
  return first !== undefined && others.length === 0 ? first : projectId;
}
