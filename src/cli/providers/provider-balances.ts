import type { Currency } from "../../core/currency.ts";
import { formatMoney, type Minor, minorToJson } from "../../core/money.ts";
import { listLowBalances } from "../../store/attention/attention-providers.ts";
import { listProviderBalances } from "../../store/providers/provider-balances.ts";
import { listReadings, type StoredReading } from "../../store/providers/provider-readings.ts";
import { listConfiguredProviders } from "../../store/providers/providers.ts";
import { type Command, EXIT } from "../kit/command.ts";
import { printJson, renderTable, showInstant } from "../kit/output.ts";

type Line = {
  readonly provider: string;
  readonly currency: Currency | null;
  readonly amount: Minor | null;
  readonly lockedAmount: Minor | null;
  /** What the payouts that wait for it need, where that is more than there is. */
  readonly waiting: Minor | null;
  readonly readAt: Date | null;
  readonly failingSince: Date | null;
};

export const providerBalances: Command = {
  name: "provider balances",
  summary: "List what you have at each configured provider, as it last said.",
  arguments: [],
  options: { json: { type: "boolean", help: "print the list as JSON" } },
  notes: [
    "A process with a worker asks each provider every minute. NOT ANSWERING: since when a provider does not tell.",
    "WAITING: what the payouts that wait for this balance need, where that is more than there is.",
    "After a top-up of a balance, or a withdrawal from it, record it: provider funds.",
    "Example: {program} provider balances",
  ],
  run: (context, input) =>
    context.withDatabase(async (db) => {
      const lines = await db.transaction(async (tx) => {
        const readings = (await listReadings(tx)).filter(({ what }) => what === "balances");
        const balances = await listProviderBalances(tx);
        const low = await listLowBalances(tx);
        return (await listConfiguredProviders(tx)).flatMap(({ code }): Line[] => {
          const reading = readings.find(({ provider }) => provider === code);
          const own = balances.filter(({ provider }) => provider === code);
          if (own.length === 0) return [{ ...NOTHING, provider: code, ...timesOf(reading) }];
          return own.map(({ provider, currency, amount, lockedAmount }) => {
            const isLow = low.find((each) => each.provider === provider && each.currency === currency);
            return { provider, currency, amount, lockedAmount, waiting: isLow?.waiting ?? null, ...timesOf(reading) };
          });
        });
      }, "snapshot");
      if (input.flag("json")) printJson(context, lines.map(lineJson));
      else context.print(lines.length === 0 ? "No provider is configured." : renderLines(lines));
      return EXIT.done;
    }),
};

const NOTHING = { currency: null, amount: null, lockedAmount: null, waiting: null } as const;

function timesOf(reading: StoredReading | undefined): Pick<Line, "readAt" | "failingSince"> {
  return { readAt: reading?.readAt ?? null, failingSince: reading?.failingSince ?? null };
}

function renderLines(lines: readonly Line[]): string {
  const columns = [
    { title: "PROVIDER" },
    { title: "AVAILABLE", align: "right" },
    { title: "LOCKED", align: "right" },
    { title: "WAITING", align: "right" },
    { title: "READ" },
    { title: "NOT ANSWERING" },
  ] as const;
  const rows = lines.map(({ provider, currency, amount, lockedAmount, waiting, readAt, failingSince }) => {
    const money = (sum: Minor | null) => (sum === null || currency === null ? "-" : formatMoney(sum, currency));
    const time = (instant: Date | null) => (instant === null ? "-" : showInstant(instant));
    const since = failingSince === null ? "-" : `since ${showInstant(failingSince)}`;
    return [provider, money(amount), money(lockedAmount), money(waiting), time(readAt), since];
  });
  return renderTable(columns, rows);
}

function lineJson({ provider, currency, amount, lockedAmount, waiting, readAt, failingSince }: Line) {
  const sum = (value: Minor | null) => (value === null ? null : minorToJson(value));
  return {
    provider,
    currency,
    amount: sum(amount),
    locked_amount: sum(lockedAmount),
    waiting: sum(waiting),
    read_at: readAt?.toISOString() ?? null,
    failing_since: failingSince?.toISOString() ?? null,
  };
}
