import { Type } from "typebox";
import type { BatchWish } from "../../../app/payout-batches/check-batch.ts";
import { type BatchChecked, checkBatch } from "../../../app/payout-batches/check-batch.ts";
import { retryBatch } from "../../../app/payout-batches/retry-batch.ts";
import {
  BATCH_COLUMNS,
  BATCH_FILE_BYTES_MAX,
  type BatchRecord,
  cellsOf,
  readBatchFile,
} from "../../../core/payout-batches/batch-file.ts";
import { accountFault } from "../../../core/people/account-fault.ts";
import { fail, ok } from "../../../core/result.ts";
import { CLOSED } from "../../merchant/blocks.ts";
import { plainText } from "../../merchant/text-forms.ts";
import { tokenText } from "../forms.ts";
import { NO_PROJECT } from "../report-query.ts";
import { idOf, post } from "../route.ts";
import { faultsJson } from "./batch-json.ts";
import { openBodyFaults } from "./body-faults.ts";

/** Longer than any cell may be, so that a person hears what is wrong with it. */
const CELL_LENGTH_MAX = 512;
const FILE_NAME_MAX = 255;
/** A file within JSON: quotes and ends of lines take twice their place. */
const BODY_BYTES_MAX = 2 * BATCH_FILE_BYTES_MAX + 64 * 1024;

const cell = Type.Optional(Type.String({ maxLength: CELL_LENGTH_MAX }));
const body = Type.Object(
  {
    project_id: tokenText,
    file: Type.Optional(
      Type.Object(
        { name: plainText(1, FILE_NAME_MAX), text: Type.String({ maxLength: BATCH_FILE_BYTES_MAX }) },
        CLOSED,
      ),
    ),
    payout: Type.Optional(Type.Object(Object.fromEntries(BATCH_COLUMNS.map((column) => [column, cell])), CLOSED)),
  },
  CLOSED,
);

export const CHECK_ROUTES = [
  post({
    path: "payout-batches/check",
    right: "payouts.make",
    stepUp: false,
    body,
    bodyBytesMax: BODY_BYTES_MAX,
    handler: async (deps, { merchantId, actor, body: { project_id, file, payout } }) => {
      if ((file === undefined) === (payout === undefined))
        return fail(accountFault("validation_failed", "give either a file or a payout"));
      const directory = await deps.currentDirectory();
      const project = directory.projects.get(idOf(project_id));
      if (project?.merchantId !== merchantId) return fail(NO_PROJECT);
      const read = file === undefined ? ok(recordsOf(payout ?? {})) : readFile(file.text);
      if (!read.ok) return ok({ json: faultsJson(read.error) });
      const origin: BatchWish["origin"] =
        file === undefined ? { source: "form" } : { source: "file", fileName: file.name };
      const wish = { merchantId, actor, directory, project, origin, findBodyFaults: openBodyFaults(deps) };
      return ok({ json: checkedJson(await checkBatch(deps, wish, read.value)) });
    },
  }),
  post({
    path: "payout-batches/:id/retry",
    right: "payouts.make",
    stepUp: false,
    handler: async (deps, { merchantId, actor, params }) => {
      const directory = await deps.currentDirectory();
      const wish = { merchantId, actor, directory, id: idOf(params.id), findBodyFaults: openBodyFaults(deps) };
      const checked = await retryBatch(deps, wish);
      return checked.ok ? ok({ json: checkedJson(checked.value) }) : checked;
    },
  }),
];

/** A form is a file of one line. */
function recordsOf(payout: Readonly<Record<string, string | undefined>>): readonly BatchRecord[] {
  return [{ line: 1, cells: cellsOf(BATCH_COLUMNS.map((column) => [column, payout[column] ?? ""])) }];
}

function readFile(text: string): ReturnType<typeof readBatchFile> {
  if (Buffer.byteLength(text) <= BATCH_FILE_BYTES_MAX) return readBatchFile(text);
  const message = `the file may have at most ${BATCH_FILE_BYTES_MAX / 1_048_576} MB`;
  return fail([{ line: 1, column: null, code: "too_large", message }]);
}

function checkedJson(checked: BatchChecked): object {
  return checked.kind === "faults" ? faultsJson(checked.faults) : { result: checked.kind, id: checked.id };
}
