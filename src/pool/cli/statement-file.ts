import { createReadStream, statSync } from "node:fs";
import { type CliContext, CliFault } from "../../cli/kit/command.ts";
import { reasonOf } from "../../cli/kit/input-file.ts";
import type { Result } from "../../core/result.ts";
import { decodeText } from "../../platform/decode-text.ts";
import { readStatement } from "../core/statement/read-statement.ts";
import type { StatementItem } from "../core/statement/statement-item.ts";
import { checkStatementMapping, type StatementMapping } from "../core/statement/statement-mapping.ts";
import type { NamedAccount } from "../store/account-names.ts";

/** A statement that is read piece by piece, however long it is. */
export type StatementFile = {
  readonly portions: AsyncIterable<Result<readonly StatementItem[], string>>;
  /** How much of the file was read: from 0 to 1. */
  readonly share: () => number;
};

export function openStatementFile(context: CliContext, path: string, account: NamedAccount | undefined): StatementFile {
  const sizeBytes = path === "-" ? 0 : sizeOf(path);
  let readBytes = 0;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    if (path === "-") {
      yield Buffer.from(await context.readInput());
      return;
    }
    try {
      for await (const piece of createReadStream(path)) {
        readBytes += (piece as Buffer).length;
        yield piece as Buffer;
      }
    } catch (error) {
      throw new CliFault(`${path} cannot be read: ${reasonOf(error)}.`);
    }
  }
  const mapping = mappingOf(account);
  return {
    portions: readStatement(decodeText(bytes(), mapping?.encoding), mapping),
    share: () => (sizeBytes === 0 ? 0 : readBytes / sizeBytes),
  };
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    throw new CliFault(`${path} cannot be read: ${reasonOf(error)}.`);
  }
}

/** It was checked when it was saved; one that an older version saved may no longer be good. */
function mappingOf(account: NamedAccount | undefined): StatementMapping | undefined {
  if (account === undefined || account.statementMapping === null) return undefined;
  const checked = checkStatementMapping(account.statementMapping);
  if (!checked.ok)
    throw new CliFault(`The column mapping of ${account.code} cannot be used: ${checked.error.join("; ")}.`);
  return checked.value;
}
