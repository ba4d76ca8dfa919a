import { partOf } from "../app/pauses.ts";
import { type Attention, readAttention, SHORTFALL_DAYS } from "../app/read-attention.ts";
import { formatMoney, minorToJson } from "../core/money.ts";
import type { Pause } from "../store/pauses.ts";
import type { Pile } from "../store/read/attention.ts";
import { type Command, EXIT } from "./command.ts";
import { showDuration } from "./durations.ts";
import { printable, printJson, showInstant } from "./output.ts";
import { namePart } from "./pause.ts";

export const attention: Command = {
  name: "attention",
  summary: "Say what a person should look at, the most urgent first, each with the command that helps.",
  arguments: [],
  options: { json: { type: "boolean", help: "print the figures as JSON" } },
  notes: [
    `Shortfalls are those of the last ${SHORTFALL_DAYS} days. dispute:no_payment is not counted: it ends by itself.`,
    "The exit code is 0 whatever there is. Example: {program} attention",
  ],
  run: (context, input) =>
    context.withDatabase(async (db) => {
      const found = await readAttention(db);
      if (input.flag("json")) printJson(context, attentionJson(found));
      else {
        const lines = attentionLines(found).map(({ what, help }) => `${what} → ${context.programName} ${help}`);
        context.print(lines.length === 0 ? "Nothing needs attention." : lines.map(printable).join("\n"));
      }
      return EXIT.done;
    }),
};

type Line = { readonly what: string; readonly help: string };

/** First what nobody works on, then money that may be lost, then what waits for a decision, then what merely waits. */
function attentionLines(found: Attention): Line[] {
  const { late } = found;
  return [
    ...(late.count === 0
      ? []
      : [
          {
            what: `${payments(late.count)} due and not looked at for ${showDuration(late.oldestS)}: is the service running?`,
            help: "payment list --attention late",
          },
        ]),
    ...found.faultyRequisites.map(({ id, mask, account, fault }) => ({
      what: `Requisite ${id} (${mask}) of account ${account} was switched off: ${fault}`,
      help: `pool requisite list ${account}`,
    })),
    ...found.unknown.map((pile) => ({
      what: `${sumOf(pile)} with an unknown outcome, the oldest for ${showDuration(pile.oldestS)}`,
      help: "payment list --attention unknown",
    })),
    ...found.shortfalls.map((pile) => ({
      what: `${sumOf(pile)} declined and paid all the same, the oldest ${showDuration(pile.oldestS)} ago`,
      help: "payment list --attention shortfall",
    })),
    ...found.unexplainedDebits.map((pile) => ({
      what: `${sumOf(pile, "debit")} of own accounts explained by no payout, the oldest for ${showDuration(pile.oldestS)}`,
      help: "transfer list --outcome unexplained",
    })),
    ...found.disputes.map((pile) => ({
      what: `${sumOf(pile)} in ${pile.state}, the oldest for ${showDuration(pile.oldestS)}`,
      help: `payment list --state ${pile.state}`,
    })),
    ...found.waitingPayouts.map((pile) => ({
      what: `${sumOf(pile)} to be paid by hand, the oldest waiting for ${showDuration(pile.oldestS)}`,
      help: "payout list --waiting",
    })),
    ...found.waitingForRoom.map((pile) => ({
      what: `${sumOf(pile)} arrived and waiting for room in the balance, the oldest for ${showDuration(pile.oldestS)}`,
      help: "payment list --attention room",
    })),
    ...found.pausedPayouts.map((pile) => ({
      what: `${sumOf(pile)} of payouts waiting because payouts are paused, the oldest for ${showDuration(pile.oldestS)}`,
      help: "payout list --state processing:new",
    })),
    ...found.suspense.map((pile) => ({
      what: `${sumOf(pile)} in suspense, the oldest for ${showDuration(pile.oldestS)}`,
      help: "suspense list",
    })),
    ...found.unpromotedKeys.map(({ kind, projectId, retiresAt }) => ({
      what: `${kind === "rsa" ? "The service's callback key" : `The callback secret of project ${projectId}`} retires ${showInstant(retiresAt)}, and its successor then makes x-access-signature`,
      help: `callback key promote${projectId === null ? "" : ` --project ${projectId}`}`,
    })),
    ...found.pauses.map(pauseLine),
    ...found.pausedProjects.map(({ id, name }) => ({
      what: `Project ${id} (${name}) is paused by its settings`,
      help: `resume project ${id}`,
    })),
  ];
}

/** `3 payments, 120.00 RUB (test)`. */
function sumOf({ count, sum, currency, book }: Pile, what = "payment"): string {
  return `${payments(count, what)}, ${formatMoney(sum, currency)}${book === "test" ? " (test)" : ""},`;
}

function payments(count: number, what = "payment"): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}

function pauseLine({ kind, name, reason, actor, createdAt }: Pause): Line {
  const part = partOf(kind, name);
  const state = kind === "payouts" ? "are" : "is";
  return {
    what: `${namePart(part)} ${state} paused by ${actor} since ${showInstant(createdAt)}: ${reason}`,
    help: `resume ${kind}${name === "" ? "" : ` ${name}`}`,
  };
}

function attentionJson(found: Attention) {
  return {
    late: { count: found.late.count, oldest_s: Math.floor(found.late.oldestS) },
    faulty_requisites: found.faultyRequisites.map(({ id, account, mask, fault }) => ({
      requisite_id: id,
      ...{ account, mask, fault },
    })),
    unknown: found.unknown.map(pileJson),
    shortfalls: found.shortfalls.map(pileJson),
    disputes: found.disputes.map((pile) => ({ state: pile.state, ...pileJson(pile) })),
    waiting_for_room: found.waitingForRoom.map(pileJson),
    paused_payouts: found.pausedPayouts.map(pileJson),
    waiting_payouts: found.waitingPayouts.map(pileJson),
    unexplained_debits: found.unexplainedDebits.map(pileJson),
    suspense: found.suspense.map(pileJson),
    unpromoted_callback_keys: found.unpromotedKeys.map(({ kind, projectId, retiresAt }) => ({
      kind,
      project_id: projectId,
      retires_at: retiresAt.toISOString(),
    })),
    pauses: found.pauses.map(({ kind, name, reason, actor, createdAt }) => ({
      kind,
      name,
      reason,
      actor,
      since: createdAt.toISOString(),
    })),
    paused_projects: found.pausedProjects.map(({ id, name }) => ({ project_id: id, name })),
  };
}

function pileJson({ book, currency, count, sum, oldestS }: Pile) {
  return { book, currency, count, sum: minorToJson(sum), oldest_s: Math.floor(oldestS) };
}
