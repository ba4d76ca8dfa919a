import { encodeCall } from "./encode-call.ts";
import { packBytes } from "./pack.ts";
import type { WaitingLine } from "./pending-chunk.ts";

/** What a row of the request log holds. */
export type PackedCalls = { readonly heads: Buffer; readonly bodies: Buffer };

/** Masks the calls of a chunk, and compresses them. */
export function packCalls(lines: Buffer, bodies: Buffer): PackedCalls {
  const waiting: readonly WaitingLine[] = JSON.parse(`[${lines.toString("utf8", 0, Math.max(0, lines.length - 1))}]`);
  let at = 0;
  const nextText = (length: number) => {
    at += length;
    return bodies.toString("utf8", at - length, at);
  };
  let [heads, texts] = ["", ""];
  for (const line of waiting) {
    const [id, path, status, code, ms, keyId, address, requestBytes, requestKept, answerBytes, answerKept, replay] =
      line;
    const { head, body } = encodeCall({
      ...{ id, path, status, ms, address, requestBytes, answerBytes, isReplay: replay === 1 },
      ...{ code: code ?? undefined, keyId: keyId ?? undefined },
      request: nextText(requestKept),
      answer: nextText(answerKept),
    });
    heads += head;
    texts += body;
  }
  return { heads: packBytes(Buffer.from(heads)), bodies: packBytes(Buffer.from(texts)) };
}
