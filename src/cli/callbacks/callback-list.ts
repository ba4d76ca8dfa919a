import { readCallbackFigures } from "../../app/callbacks/read-callback-figures.ts";
import { findId } from "../../core/ids.ts";
import { listCallbackAttempts } from "../../store/callbacks/callback-attempts.ts";
import {
  CALLBACK_STATES,
  type CallbackFilter,
  type CallbackState,
  findShownCallback,
  listCallbacks,
  listQueuedCallbacks,
  type QueuePosition,
  type ShownCallback,
} from "../../store/callbacks/read-callbacks.ts";
import type { Database } from "../../store/db.ts";
import { findProject } from "../../store/merchants/projects.ts";
import { type CliContext, CliFault, type Command, EXIT } from "../kit/command.ts";
import { foreignJson } from "../kit/foreign-text.ts";
import { optional, positional, quote, readChoice, readId, readInteger, wrongUsage } from "../kit/option-values.ts";
import { projectUnknown } from "../merchants/project-view.ts";
import { CALLBACK_FILTER_OPTIONS, readCallbackFilter } from "./callback-filter.ts";
import { attemptJson, callbackJson, renderAttempts, renderCallback, renderCallbacks } from "./callback-view.ts";

const LIMIT_STANDARD = 50;
const LIMIT_MAX = 1000;

export const callbackList: Command = {
  name: "callback list",
  summary: "List callbacks: pending ones by due time, all others newest first.",
  arguments: [],
  options: {
    state: {
      type: "string",
      value: CALLBACK_STATES.join("|"),
      help: "held: the URL is disabled; dead: a dead letter, after the last attempt; dismissed: one that is no longer needed",
    },
    ...CALLBACK_FILTER_OPTIONS,
    limit: {
      type: "string",
      value: "N",
      help: `at most so many, from 1 to ${LIMIT_MAX}; ${LIMIT_STANDARD} if left out`,
    },
    after: { type: "string", value: "PLACE", help: "the next page, after this place" },
    json: { type: "boolean", help: "print the page as JSON, with where the next one begins" },
  },
  notes: [
    "Example, to list dead letters: {program} callback list --state dead",
    "Example: {program} callback list --project PROJECT --payment-id ord-771",
  ],
  run: (context, input) => {
    const state = optional(input, "state", (text, name) => readChoice(text, name, CALLBACK_STATES));
    const filter = readCallbackFilter(input);
    const limit = optional(input, "limit", (text, name) => readInteger(text, name, 1, LIMIT_MAX)) ?? LIMIT_STANDARD;
    // One more than asked for tells whether there is a next page.
    const read = pageReader(state, filter, input.text("after"), limit + 1);
    return context.withDatabase(async (db) => {
      if (filter.projectId !== undefined) await requireProject(db, filter.projectId);
      const found = await read(db);
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      const next = last === undefined ? undefined : placeOf(last, state);
      if (input.flag("json")) {
        context.print(foreignJson({ callbacks: page.map(callbackJson), next_after: next ?? null }, 2));
      } else {
        if (state === undefined) await printTroubles(context, db, filter);
        context.print(page.length === 0 ? "There are none." : renderCallbacks(page));
        if (next !== undefined) context.print(`\nThere are more: the same again with --after ${next}`);
      }
      return EXIT.done;
    });
  },
};

type Read = (db: Database) => Promise<ShownCallback[]>;

function pageReader(
  state: CallbackState | undefined,
  filter: CallbackFilter,
  after: string | undefined,
  limit: number,
): Read {
  if (state === "pending" || state === "held") {
    const position = after === undefined ? undefined : readQueuePosition(after);
    return (db) => listQueuedCallbacks(db, state, filter, { after: position, limit });
  }
  const id = after === undefined ? undefined : readId(after, "--after");
  return (db) => listCallbacks(db, state ?? "any", filter, { after: id, limit });
}

function placeOf({ id, dueMicros }: ShownCallback, state: CallbackState | undefined): string {
  return state === "pending" || state === "held" ? `${dueMicros}.${id}` : id;
}

function readQueuePosition(text: string): QueuePosition {
  const [, micros = "", idText = ""] = /^([0-9]{1,18})\.([0-9a-f]{32})$/.exec(text) ?? [];
  const id = findId(idText);
  if (id === undefined) throw wrongUsage(`--after must be what the page before ended with. It is ${quote(text)}.`);
  return { dueMicros: BigInt(micros), id };
}

/** What an operator looks for first, above a list that may not show it. */
async function printTroubles(context: CliContext, db: Database, { projectId }: CallbackFilter): Promise<void> {
  const { dead, held } = await readCallbackFigures(db, projectId);
  const lines = [
    ...(dead > 0 ? [`Given up: ${dead}. See --state dead.`] : []),
    ...(held > 0 ? [`Held, because their URL is disabled: ${held}. See --state held, and callback disabled.`] : []),
  ];
  if (lines.length > 0) context.print(`${lines.join("\n")}\n`);
}

async function requireProject(db: Database, id: Parameters<typeof projectUnknown>[0]): Promise<void> {
  if ((await findProject(db, id)) === undefined) throw projectUnknown(id);
}

export const callbackShow: Command = {
  name: "callback show",
  summary: "Show a callback and every attempt to deliver it.",
  arguments: ["CALLBACK"],
  options: { json: { type: "boolean", help: "print it as JSON, with more of each answer" } },
  notes: [
    "CALLBACK is the id from callback list; receivers get it as event.id and webhook-id.",
    "Long numbers in an answer are masked: a receiver may repeat a card number in its answer.",
    "Example: {program} callback show 0192d3c0a1b27c3d8e4f5a6b7c8d9e0f",
  ],
  run: (context, input) => {
    const id = readId(positional(input, 0), "CALLBACK");
    return context.withDatabase(async (db) => {
      const callback = await findShownCallback(db, id);
      if (callback === undefined) throw callbackUnknown(id);
      const attempts = await listCallbackAttempts(db, callback.projectId, id);
      if (input.flag("json")) {
        const shown = { ...callbackJson(callback), attempts: attempts.map(attemptJson), body: callback.body };
        context.print(foreignJson(shown, 2));
      } else {
        context.print(renderCallback(callback));
        context.print(attempts.length === 0 ? "\nIt was not sent yet." : `\n${renderAttempts(attempts)}`);
      }
      return EXIT.done;
    });
  },
};

export function callbackUnknown(id: string): CliFault {
  return new CliFault(`There is no callback ${id}.`);
}
