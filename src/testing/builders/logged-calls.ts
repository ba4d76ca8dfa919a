import type { AnsweredCall } from "../../app/request-log/answered-call.ts";
import { encodeCall } from "../../app/request-log/encode-call.ts";
import { packBytes } from "../../app/request-log/pack.ts";
import type { Id } from "../../core/ids.ts";
import type { ChunkKind } from "../../core/request-log/logged-call.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database } from "../../store/db.ts";
import { insertChunks } from "../../store/request-log/chunks.ts";

/** A call that was answered; by itself a good one. */
export function anAnsweredCall(change: Partial<AnsweredCall> & { readonly atMs?: number } = {}): AnsweredCall {
  const { atMs = Date.now(), ...rest } = change;
  const code = rest.code;
  const answer =
    code === undefined
      ? { request_id: newId(), status: "processing" }
      : { status: "error", status_description: `what ${code} means`, code };
  const body = Buffer.from(JSON.stringify({ general: { project_id: newId(), payment_id: `order-${atMs}` } }));
  return {
    id: newId(atMs),
    path: "/api/v1/payment/p2p/payin",
    status: code === undefined ? 200 : 400,
    code: undefined,
    ms: 3.2,
    keyId: undefined,
    address: "192.0.2.1",
    body,
    answer: JSON.stringify(answer),
    isReplay: false,
    ...rest,
  };
}

export function encodeCalls(calls: readonly AnsweredCall[]): { readonly heads: string; readonly bodies: string } {
  const encoded = calls.map(({ body, ...call }) =>
    encodeCall({
      ...call,
      request: body.toString(),
      requestBytes: body.length,
      answerBytes: Buffer.byteLength(call.answer),
    }),
  );
  return { heads: encoded.map(({ head }) => head).join(""), bodies: encoded.map(({ body }) => body).join("") };
}

/** Calls of one project in one row, as a process writes them. */
export async function aChunk(
  db: Pick<Database, "run">,
  projectId: Id,
  kind: ChunkKind,
  calls: readonly AnsweredCall[],
): Promise<void> {
  const { heads, bodies } = encodeCalls(calls);
  const ids = calls.map(({ id }) => id).sort();
  const [oldestId = newId()] = ids;
  const id = ids.at(-1) ?? oldestId;
  const packed = { heads: packBytes(Buffer.from(heads)), bodies: packBytes(Buffer.from(bodies)) };
  await insertChunks(db, [{ projectId, id, oldestId, kind, callCount: calls.length, missed: 0, ...packed }]);
}
