import { listOpenBatches, type OpenBatch } from "../../store/attention/attention-batches.ts";
import { type Command, EXIT } from "../kit/command.ts";
import { showDuration } from "../kit/durations.ts";
import { printJson, renderTable } from "../kit/output.ts";

export const payoutBatches: Command = {
  name: "payout batches",
  summary: "List batches of payouts that merchants' people confirmed and that have not ended, the oldest first.",
  arguments: [],
  options: { json: { type: "boolean", help: "print them as JSON" } },
  notes: [
    "awaiting_approval: a second person of the merchant decides. making: the worker makes a payout of each row.",
    "A batch that stays in making has rows that the database could not write: the worker's log says why.",
  ],
  run: (context, input) =>
    context.withDatabase(async (db) => {
      const batches = await listOpenBatches(db);
      if (input.flag("json")) printJson(context, batches.map(openBatchJson));
      else context.print(batches.length === 0 ? "There are none." : renderBatches(batches));
      return EXIT.done;
    }),
};

export function openBatchJson({ id, projectId, book, state, rowCount, waitingCount, sinceS }: OpenBatch) {
  return {
    batch_id: id,
    project_id: projectId,
    book,
    state,
    row_count: rowCount,
    waiting_count: waitingCount,
    since_s: Math.floor(sinceS),
  };
}

function renderBatches(batches: readonly OpenBatch[]): string {
  const columns = [
    ...[{ title: "BATCH" }, { title: "PROJECT" }, { title: "BOOK" }, { title: "STATE" }],
    ...[{ title: "ROWS", align: "right" }, { title: "WAITING", align: "right" }, { title: "SINCE" }],
  ] as const;
  return renderTable(
    columns,
    batches.map(({ id, projectId, book, state, rowCount, waitingCount, sinceS }) => [
      ...[id, projectId, book, state, String(rowCount), String(waitingCount), showDuration(sinceS)],
    ]),
  );
}
