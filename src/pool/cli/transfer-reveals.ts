import { type Command, EXIT } from "../../cli/kit/command.ts";
import { optional, readId, readInstant, readInteger } from "../../cli/kit/option-values.ts";
import { printJson, renderTable, showInstant } from "../../cli/kit/output.ts";
import { listPayerReveals, type ShownReveal } from "../store/read-payer-reveals.ts";

const LIMIT_STANDARD = 50;
const LIMIT_MAX = 1000;

export const transferReveals: Command = {
  name: "transfer reveals",
  summary: "List which operators saw payers' names, when and why, the newest first.",
  arguments: [],
  options: {
    reference: { type: "string", value: "TEXT", help: "only the transfer with exactly this reference" },
    since: { type: "string", value: "TIME", help: "shown then or later: 2026-01-31, or 2026-01-31T10:00:00Z" },
    until: { type: "string", value: "TIME", help: "shown before then" },
    limit: { type: "string", value: "N", help: `at most so many, up to ${LIMIT_MAX}; ${LIMIT_STANDARD} if left out` },
    after: { type: "string", value: "ID", help: "the next page, after this ID" },
    json: { type: "boolean", help: "print the page as JSON" },
  },
  notes: [
    "The names themselves are not repeated here: see transfer list --reveal-payer.",
    "Example: {program} transfer reveals --since 2026-01-31",
  ],
  run: (context, input) => {
    const filter = {
      reference: input.text("reference"),
      since: optional(input, "since", readInstant),
      until: optional(input, "until", readInstant),
      after: optional(input, "after", readId),
      limit: optional(input, "limit", (text, name) => readInteger(text, name, 1, LIMIT_MAX)) ?? LIMIT_STANDARD,
    };
    return context.withDatabase(async (db) => {
      const found = await listPayerReveals(db, { ...filter, limit: filter.limit + 1 });
      const page = found.slice(0, filter.limit);
      const next = found.length > page.length ? page.at(-1)?.id : undefined;
      if (input.flag("json")) printJson(context, { reveals: page.map(revealJson), next_after: next ?? null });
      else {
        context.print(page.length === 0 ? "There are none." : renderReveals(page));
        if (next !== undefined) context.print(`\nThere are more: the same again with --after ${next}`);
      }
      return EXIT.done;
    });
  },
};

function renderReveals(reveals: readonly ShownReveal[]): string {
  const titles = ["WHEN", "WHO", "ACCOUNT", "REFERENCE", "WHY"];
  return renderTable(
    titles.map((title) => ({ title })),
    reveals.map(({ createdAt, actor, account, reference, reason }) => [
      showInstant(createdAt),
      actor,
      account,
      reference,
      reason,
    ]),
  );
}

function revealJson({ id, createdAt, actor, account, reference, reason }: ShownReveal) {
  return { id, shown_at: createdAt.toISOString(), actor, account, reference, reason };
}
