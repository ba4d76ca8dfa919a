import { type CliContext, CliFault, type Command, type CommandInput, EXIT } from "../../cli/kit/command.ts";
import { readInputFile } from "../../cli/kit/input-file.ts";
import { positional, readId, requiredText, wrongUsage } from "../../cli/kit/option-values.ts";
import { countOf, printJson } from "../../cli/kit/output.ts";
import type { Currency } from "../../core/currency.ts";
import { findMethod, type Method } from "../../core/merchants/methods.ts";
import { addRequisite, type RequisiteFault, setRequisite } from "../app/pool-requisites.ts";
import {
  listMethodsOfRequisite,
  REQUISITE_TYPES,
  type RequisiteType,
  readRequisiteValue,
} from "../core/requisite-value.ts";
import { findReceivingAccount } from "../store/receiving-accounts.ts";
import { listRequisites } from "../store/requisites.ts";
import { accountUnknown, readCode } from "./pool-account-options.ts";
import { renderRequisites, requisiteJson } from "./pool-account-view.ts";

export const poolRequisiteAdd: Command = {
  name: "pool requisite add",
  summary: "Add a card, phone, account number or link that payers of a receiving account are shown.",
  arguments: ["ACCOUNT"],
  options: {
    type: { type: "string", value: "card|phone|account|link", help: "what it is" },
    value: { type: "string", value: "VALUE", help: "the number or address; - reads it from standard input" },
    method: {
      type: "string",
      multiple: true,
      value: "METHOD",
      help: "a method it serves; else all that can pay to it",
    },
    json: { type: "boolean", help: "print it as JSON, by its mask" },
  },
  hidesWords: true,
  notes: [
    "With --value - it does not appear in the shell's history or the process list. It is stored encrypted.",
    "The sandbox's test cards are refused on live accounts.",
    "To restore a requisite that was switched off because it could not be decrypted, add it again.",
    "Example: {program} pool requisite add main --type card --value - < card.txt",
  ],
  run: async (context, input) => {
    const account = readAccount(positional(input, 0));
    const type = readType(requiredText(input, "type"));
    const methods = readMethods(input);
    const value = await readValue(context, type, requiredText(input, "value"));
    return context.withDatabase(async (db) => {
      const stored = await findReceivingAccount(db, account);
      if (stored === undefined) throw new CliFault("There is no such receiving account: see pool account list.");
      const keyring = await context.openKeyring(db);
      const added = await addRequisite({ db, keyring }, { account, type, value, methods });
      if (!added.ok) throw new CliFault(`${refusal(added.error, type, stored.currency)} Nothing was changed.`);
      const { id, mask, methods: served } = added.value;
      if (input.flag("json")) printJson(context, { id, account, type, mask, methods: served });
      else context.print(`Added requisite ${id} (${mask}) to ${account}, for ${served.join(", ")}.`);
      return EXIT.done;
    });
  },
};

function refusal(fault: RequisiteFault, type: RequisiteType, currency: Currency): string {
  switch (fault) {
    case "account_unknown":
      return "There is no such receiving account: see pool account list.";
    case "requisite_unknown":
      return "There is no such requisite: see pool requisite list.";
    case "requisite_taken":
      return "The account has this requisite already: see pool requisite list.";
    case "requisite_elsewhere":
      return ELSEWHERE;
    case "test_card":
      return "It is a test card, and the account is live: no payer could reach it.";
    case "method_unfit": {
      const fitting = listMethodsOfRequisite(type, currency);
      return fitting.length === 0
        ? `No method pays to ${WORDS[type]} in ${currency}.`
        : `Payers in ${currency} pay to ${WORDS[type]} by ${fitting.join(", ")}, and by nothing else.`;
    }
  }
}

const ELSEWHERE = "Another receiving account has this requisite, and lends it: one of the two must be off.";

const WORDS = {
  card: "a card",
  phone: "a phone",
  account: "an account number",
  link: "a link",
} as const satisfies Record<RequisiteType, string>;

