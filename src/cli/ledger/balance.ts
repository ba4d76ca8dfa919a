import { type AdjustBalance, adjustBalance } from "../../app/ledger/adjust-balance.ts";
import { openBalanceReader, type ShownBalance } from "../../app/ledger/read-balances.ts";
import { directoryProject } from "../../app/merchants/directory.ts";
import { AMOUNT_MAX, formatMoney, minorToJson } from "../../core/money.ts";
import type { Database } from "../../store/db.ts";
import { type AdjustmentDirection, findAdjustment } from "../../store/ledger/adjustments.ts";
import { listProjectMethods } from "../../store/merchants/project-methods.ts";
import { findProject } from "../../store/merchants/projects.ts";
import { type CliContext, CliFault, type Command, type CommandInput, EXIT } from "../kit/command.ts";
import { positional, readAmount, readCurrency, readId, readPlainText, requiredText } from "../kit/option-values.ts";
import { printJson, renderTable } from "../kit/output.ts";
import { projectUnknown } from "../merchants/project-view.ts";

const REFERENCE_MAX = 255;
const REASON_MAX = 1000;

export const balanceCredit = adjustCommand("credit", "Credit a project's balance manually.");
export const balanceDebit = adjustCommand("debit", "Debit a project's balance manually.");

function adjustCommand(direction: AdjustmentDirection, summary: string): Command {
  return {
    name: `balance ${direction}`,
    summary,
    arguments: ["PROJECT", "AMOUNT", "CURRENCY"],
    options: {
      reference: { type: "string", value: "TEXT", help: "names this movement, such as a bank's reference" },
      reason: { type: "string", value: "TEXT", help: "the reason, kept in the records" },
      json: { type: "boolean", help: "print the movement as JSON" },
    },
    notes: [
      "AMOUNT is in minor units: 150000 RUB are 1500 roubles.",
      "You can repeat the command safely: the same reference again changes nothing and says so.",
      `Example: {program} balance ${direction} PROJECT 150000 RUB --reference wire-2026-014 --reason "wire of 31 January"`,
    ],
    run: (context, input) => {
      const command = readWish(context, input, direction);
      return context.withDatabase((db) => adjust(context, db, command, input.flag("json")));
    },
  };
}

function readWish(context: CliContext, input: CommandInput, direction: AdjustmentDirection): AdjustBalance {
  return {
    direction,
    projectId: readId(positional(input, 0), "PROJECT"),
    amount: readAmount(positional(input, 1), "AMOUNT"),
    currency: readCurrency(positional(input, 2), "CURRENCY"),
    reference: readPlainText(requiredText(input, "reference"), "--reference", REFERENCE_MAX),
    reason: readPlainText(requiredText(input, "reason"), "--reason", REASON_MAX),
    actor: context.actor,
  };
}

async function adjust(context: CliContext, db: Database, command: AdjustBalance, asJson: boolean) {
  const adjusted = await adjustBalance(db, command);
  if (!adjusted.ok) throw await refusal(db, command, adjusted.error);
  const { adjustment, repeated } = adjusted.value;
  const { id, projectId, direction, amount, currency, reference } = adjustment;
  if (asJson) {
    const movement = { project_id: projectId, direction, amount: minorToJson(amount), currency, reference };
    printJson(context, { adjustment_id: id, ...movement, repeated });
  } else {
    const done = direction === "credit" ? "credited to" : "debited from";
    const sentence = `${formatMoney(amount, currency)} ${done} project ${projectId}, reference ${reference}.`;
    context.print(repeated ? `This was already done, and nothing was changed: ${sentence}` : sentence);
  }
  return EXIT.done;
}

type Refusal = Extract<Awaited<ReturnType<typeof adjustBalance>>, { ok: false }>["error"];

async function refusal(db: Database, command: AdjustBalance, reason: Refusal): Promise<CliFault> {
  const { projectId, currency, reference } = command;
  switch (reason) {
    case "project_unknown":
      return projectUnknown(projectId);
    case "insufficient_balance":
      return new CliFault(
        `The project has less than ${formatMoney(command.amount, currency)} available. Nothing was changed.`,
      );
    case "balance_limit":
      return new CliFault(
        `The project would hold more than ${formatMoney(AMOUNT_MAX, currency)}. Nothing was changed.`,
      );
    case "reference_taken": {
      const earlier = await findAdjustment(db, projectId, currency, reference);
      const was = earlier === undefined ? "" : `, a ${earlier.direction} of ${formatMoney(earlier.amount, currency)}`;
      return new CliFault(`Reference ${reference} names another movement already${was}. Nothing was changed.`);
    }
  }
}

export const balanceShow: Command = {
  name: "balance show",
  summary: "Show a project's balances, as the merchant sees them.",
  arguments: ["PROJECT"],
  options: { json: { type: "boolean", help: "print it as JSON" } },
  notes: ["Amounts are in minor units.", "Example: {program} balance show 0192d3c0a1b27c3d8e4f5a6b7c8d9e0f"],
  run: (context, input) => {
    const id = readId(positional(input, 0), "PROJECT");
    return context.withDatabase(async (db) => {
      const project = await findProject(db, id);
      if (project === undefined) throw projectUnknown(id);
      const methods = (await listProjectMethods(db)).filter((method) => method.projectId === id);
      const balances = await openBalanceReader(db)(directoryProject(project, { methods }));
      if (input.flag("json")) printJson(context, { project_id: id, balance: balances.map(balanceJson) });
      else if (balances.length === 0) context.print("The project holds nothing, and no method is enabled.");
      else context.print(renderBalances(balances));
      return EXIT.done;
    });
  },
};

function renderBalances(balances: readonly ShownBalance[]): string {
  const columns = [
    { title: "CURRENCY" },
    { title: "AVAILABLE", align: "right" },
    { title: "LOCKED", align: "right" },
  ] as const;
  const rows = balances.map(({ currency, available, locked }) => [currency, String(available), String(locked)]);
  return renderTable(columns, rows);
}

function balanceJson({ currency, available, locked }: ShownBalance) {
  return { currency, amount: minorToJson(available), locked_amount: minorToJson(locked) };
}
