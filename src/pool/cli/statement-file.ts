import { type CliContext, CliFault } from "../../cli/kit/command.ts";
import { openPiecewiseFile } from "../../cli/kit/piecewise-file.ts";
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
  const { bytes, share } = openPiecewiseFile(context, path);
  const mapping = mappingOf(account);
  return { portions: readStatement(decodeText(bytes, mapping?.encoding), mapping), share };
}

/** It was checked when it was saved; one that an older version saved may no longer be good. */
function mappingOf(account: NamedAccount | undefined): StatementMapping | undefined {
  if (account === undefined || account.statementMapping === null) return undefined;
  const checked = checkStatementMapping(account.statementMapping);
  if (!checked.ok)
    throw new CliFault(`The column mapping of ${account.code} cannot be used: ${checked.error.join("; ")}.`);
  return checked.value;
}