/** None of these sentences repeats what was typed: a slip of the hand may have put the number there. */
function readAccount(text: string): string {
  try {
    return readCode(text, "ACCOUNT");
  } catch {
    throw wrongUsage("ACCOUNT must be the code of a receiving account: see pool account list.");
  }
}

function readType(text: string): RequisiteType {
  const type = REQUISITE_TYPES.find((each) => each === text);
  if (type === undefined) throw wrongUsage(`--type must be ${REQUISITE_TYPES.join(" or ")}.`);
  return type;
}

function readMethods(input: CommandInput): readonly Method[] | undefined {
  const codes = input.texts("method");
  return codes === undefined ? undefined : [...new Set(codes)].map(readMethod);
}

function readMethod(code: string): Method {
  const method = findMethod(code);
  if (method === undefined) throw wrongUsage("--method must be a method such as card-p2p.");
  return method;
}

async function readValue(context: CliContext, type: RequisiteType, text: string): Promise<string> {
  const given = text === "-" ? (await readInputFile(context, "-")).trim() : text;
  const read = readRequisiteValue(type, given);
  if (!read.ok) throw wrongUsage(`--value ${read.error}.`);
  return read.value;
}

export const poolRequisiteList: Command = {
  name: "pool requisite list",
  summary: "List the masked requisites of a receiving account.",
  arguments: ["ACCOUNT"],
  options: { json: { type: "boolean", help: "print the list as JSON" } },
  notes: ["Example: {program} pool requisite list main"],
  run: (context, input) => {
    const code = readCode(positional(input, 0), "ACCOUNT");
    return context.withDatabase(async (db) => {
      const account = await findReceivingAccount(db, code);
      if (account === undefined) throw accountUnknown(code);
      const requisites = await listRequisites(db, account.id);
      if (input.flag("json")) printJson(context, requisites.map(requisiteJson));
      else
        context.print(
          requisites.length === 0 ? "There are none: see pool requisite add." : renderRequisites(requisites),
        );
      return EXIT.done;
    });
  },
};

export const poolRequisiteOn: Command = {
  name: "pool requisite on",
  summary: "Show a requisite to payers again.",
  arguments: ["ID"],
  options: { json: { type: "boolean", help: "print what was done as JSON" } },
  notes: ["ID is from pool requisite list.", "Example: {program} pool requisite on ID"],
  run: (context, input) => turn(context, input, "on"),
};

export const poolRequisiteOff: Command = {
  name: "pool requisite off",
  summary: "Stop showing this requisite to new payers.",
  arguments: ["ID"],
  options: {
    withdraw: {
      type: "boolean",
      help: "also decline the open pay-ins that were shown it, for example when the bank has blocked it",
    },
    json: { type: "boolean", help: "print what was done as JSON" },
  },
  notes: [
    "ID is from pool requisite list. Payers who were shown the requisite can still pay, unless you add --withdraw:",
    "then their pay-ins are declined. Money that they send anyway is still matched.",
    "Example: {program} pool requisite off ID --withdraw",
  ],
  run: (context, input) => turn(context, input, input.flag("withdraw") ? "withdrawn" : "off"),
};

const TURNED = {
  on: "is on: payers are shown it again.",
  off: "is off: new payers are not shown it.",
  withdrawn: "is off, and withdrawn from the pay-ins that were shown it:",
} as const;

function turn(context: CliContext, input: CommandInput, to: keyof typeof TURNED) {
  const id = readId(positional(input, 0), "ID");
  return context.withDatabase(async (db) => {
    const turned = await setRequisite(db, id, to);
    if (!turned.ok && turned.error === "requisite_elsewhere") throw new CliFault(ELSEWHERE);
    if (!turned.ok) throw new CliFault(`There is no requisite ${id}: see pool requisite list.`);
    const { withdrawn } = turned.value;
    if (input.flag("json")) printJson(context, { id, enabled: to === "on", withdrawn });
    else {
      const count = withdrawn === 0 ? "no open pay-in has it" : countOf(withdrawn, "pay-in");
      context.print(`Requisite ${id} ${TURNED[to]}${to === "withdrawn" ? ` ${count}.` : ""}`);
    }
    return EXIT.done;
  });
}
