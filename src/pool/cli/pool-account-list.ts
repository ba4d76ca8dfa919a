import { type Command, EXIT } from "../../cli/kit/command.ts";
import { positional } from "../../cli/kit/option-values.ts";
import { printJson } from "../../cli/kit/output.ts";
import { LENT_SHOWN_MAX, readPoolAccount } from "../app/read-pool-account.ts";
import { listReceivingAccounts } from "../store/receiving-accounts.ts";
import { accountUnknown, readCode } from "./pool-account-options.ts";
import { renderAccounts, renderShown, shownJson, storedAccountJson } from "./pool-account-view.ts";

export const poolAccountList: Command = {
  name: "pool account list",
  summary: "List your receiving accounts.",
  arguments: [],
  options: { json: { type: "boolean", help: "print the list as JSON" } },
  notes: ["Example: {program} pool account list"],
  run: (context, input) =>
    context.withDatabase(async (db) => {
      const accounts = await listReceivingAccounts(db);
      if (input.flag("json"))
        printJson(
          context,
          accounts.map((account) => storedAccountJson(account)),
        );
      else context.print(accounts.length === 0 ? "There are none: see pool account add." : renderAccounts(accounts));
      return EXIT.done;
    }),
};

export const poolAccountShow: Command = {
  name: "pool account show",
  summary: "Show a receiving account: its settings, its masked requisites, and the pay-ins that have them now.",
  arguments: ["CODE"],
  options: { json: { type: "boolean", help: "print it as JSON" } },
  notes: [
    `Encrypted values are shown masked. Of the open lendings, the last ${LENT_SHOWN_MAX} are listed.`,
    "Example: {program} pool account show main",
  ],
  run: (context, input) => {
    const code = readCode(positional(input, 0), "CODE");
    return context.withDatabase(async (db) => {
      const shown = await readPoolAccount({ db, keyring: await context.openKeyring(db) }, code);
      if (shown === undefined) throw accountUnknown(code);
      if (input.flag("json")) printJson(context, shownJson(shown));
      else context.print(renderShown(shown));
      return EXIT.done;
    });
  },
};
