import { type Paused, type PausedPart, pausePart, type Resumed, resumePart } from "../../app/merchants/pauses.ts";
import { findMethod, METHODS } from "../../core/merchants/methods.ts";
import type { Database } from "../../store/db.ts";
import { type CliFault, type Command, type CommandInput, EXIT } from "../kit/command.ts";
import { quote, readId, readPlainText, requiredText, wrongUsage } from "../kit/option-values.ts";
import { printJson } from "../kit/output.ts";
import { providerUnknown } from "../providers/provider-unknown.ts";
import { projectUnknown } from "./project-view.ts";
import { readProvider } from "./route-changes.ts";

/** Stopping a part of the work for a while, and letting it go on. */

const REASON_MAX = 1000;

type PausableKind = PausedPart["kind"];

/** What each pause applies to, and what it means. */
const PARTS: Readonly<Record<PausableKind, { arguments: readonly string[]; what: string; means: string }>> = {
  payouts: {
    arguments: ["[PROJECT]"],
    what: "payouts of one project or of all projects",
    means: "They are accepted, their money is locked, and they wait. Payouts that were sent continue.",
  },
  project: {
    arguments: ["PROJECT"],
    what: "a whole project",
    means: "It accepts no new payments (403 project_inactive). Payments in progress continue.",
  },
  method: {
    arguments: ["METHOD"],
    what: "a method for every project",
    means: "New payments by it are refused (403 method_not_enabled). Payments in progress continue.",
  },
  provider: {
    arguments: ["PROVIDER"],
    what: "a provider for every project",
    means:
      "It gets no new payments; those that it has continue. P2P payments that only it can process wait; cards are refused (422 no_provider).",
  },
};

export const PAUSE_COMMANDS: readonly Command[] = Object.keys(PARTS).map((kind) => pauseCommand(kind as PausableKind));
export const RESUME_COMMANDS: readonly Command[] = Object.keys(PARTS).map((kind) =>
  resumeCommand(kind as PausableKind),
);

function pauseCommand(kind: PausableKind): Command {
  const { arguments: words, what, means } = PARTS[kind];
  return {
    name: `pause ${kind}`,
    summary: `Pause ${what}.`,
    arguments: words,
    options: {
      reason: { type: "string", value: "TEXT", help: "the reason, shown by attention" },
      json: { type: "boolean", help: "print what was done as JSON" },
    },
    notes: [
      means,
      "Every process applies it within 5 seconds. A repeat changes nothing.",
      `Example: {program} pause ${[kind, ...words].join(" ")} --reason "the bank does not answer"`,
    ],
    run: (context, input) => {
      const part = readPart(kind, input);
      const reason = readPlainText(requiredText(input, "reason"), "--reason", REASON_MAX);
      return context.withDatabase(async (db) => {
        const paused = await pausePart(db, { part, reason, actor: context.actor });
        if (!paused.ok) throw await unknownPart(db, part);
        if (input.flag("json")) printJson(context, { ...partJson(part), paused: true, ...paused.value });
        else context.print(pausedSentence(part, paused.value));
        return EXIT.done;
      });
    },
  };
}

function resumeCommand(kind: PausableKind): Command {
  const { arguments: words, what } = PARTS[kind];
  return {
    name: `resume ${kind}`,
    summary: `Resume ${what}.`,
    arguments: words,
    options: { json: { type: "boolean", help: "print what was done as JSON" } },
    notes: [
      "The worker processes what waited within about a second. A repeat changes nothing.",
      `Example: {program} resume ${[kind, ...words].join(" ")}`,
    ],
    run: (context, input) => {
      const part = readPart(kind, input);
      return context.withDatabase(async (db) => {
        const resumed = await resumePart(db, part, context.actor);
        if (!resumed.ok) throw await unknownPart(db, part);
        const { changed, woken, allPayoutsPaused } = resumed.value;
        const done = { paused: false, changed, woken, all_payouts_paused: allPayoutsPaused };
        if (input.flag("json")) printJson(context, { ...partJson(part), ...done });
        else context.print(resumedSentence(part, resumed.value));
        return EXIT.done;
      });
    },
  };
}

function readPart(kind: PausableKind, input: CommandInput): PausedPart {
  const [word] = input.positionals;
  if (kind === "payouts") return { kind, projectId: word === undefined ? undefined : readId(word, "PROJECT") };
  if (kind === "project") return { kind, projectId: readId(word ?? "", "PROJECT") };
  return { kind, name: kind === "method" ? readMethod(word ?? "") : readProvider(word ?? "") };
}

function readMethod(text: string): string {
  const method = findMethod(text);
  if (method === undefined) {
    throw wrongUsage(`There is no method ${quote(text)}. The methods are ${Object.keys(METHODS).join(", ")}.`);
  }
  return method;
}

async function unknownPart(db: Database, part: PausedPart): Promise<CliFault> {
  if ("name" in part) return providerUnknown(db, part.name);
  if (part.projectId === undefined) throw new Error("all payouts are always there");
  return projectUnknown(part.projectId);
}

/** `Payouts of project …`, `Method card-p2p`. */
export function namePart(part: PausedPart): string {
  if ("name" in part) return `${part.kind === "method" ? "Method" : "Provider"} ${part.name}`;
  if (part.kind === "project") return `Project ${part.projectId}`;
  return part.projectId === undefined ? "Payouts of all projects" : `Payouts of project ${part.projectId}`;
}

function pausedSentence(part: PausedPart, { changed }: Paused): string {
  const state = part.kind === "payouts" ? "are" : "is";
  if (!changed) return `${namePart(part)} ${state} paused already, and nothing was changed.`;
  return `${namePart(part)} ${state} paused. ${PARTS[part.kind].means}`;
}

function resumedSentence(part: PausedPart, { changed, woken, allPayoutsPaused }: Resumed): string {
  const still = allPayoutsPaused ? " But payouts of all projects are paused, so they go on waiting." : "";
  const many = part.kind === "payouts";
  if (!changed) return `${namePart(part)} ${many ? "are" : "is"} not paused, and nothing was changed.${still}`;
  const waited = woken === 0 ? "" : ` ${woken} that waited ${woken === 1 ? "goes" : "go"} on at once.`;
  return `${namePart(part)} ${many ? "go" : "goes"} on.${waited}${still}`;
}

function partJson(part: PausedPart) {
  return "name" in part
    ? { kind: part.kind, name: part.name }
    : { kind: part.kind, project_id: part.projectId ?? null };
}
