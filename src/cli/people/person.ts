import { createPerson } from "../../app/people/create-person.ts";
import { openPasswords } from "../../app/people/passwords.ts";
import { findPasswordFault } from "../../core/people/password-rules.ts";
import { ROLES } from "../../core/people/rights.ts";
import { listPeople, type PersonRow } from "../../store/people/list-people.ts";
import { CliFault, type Command, EXIT } from "../kit/command.ts";
import { optional, positional, readId, readPlainText, requiredText } from "../kit/option-values.ts";
import { printJson, renderTable } from "../kit/output.ts";
import { merchantUnknown, requireMerchant } from "../merchants/merchant.ts";
import { readEmail, readRole } from "./person-values.ts";

const PERSON_NAME_MAX = 128;

export const personAdd: Command = {
  name: "person add",
  summary: "Add a person to a merchant's team, with a password from standard input.",
  arguments: ["EMAIL"],
  options: {
    merchant: { type: "string", value: "ID", help: "the merchant whose account the person opens" },
    name: { type: "string", value: "TEXT", help: "what the person is called" },
    role: { type: "string", value: "ROLE", words: ROLES, help: "owner, developer, accountant or viewer" },
    json: { type: "boolean", help: "print the new person as JSON" },
  },
  notes: [
    "The password has at least 12 characters. A final line break is not part of it.",
    "Example: {program} person add anna@shop.example --merchant ID --name Anna --role owner < password.txt",
  ],
  run: async (context, input) => {
    const email = readEmail(positional(input, 0), "EMAIL");
    const merchantId = readId(requiredText(input, "merchant"), "--merchant");
    const name = readPlainText(requiredText(input, "name"), "--name", PERSON_NAME_MAX);
    const role = readRole(requiredText(input, "role"), "--role");
    const password = (await context.readInput()).replace(/\r?\n$/, "");
    const fault = findPasswordFault(password, email);
    if (fault !== undefined) throw new CliFault(`The password on standard input is refused: ${fault.message}.`);
    const passwordHash = (await openPasswords().hash(password)) ?? "";
    return context.withDatabase(async (db) => {
      const actor = { kind: "operator", name: context.actor } as const;
      const created = await createPerson(db, { merchantId, email, name, role, passwordHash }, actor);
      if (!created.ok)
        throw created.error === "merchant_unknown"
          ? merchantUnknown(merchantId)
          : new CliFault(`There is a person with the address ${email} already.`);
      if (input.flag("json")) printJson(context, { person_id: created.value, email, name, role });
      else context.print(`Added ${email} as ${role}.`);
      return EXIT.done;
    });
  },
};

export const personList: Command = {
  name: "person list",
  summary: "List the people who can open merchants' accounts.",
  arguments: [],
  options: {
    merchant: { type: "string", value: "ID", help: "only those of this merchant" },
    json: { type: "boolean", help: "print the list as JSON" },
  },
  notes: ["Example: {program} person list"],
  run: (context, input) => {
    const merchantId = optional(input, "merchant", readId);
    return context.withDatabase(async (db) => {
      if (merchantId !== undefined) await requireMerchant(db, merchantId);
      const people = await listPeople(db, merchantId);
      if (input.flag("json")) printJson(context, people.map(personJson));
      else if (people.length === 0) {
        const how = `${context.programName} person add EMAIL --merchant ID --name TEXT --role owner`;
        context.print(`There are no people yet. Add the first with: ${how}`);
      } else context.print(renderTable(COLUMNS, people.map(personCells)));
      return EXIT.done;
    });
  },
};

const COLUMNS = ["PERSON", "MERCHANT", "ROLE", "SECOND FACTOR", "EMAIL", "NAME"].map((title) => ({ title }));

function personCells({ id, merchantId, role, email, name, secondFactor }: PersonRow): readonly string[] {
  return [id, merchantId, role, secondFactor ? "yes" : "no", email, name];
}

function personJson({ id, merchantId, role, email, name, secondFactor }: PersonRow) {
  return { person_id: id, merchant_id: merchantId, role, email, name, second_factor: secondFactor };
}
