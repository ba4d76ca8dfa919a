import { TextDecoder } from "node:util";
import { fail, ok, type Result } from "../core/result.ts";

/** The encodings that banks write their files in. */
export type TextEncoding = "utf-8" | "windows-1251";

/** Enough bytes to see a byte order mark and the whole XML declaration. */
const BEGINNING_BYTES = 256;

/**
 * Turns the bytes of a file into text, piece by piece. What an XML file says about its encoding comes first, then what
 * the caller knows, then UTF-8. Bytes that are not text in that encoding are an error, never a replacement character.
 */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  encoding: TextEncoding = "utf-8",
  /** How the caller is told another encoding, for the sentence about a file that is in another one. */
  advice = 'set "encoding": "windows-1251" in the column mapping',
): AsyncGenerator<Result<string, string>, void, undefined> {
  let decoder: TextDecoder | undefined;
  let held: Uint8Array = new Uint8Array();
  for await (const piece of bytes) {
    if (decoder === undefined) {
      held = Buffer.concat([held, piece]);
      if (held.length < BEGINNING_BYTES) continue;
      const chosen = chooseEncoding(held, encoding);
      if (!chosen.ok) return yield chosen;
      decoder = newDecoder(chosen.value);
    }
    const text = decode(decoder, held.length > 0 ? held : piece, "more follows", advice);
    held = new Uint8Array();
    yield text;
    if (!text.ok) return;
  }
  const chosen = decoder === undefined ? chooseEncoding(held, encoding) : ok(encoding);
  yield chosen.ok ? decode(decoder ?? newDecoder(chosen.value), held, "complete", advice) : chosen;
}

function newDecoder(encoding: TextEncoding): TextDecoder {
  return new TextDecoder(encoding, { fatal: true });
}

function decode(
  decoder: TextDecoder,
  bytes: Uint8Array,
  supply: "more follows" | "complete",
  advice: string,
): Result<string, string> {
  try {
    return ok(decoder.decode(bytes, { stream: supply === "more follows" }));
  } catch {
    return fail(`The file is not ${decoder.encoding.toUpperCase()} text. If it is in Windows-1251, ${advice}.`);
  }
}

function chooseEncoding(beginning: Uint8Array, known: TextEncoding): Result<TextEncoding, string> {
  const start = Buffer.from(beginning.subarray(0, BEGINNING_BYTES)).toString("latin1");
  if (/^(?:\xFF\xFE|\xFE\xFF)/.test(start)) return fail("The file is UTF-16 text. Save it as UTF-8.");
  if (/^\xEF\xBB\xBF/.test(start)) return ok("utf-8");
  if (!start.startsWith("<?xml")) return ok(known);
  const declared = /^<\?xml[^>]*encoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(start)?.[1]?.toLowerCase() ?? "utf-8";
  if (declared === "windows-1251") return ok(declared);
  return ["utf-8", "us-ascii"].includes(declared)
    ? ok("utf-8")
    : fail("The file says that it is neither in UTF-8 nor in Windows-1251. Save it as UTF-8.");
}
