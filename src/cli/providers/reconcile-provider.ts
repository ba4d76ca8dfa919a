import { type ReconcileProvider, reconcileProvider } from "../../app/providers/reconcile-provider.ts";
import type { ProviderReconciliation } from "../../app/providers/reconcile-report.ts";
import type { Database } from "../../store/db.ts";
import { type CliContext, CliFault, type Command, type CommandInput, EXIT, type ExitCode } from "../kit/command.ts";
import { optional, positional, readChoice, readInstant, wrongUsage } from "../kit/option-values.ts";
import { printJson } from "../kit/output.ts";
import { openProgressBar } from "../kit/progress-bar.ts";
import { NO_ANSWERS_FILE, openAnswersFile } from "./answers-file.ts";
import { requireProvider } from "./provider-banks.ts";
import { reconciliationJson, renderReconciliation } from "./reconcile-provider-view.ts";
import { openRegisterInput } from "./register-input.ts";

const SOURCES = ["api"] as const;
/** Those that say how a file is read. */
const FILE_OPTIONS = ["columns", "statuses", "currency", "encoding"];

export const reconcileProviderCommand: Command = {
  name: "reconcile provider",
  summary: "Reconcile a provider's register, or its answers, with the payments that went through it.",
  arguments: ["NAME", "[FILE]"],
  options: {
    from: { type: "string", value: "SOURCE", words: SOURCES, help: "api: ask the provider about each payment" },
    day: { type: "string", value: "DAY", help: "the day in UTC, such as 2026-01-31" },
    since: { type: "string", value: "TIME", help: "in place of a day: from this time on" },
    until: { type: "string", value: "TIME", help: "before this time" },
    columns: { type: "string", value: "PAIRS", help: "what the file calls our columns: payment_id=ID,amount=SUM" },
    statuses: { type: "string", value: "PAIRS", help: "its words: success=PAID|SETTLED,decline=FAILED,open=NEW" },
    decimal: { type: "boolean", help: "the file has 1500.50, not minor units" },
    currency: { type: "string", value: "CODE", help: "if the file has no column for it" },
    encoding: {
      type: "string",
      value: "NAME",
      words: ["utf-8", "windows-1251"],
      help: "of the file; utf-8 without it",
    },
    progress: {
      type: "string",
      value: "FILE",
      help: "with --from api: keep the answers here, so that the next run goes on",
    },
    json: { type: "boolean", help: "print the result as JSON" },
  },
  notes: [
    "It changes nothing. Exit code 0: everything agrees; 4: at least one difference; 3: no difference, but questions that the",
    "provider did not answer.",
    "payment_id in the file is the reference that payment show lists with each attempt. FILE can be - for standard input.",
    "Columns: payment_id, status, amount, currency; fee and type (payin or payout) are used where the file has them.",
    "--from api cannot find what is missing here: the provider is only asked about our own payments.",
    "It compares payments. Top-ups of your balance there and withdrawals are not payments: provider funds lists them.",
    "Example: {program} reconcile provider alpha register.csv --day 2026-01-31 --decimal",
    "Example: {program} reconcile provider alpha --from api --day 2026-01-31 --progress alpha-2026-01-31.jsonl",
  ],
  run: (context, input) => {
    const provider = positional(input, 0);
    const period = readPeriod(input);
    checkSource(input);
    return context.withDatabase(async (db) => {
      await requireProvider(db, provider);
      const result = await compare(context, input, db, { provider, period });
      if (input.flag("json")) printJson(context, reconciliationJson(result));
      else context.print(renderReconciliation(result, provider));
      if (result.fault !== undefined)
        context.printError(`The file could not be read to its end, so nothing was compared: ${result.fault}`);
      return exitOf(result);
    });
  },
};

type Wish = Pick<ReconcileProvider, "provider" | "period">;

async function compare(
  context: CliContext,
  input: CommandInput,
  db: Database,
  wish: Wish,
): Promise<ProviderReconciliation> {
  const bar = openProgressBar(context);
  const path = input.positionals[1];
  try {
    if (path === undefined) return await compareWithAnswers(context, input, db, wish);
    const { portions, share } = openRegisterInput(context, input, path);
    const onProgress = (compared: number) => bar.show(share(), `${compared} payments`, Date.now());
    return await reconcileProvider(db, { ...wish, source: { kind: "register", portions }, onProgress });
  } finally {
    bar.clear();
  }
}

async function compareWithAnswers(
  context: CliContext,
  input: CommandInput,
  db: Database,
  wish: Wish,
): Promise<ProviderReconciliation> {
  const { provider } = wish;
  const path = input.text("progress");
  const file = path === undefined ? NO_ANSWERS_FILE : openAnswersFile(path, provider);
  const connector = await context.openConnector(db, provider);
  try {
    const { books } = connector;
    if (books === undefined) throw new CliFault(`${provider} has no books that could be read.`);
    const onProgress = (compared: number) => context.showProgress(`${compared} payments`);
    const source = { kind: "answers", readEntry: books.readEntry, known: file.known, onAnswer: file.append } as const;
    return await reconcileProvider(db, { ...wish, source, onProgress });
  } finally {
    await connector.close();
    file.close();
  }
}

const DAY_MS = 86_400_000;

function readPeriod(input: CommandInput): Wish["period"] {
  const day = optional(input, "day", readInstant);
  const since = optional(input, "since", readInstant);
  const until = optional(input, "until", readInstant);
  if (day !== undefined) {
    if (since !== undefined || until !== undefined) throw wrongUsage("Give either --day, or --since and --until.");
    if (input.text("day")?.includes("T")) throw wrongUsage("--day must be a day such as 2026-01-31.");
    return { since: day, until: new Date(day.getTime() + DAY_MS) };
  }
  if (since === undefined || until === undefined) throw wrongUsage("Give --day DAY, or --since TIME and --until TIME.");
  if (since >= until) throw wrongUsage("--until must be after --since.");
  return { since, until };
}

function checkSource(input: CommandInput): void {
  const fromApi = optional(input, "from", (text, name) => readChoice(text, name, SOURCES)) !== undefined;
  const hasFile = input.positionals[1] !== undefined;
  if (fromApi === hasFile) throw wrongUsage("Give either FILE, or --from api.");
  const misplaced = FILE_OPTIONS.find((option) => input.text(option) !== undefined);
  if (fromApi && (misplaced !== undefined || input.flag("decimal")))
    throw wrongUsage(`--${misplaced ?? "decimal"} says how a file is read, and there is none.`);
  if (hasFile && input.text("progress") !== undefined) throw wrongUsage("--progress is for --from api.");
}

function exitOf({ fault, counts, totals, refusedCount, unansweredCount }: ProviderReconciliation): ExitCode {
  if (fault !== undefined) return EXIT.refused;
  const differs = counts.size > 0 || refusedCount > 0 || totals.some(({ difference }) => difference !== 0n);
  if (differs) return EXIT.violations;
  return unansweredCount > 0 ? EXIT.unavailable : EXIT.done;
}
