import { readPaymentPage } from "../../app/payments/read-payments.ts";
import { CARD_PAYIN_TRANSITIONS } from "../../core/cards/card-transitions.ts";
import type { Id } from "../../core/ids.ts";
import type { Direction } from "../../core/merchants/methods.ts";
import { P2P_PAYIN_TRANSITIONS } from "../../core/payments/payin-transitions.ts";
import { PAYOUT_TRANSITIONS } from "../../core/payments/payout-transitions.ts";
import type { Database } from "../../store/db.ts";
import { findProject } from "../../store/merchants/projects.ts";
import { PAYMENT_PILES, type PaymentFilter, type ShownPayment } from "../../store/payments/read-payments.ts";
import {
  type CliContext,
  type Command,
  type CommandInput,
  EXIT,
  type ExitCode,
  type OptionSpec,
} from "../kit/command.ts";
import {
  optional,
  readChoice,
  readId,
  readInstant,
  readInteger,
  readPaymentId,
  wrongUsage,
} from "../kit/option-values.ts";
import { printJson } from "../kit/output.ts";
import { projectUnknown } from "../merchants/project-view.ts";
import { paymentJson, renderPayments, renderPayouts } from "./payment-view.ts";

const LIMIT_STANDARD = 50;
const LIMIT_MAX = 1000;
const DIRECTIONS: readonly Direction[] = ["payin", "payout"];
const MACHINES = [P2P_PAYIN_TRANSITIONS, CARD_PAYIN_TRANSITIONS, PAYOUT_TRANSITIONS];
const STATES = [...new Set(MACHINES.flatMap((machine) => Object.keys(machine)))].sort();
const STATUSES = ["processing", "dispute", "success", "decline"] as const;

const FILTER_OPTIONS = {
  project: { type: "string", value: "ID", help: "only those of this project" },
  state: { type: "string", value: "STATE", help: "such as processing:paid or dispute:payout_failed" },
  status: { type: "string", value: "STATUS", words: STATUSES, help: "processing, dispute, success or decline" },
  "payment-id": { type: "string", value: "TEXT", help: "exactly the merchant's payment_id" },
  since: { type: "string", value: "TIME", help: "created at or after this time: 2026-01-31, or 2026-01-31T10:00:00Z" },
  until: { type: "string", value: "TIME", help: "created before this time" },
  limit: { type: "string", value: "N", help: `at most so many, from 1 to ${LIMIT_MAX}; ${LIMIT_STANDARD} if left out` },
  after: { type: "string", value: "REQUEST_ID", help: "the next page, after this payment" },
  json: { type: "boolean", help: "print the page as JSON, with where the next one begins" },
} as const satisfies Record<string, OptionSpec>;

export const paymentList: Command = {
  name: "payment list",
  summary: "List payments, the newest first.",
  arguments: [],
  options: {
    direction: { type: "string", value: "payin|payout", help: "only pay-ins, or only payouts" },
    attention: {
      type: "string",
      value: "KIND",
      words: PAYMENT_PILES,
      help: `only those that attention counts: ${PAYMENT_PILES.join(", ")}`,
    },
    ...FILTER_OPTIONS,
  },
  notes: [
    "Example: {program} payment list --status dispute --since 2026-01-31",
    "Example: {program} payment list --project PROJECT --payment-id ord-771",
  ],
  run: (context, input) => {
    const filter: PaymentFilter = {
      ...readFilter(input),
      direction: optional(input, "direction", (text, name) => readChoice(text, name, DIRECTIONS)),
      pile: optional(input, "attention", (text, name) => readChoice(text, name, PAYMENT_PILES)),
      order: "newest",
    };
    return context.withDatabase((db) => printPage(context, db, input, { filter, render: renderPayments }));
  },
};

/** Prints the payouts that wait for a person. The pool hands this in. */
export type PrintWaiting = (
  context: CliContext,
  db: Database,
  input: CommandInput,
  filter: { readonly projectId: Id | undefined; readonly after: Id | undefined; readonly limit: number },
) => Promise<ExitCode>;

export function payoutList(printWaiting: PrintWaiting): Command {
  return {
    name: "payout list",
    summary:
      "List payouts, the oldest first: those that have not ended, unless --state, --status or --all says otherwise.",
    arguments: [],
    options: {
      all: { type: "boolean", help: "those that have ended too" },
      waiting: { type: "boolean", help: "those that wait for a person to pay them, with who was handed them" },
      ...FILTER_OPTIONS,
    },
    notes: [
      "Example: {program} payout list",
      "Example: {program} payout list --state dispute:payout_timeout --project PROJECT",
      "Example: {program} payout list --waiting",
    ],
    run: (context, input) => {
      const chosen = input.flag("all") || input.text("state") !== undefined || input.text("status") !== undefined;
      const filter: PaymentFilter = { ...readFilter(input), direction: "payout", order: "oldest", openOnly: !chosen };
      if (input.flag("waiting")) {
        refuseWithWaiting(input);
        const { projectId, after, limit } = filter;
        return context.withDatabase(async (db) => {
          if (projectId !== undefined) await requireProject(db, projectId);
          return printWaiting(context, db, input, { projectId, after, limit });
        });
      }
      return context.withDatabase((db) => printPage(context, db, input, { filter, render: renderPayouts }));
    },
  };
}

const NOT_WITH_WAITING = ["state", "status", "payment-id", "since", "until"];

function refuseWithWaiting(input: CommandInput): void {
  const other = NOT_WITH_WAITING.find((option) => input.text(option) !== undefined);
  const given = other ?? (input.flag("all") ? "all" : undefined);
  if (given !== undefined) throw wrongUsage(`--waiting does not go with --${given}.`);
}

function readFilter(input: CommandInput): Omit<PaymentFilter, "order" | "direction"> {
  const state = optional(input, "state", (text, name) => readChoice(text, name, STATES));
  const since = optional(input, "since", readInstant);
  const until = optional(input, "until", readInstant);
  if (since !== undefined && until !== undefined && since >= until) {
    throw wrongUsage("--until must be later than --since.");
  }
  return {
    projectId: optional(input, "project", readId),
    state,
    status: optional(input, "status", (text, name) => readChoice(text, name, STATUSES)),
    paymentId: optional(input, "payment-id", readPaymentId),
    since,
    until,
    after: optional(input, "after", readId),
    limit: optional(input, "limit", (text, name) => readInteger(text, name, 1, LIMIT_MAX)) ?? LIMIT_STANDARD,
  };
}

type Page = { readonly filter: PaymentFilter; readonly render: (payments: readonly ShownPayment[]) => string };

async function printPage(context: CliContext, db: Database, input: CommandInput, { filter, render }: Page) {
  if (filter.projectId !== undefined) await requireProject(db, filter.projectId);
  // One more than asked for tells whether there is a next page.
  const found = await readPaymentPage(db, { ...filter, limit: filter.limit + 1 });
  const page = found.slice(0, filter.limit);
  const next = found.length > page.length ? page.at(-1)?.requestId : undefined;
  if (input.flag("json")) {
    printJson(context, { payments: page.map(paymentJson), next_after: next ?? null });
  } else {
    context.print(page.length === 0 ? "There are none." : render(page));
    if (next !== undefined) context.print(`\nThere are more: the same again with --after ${next}`);
  }
  return EXIT.done;
}

async function requireProject(db: Database, id: Id): Promise<void> {
  if ((await findProject(db, id)) === undefined) throw projectUnknown(id);
}
