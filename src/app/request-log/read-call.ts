import type { Id } from "../../core/ids.ts";
import { headsToCalls, type LoggedCall } from "../../core/request-log/logged-call.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database } from "../../store/db.ts";
import { readReport } from "../../store/reports/read-report.ts";
import { findBodies, listChunksAround } from "../../store/request-log/chunks.ts";
import { idsOf, projectOf, type ReportScope } from "../reports/report-scope.ts";
import { type ListedCall, labelsOf, spanAbove } from "./list-calls.ts";
import { unpackText } from "./pack.ts";

export type CallDetail = { readonly call: ListedCall; readonly request: string; readonly answer: string };

/** More rows than processes write in the time that a call can take. */
const CHUNKS_MAX = 1_000;

/** One call with its bodies. Another merchant's is not told from one that does not exist. */
export async function readCallInScope(
  db: Database,
  scope: ReportScope,
  callId: Id,
): Promise<Result<CallDetail, "not_found">> {
  return readReport(db, async (tx) => {
    const around = { callId, newestBelow: spanAbove(callId), limit: CHUNKS_MAX };
    for (const chunk of await listChunksAround(tx, idsOf(scope.projects), around)) {
      const calls = headsToCalls(unpackText(chunk.heads));
      const index = calls.findIndex(({ id }) => id === callId);
      const call = calls[index];
      if (call === undefined) continue;
      const bodies = await findBodies(tx, chunk);
      if (bodies === undefined) return fail("not_found");
      const labels = await labelsOf(tx, scope.merchantId, [call]);
      return ok({
        call: {
          ...call,
          project: projectOf(scope.projects, chunk),
          isSigned: chunk.kind !== "unsigned",
          keyLabel: call.keyId === null ? undefined : labels.get(call.keyId),
        },
        ...bodiesOf(unpackText(bodies), calls.slice(0, index), call),
      });
    }
    return fail("not_found");
  });
}

/** Where a call's bodies are follows from the lengths of those before it. */
function bodiesOf(text: string, before: readonly LoggedCall[], { requestLength, answerLength }: LoggedCall) {
  const from = before.reduce((sum, call) => sum + call.requestLength + call.answerLength, 0);
  const middle = from + requestLength;
  return { request: text.slice(from, middle), answer: text.slice(middle, middle + answerLength) };
}
