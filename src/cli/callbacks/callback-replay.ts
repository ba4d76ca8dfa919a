import { type Replayed, type ReplayFault, replayCallbacks } from "../../app/callbacks/replay-callbacks.ts";
import type { Id } from "../../core/ids.ts";
import type { Result } from "../../core/result.ts";
import type { ReplayableState, ReplayFilter } from "../../store/callbacks/callback-replay.ts";
import { findShownCallback } from "../../store/callbacks/read-callbacks.ts";
import type { Database } from "../../store/db.ts";
import { findProject } from "../../store/merchants/projects.ts";
import { type CliContext, CliFault, type Command, type CommandInput, EXIT } from "../kit/command.ts";
import { optional, readChoice, readId, readInteger, wrongUsage } from "../kit/option-values.ts";
import { printJson } from "../kit/output.ts";
import { projectUnknown } from "../merchants/project-view.ts";
import { CALLBACK_FILTER_OPTIONS, readCallbackFilter } from "./callback-filter.ts";
import { callbackUnknown } from "./callback-list.ts";

const STATES = ["dead", "delivered", "pending"] as const satisfies readonly ReplayableState[];
const RATE_STANDARD = 20;
const RATE_MAX = 1000;
/** More than this are a decision, not a slip of the keyboard. */
const UNASKED_MAX = 100;
const FILTERS = [...Object.keys(CALLBACK_FILTER_OPTIONS), "state", "rate"];

export const callbackReplay: Command = {
  name: "callback replay",
  summary: "Replay callbacks as the same events: one by its id, or those of a project that match a filter.",
  arguments: ["[CALLBACK]"],
  options: {
    ...CALLBACK_FILTER_OPTIONS,
    state: { type: "string", value: "dead|delivered|pending", help: "their state; default dead" },
    rate: { type: "string", value: "N", help: `how many become due in a second; default ${RATE_STANDARD}` },
    yes: { type: "boolean", help: `replay even more than ${UNASKED_MAX}` },
    json: { type: "boolean", help: "print how many as JSON" },
  },
  notes: [
    "A replayed callback keeps its id, and its retry schedule starts again. You can also replay a delivered callback;",
    "a pending one is sent immediately. Callbacks in progress and callbacks to a disabled URL are not replayed.",
    "Example: {program} callback replay 0192d3c0a1b27c3d8e4f5a6b7c8d9e0f",
    "Example: {program} callback replay --project PROJECT --since 2026-01-31T10:00:00Z --rate 50 --yes",
  ],
  run: (context, input) => {
    const wish = readWish(input);
    return context.withDatabase(async (db) => {
      const filter = "id" in wish ? await filterOfOne(db, wish.id) : wish.filter;
      if ((await findProject(db, filter.projectId)) === undefined) throw projectUnknown(filter.projectId);
      const { rate, countMax } = wish;
      const result = await replayCallbacks(db, { filter, ratePerSecond: rate, countMax, actor: context.actor });
      return printResult(context, input, filter, result);
    });
  },
};

type ReplayWish = { readonly rate: number; readonly countMax: number | undefined } & (
  | { readonly id: Id }
  | { readonly filter: ReplayFilter }
);

function readWish(input: CommandInput): ReplayWish {
  const [idText] = input.positionals;
  const countMax = input.flag("yes") ? undefined : UNASKED_MAX;
  const rate = optional(input, "rate", (text, name) => readInteger(text, name, 1, RATE_MAX)) ?? RATE_STANDARD;
  if (idText !== undefined) {
    const named = FILTERS.find((option) => input.text(option) !== undefined);
    if (named !== undefined) throw wrongUsage(`--${named} goes without CALLBACK: give either one or the other.`);
    return { id: readId(idText, "CALLBACK"), rate, countMax };
  }
  const filter = readCallbackFilter(input);
  const { projectId } = filter;
  if (projectId === undefined) throw wrongUsage("CALLBACK or --project is missing: it says what to send again.");
  const state = optional(input, "state", (text, name) => readChoice(text, name, STATES));
  return { filter: { ...filter, projectId, state: state ?? "dead" }, rate, countMax };
}

/** Held is how a pending one is shown; in its row it is pending. */
async function filterOfOne(db: Database, id: Id): Promise<ReplayFilter> {
  const callback = await findShownCallback(db, id);
  if (callback === undefined) throw callbackUnknown(id);
  return { projectId: callback.projectId, ids: [id], state: callback.state === "held" ? "pending" : callback.state };
}

function printResult(
  context: CliContext,
  input: CommandInput,
  filter: ReplayFilter,
  result: Result<Replayed, ReplayFault>,
): number {
  if (!result.ok) throw refusal(context, filter, result.error);
  const { replayed, lastDueInS, left } = result.value;
  if (input.flag("json")) {
    printJson(context, {
      replayed,
      last_due_in_s: lastDueInS,
      left_under_way: left.underWay,
      left_disabled: left.disabled,
    });
    return EXIT.done;
  }
  const many = replayed === 1 ? "1 callback is" : `${replayed} callbacks are`;
  const pace = replayed === 1 ? "now" : `from now on, the last in ${Math.ceil(lastDueInS)} s`;
  context.print(`${many} sent again, ${pace}.${leftOver(context, filter, left)}`);
  return EXIT.done;
}

function refusal(context: CliContext, filter: ReplayFilter, fault: ReplayFault): CliFault {
  if (fault.kind === "too_many") {
    return new CliFault(`${fault.count} callbacks fit. To send all of them again, add --yes. Nothing was changed.`);
  }
  const one = filter.ids !== undefined && fault.left.underWay + fault.left.disabled === 0;
  const sentence = one ? "It has just changed. Look at it again." : "Nothing that fits can be sent again now.";
  return new CliFault(`${sentence}${leftOver(context, filter, fault.left)}`);
}

function leftOver({ programName }: CliContext, { projectId }: ReplayFilter, left: Replayed["left"]): string {
  const under = left.underWay > 0 ? ` Left, because it is being sent at this moment: ${left.underWay}.` : "";
  const gone =
    left.disabled > 0
      ? ` Left, because its URL is disabled: ${left.disabled}; see ${programName} callback disabled --project ${projectId}.`
      : "";
  return under + gone;
}
