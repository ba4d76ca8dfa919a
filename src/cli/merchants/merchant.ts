import { createMerchant } from "../../app/merchants/merchants.ts";
import type { Id } from "../../core/ids.ts";
import type { Database } from "../../store/db.ts";
import { findMerchant, listMerchants, type Merchant } from "../../store/merchants/merchants.ts";
import { CliFault, type Command, EXIT } from "../kit/command.ts";
import { positional, readPlainText } from "../kit/option-values.ts";
import { printJson, renderTable, showInstant } from "../kit/output.ts";

export const NAME_MAX = 128;

export const merchantCreate: Command = {
  name: "merchant create",
  summary: "Create a merchant: a company whose projects accept payments.",
  arguments: ["NAME"],
  options: { json: { type: "boolean", help: "print the new merchant as JSON" } },
  notes: ['Example: {program} merchant create "Example Shop Ltd"', "Next: project create, then key add."],
  run: (context, input) => {
    const name = readPlainText(positional(input, 0), "NAME", NAME_MAX);
    return context.withDatabase(async (db) => {
      const id = await createMerchant(db, name);
      if (input.flag("json")) printJson(context, { merchant_id: id, name });
      else context.print(`Created merchant ${id} (${name}).`);
      return EXIT.done;
    });
  },
};

export const merchantList: Command = {
  name: "merchant list",
  summary: "List the merchants.",
  arguments: [],
  options: { json: { type: "boolean", help: "print the list as JSON" } },
  notes: ["Example: {program} merchant list --json"],
  run: (context, input) =>
    context.withDatabase(async (db) => {
      const merchants = await listMerchants(db);
      if (input.flag("json")) printJson(context, merchants.map(merchantJson));
      else if (merchants.length === 0) {
        context.print(`There are no merchants yet. Open one with: ${context.programName} merchant create NAME`);
      } else {
        const columns = [{ title: "MERCHANT" }, { title: "CREATED" }, { title: "NAME" }];
        context.print(
          renderTable(
            columns,
            merchants.map(({ id, createdAt, name }) => [id, showInstant(createdAt), name]),
          ),
        );
      }
      return EXIT.done;
    }),
};

/** For a list that is narrowed to a merchant: an unknown one is a mistake, not an empty list. */
export async function requireMerchant(db: Database, id: Id): Promise<void> {
  if ((await findMerchant(db, id)) === undefined) throw merchantUnknown(id);
}

export function merchantUnknown(id: Id): CliFault {
  return new CliFault(`There is no merchant ${id}.`);
}

function merchantJson({ id, name, createdAt }: Merchant) {
  return { merchant_id: id, name, created_at: createdAt.toISOString() };
}
