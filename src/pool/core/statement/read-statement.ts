import { ok, type Result } from "../../../core/result.ts";
import { openCamtStatement } from "./camt-statement.ts";
import { openCsvStatement } from "./csv-statement.ts";
import { DETECT_CHARS, detectStatement } from "./detect-statement.ts";
import type { StatementItem, StatementReader } from "./statement-item.ts";
import type { StatementMapping } from "./statement-mapping.ts";

type Portion = Result<readonly StatementItem[], string>;

/**
 * Reads a statement of either kind, portion by portion, from pieces of text such as decodeText makes. An error is the
 * last thing that comes, and what came before it stands. The mapping is for CSV only.
 */
export async function* readStatement(
  chunks: AsyncIterable<Result<string, string>> | Iterable<Result<string, string>>,
  mapping?: StatementMapping,
): AsyncGenerator<Portion, void, undefined> {
  const reader = openStatement(mapping);
  for await (const chunk of chunks) {
    const portion = chunk.ok ? reader.push(chunk.value) : chunk;
    if (!portion.ok || portion.value.length > 0) yield portion;
    if (!portion.ok) return;
  }
  yield reader.end();
}

/** A reader that finds out by itself, from the beginning of the file, which kind of statement it is. */
function openStatement(mapping?: StatementMapping): StatementReader {
  let beginning = "";
  let reader: StatementReader | undefined;
  function open(): Result<StatementReader, string> {
    const format = detectStatement(beginning.slice(0, DETECT_CHARS));
    if (!format.ok) return format;
    reader = format.value === "csv" ? openCsvStatement(mapping) : openCamtStatement();
    return ok(reader);
  }
  return {
    push: (chunk) => {
      if (reader !== undefined) return reader.push(chunk);
      beginning += chunk;
      if (beginning.length < DETECT_CHARS) return ok([]);
      const opened = open();
      return opened.ok ? opened.value.push(beginning) : opened;
    },
    end: () => {
      if (reader !== undefined) return reader.end();
      const opened = open();
      if (!opened.ok) return opened;
      const only = opened.value.push(beginning);
      if (!only.ok) return only;
      const last = opened.value.end();
      return last.ok ? ok([...only.value, ...last.value]) : last;
    },
  };
}
