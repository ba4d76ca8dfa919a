import { listProviderHealth, type StoredHealth } from "../../store/providers/provider-health.ts";
import { type Command, EXIT } from "../kit/command.ts";
import { printJson, renderTable, showInstant } from "../kit/output.ts";

export const providerHealth: Command = {
  name: "provider health",
  summary: "Show how configured providers answered in the last minute, and whose breaker is open.",
  arguments: [],
  options: { json: { type: "boolean", help: "print it as JSON" } },
  notes: [
    "There is a line for each process that calls a provider, since each decides by what it sees itself.",
    "Example: {program} provider health",
  ],
  run: (context, input) =>
    context.withDatabase(async (db) => {
      const seen = await listProviderHealth(db);
      if (input.flag("json")) printJson(context, seen.map(healthJson));
      else
        context.print(seen.length === 0 ? "No running process has called a configured provider." : renderHealth(seen));
      return EXIT.done;
    }),
};

function renderHealth(seen: readonly StoredHealth[]): string {
  const columns = [
    { title: "PROVIDER" },
    { title: "PROCESS" },
    { title: "BREAKER" },
    { title: "SINCE" },
    { title: "CALLS", align: "right" },
    { title: "REFUSED", align: "right" },
    { title: "LOST", align: "right" },
    { title: "P50 MS", align: "right" },
    { title: "P95 MS", align: "right" },
  ] as const;
  const rows = seen.map(({ provider, processId, state, since, calls, refused, lost, p50Ms, p95Ms }) => [
    ...[provider, processId, state, showInstant(since)],
    ...[calls, refused, lost, p50Ms ?? "-", p95Ms ?? "-"].map(String),
  ]);
  return renderTable(columns, rows);
}

function healthJson({ provider, processId, state, since, calls, refused, lost, p50Ms, p95Ms }: StoredHealth) {
  const figures = { calls, refused, lost, p50_ms: p50Ms, p95_ms: p95Ms };
  return { provider, process_id: processId, breaker: state, since: since.toISOString(), ...figures };
}
