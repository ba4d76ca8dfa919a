import { Readable } from "node:stream";
import type { Export } from "../../app/reports/open-export.ts";
import type { Log } from "../../platform/log.ts";

const CSV = "text/csv; charset=utf-8";

/** A CSV file as an answer: it is written as fast as the browser reads it, and no further when the browser has gone. */
export function csvAnswer(log: Log, fileName: string, { parts, lineCount, close }: Export) {
  const stream = Readable.from(parts, { objectMode: false });
  stream.once("close", () => void close());
  stream.once("error", (error) => log.warn({ reason: error.message }, "a file could not be written to its end"));
  return { stream, type: CSV, fileName, lineCount };
}
