import { type RouteQuestion, type RouteTrial, tryRoute } from "../../app/providers/try-route.ts";
import { type Direction, isOffered } from "../../core/merchants/methods.ts";
import { renderRoute } from "../../core/merchants/route-text.ts";
import type { JudgedEntry } from "../../core/merchants/routing.ts";
import { type Command, type CommandInput, EXIT } from "../kit/command.ts";
import {
  optional,
  positional,
  readAmount,
  readChoice,
  readCurrency,
  readId,
  readPaymentId,
  requiredText,
  wrongUsage,
} from "../kit/option-values.ts";
import { printJson, renderTable } from "../kit/output.ts";
import { readBin } from "./bin.ts";
import { projectUnknown } from "./project-view.ts";
import { readPlace } from "./route-changes.ts";

const DIRECTIONS: readonly Direction[] = ["payin", "payout"];

export const routeTry: Command = {
  name: "route try",
  summary: "Say which provider a payment would take and why, without making one.",
  arguments: ["PROJECT"],
  options: {
    direction: { type: "string", value: "payin|payout", help: "which way the money goes" },
    method: { type: "string", value: "METHOD", help: "such as card-ecom" },
    amount: { type: "string", value: "N", help: "in minor units (kopecks, cents)" },
    currency: { type: "string", value: "CODE", help: "such as RUB" },
    bin: { type: "string", value: "DIGITS", help: "the first 6 to 8 digits of the payer's or receiver's card" },
    bank: { type: "string", value: "SYMBOL", help: "the payer's or receiver's bank" },
    "payment-id": { type: "string", value: "TEXT", help: "the payment's id: it decides between providers that share" },
    json: { type: "boolean", help: "print it as JSON" },
  },
  notes: [
    "What connectors refuse by currency, and a provider that the merchant names, are not taken into account.",
    "Example: {program} route try PROJECT --direction payin --method card-ecom --amount 150000 --currency RUB --bin 427901",
  ],
  run: (context, input) => {
    const question = readQuestion(input);
    return context.withDatabase(async (db) => {
      const trial = await tryRoute(db, question);
      if (!trial.ok) throw projectUnknown(question.projectId);
      if (input.flag("json")) printJson(context, trialJson(trial.value));
      else context.print(renderTrial(trial.value));
      return EXIT.done;
    });
  },
};

function readQuestion(input: CommandInput): RouteQuestion {
  const projectId = readId(positional(input, 0), "PROJECT");
  const direction = readChoice(requiredText(input, "direction"), "--direction", DIRECTIONS);
  const { method } = readPlace(direction, requiredText(input, "method"));
  const currency = readCurrency(requiredText(input, "currency"), "--currency");
  if (!isOffered(direction, method, currency))
    throw wrongUsage(`There are no ${direction}s by ${method} in ${currency}.`);
  return {
    ...{ projectId, direction, method, currency },
    amount: readAmount(requiredText(input, "amount"), "--amount"),
    bin: optional(input, "bin", readBin),
    bank: input.text("bank"),
    paymentId: optional(input, "payment-id", readPaymentId),
  };
}

function renderTrial({ entries, choice, notes }: RouteTrial): string {
  const columns = [{ title: "RANK", align: "right" }, { title: "ENTRY" }, { title: "VERDICT" }] as const;
  const table =
    entries.length === 0
      ? "The project has no route for this."
      : renderTable(
          columns,
          entries.map((judged) => [String(judged.entry.rank), renderRoute([judged.entry]), verdictOf(judged, choice)]),
        );
  return [table, "", `Choice: ${sentenceOf(choice)}.`, ...notes].join("\n");
}

function verdictOf({ entry, passed, sharedWeight }: JudgedEntry, choice: RouteTrial["choice"]): string {
  if (passed !== undefined) return `passed over: ${passed}`;
  const share = sharedWeight === undefined ? "" : `, ${percentOf(entry.weight, sharedWeight)} of its rank`;
  return choice.kind === "provider" && choice.provider === entry.provider ? `taken${share}` : `can be asked${share}`;
}

function percentOf(weight: number, sharedWeight: number): string {
  return `${((100 * weight) / sharedWeight).toFixed(1)} %`;
}

function sentenceOf(choice: RouteTrial["choice"]): string {
  switch (choice.kind) {
    case "provider":
      return choice.provider;
    case "shared":
      return `${choice.providers.join(" or ")}, by the payment's id: give --payment-id`;
    case "waits":
      return "none now; the payment would wait for one";
    case "refused":
      return "none; the payment would be refused or declined";
  }
}

function trialJson({ entries, choice, notes }: RouteTrial) {
  return {
    choice: choice.kind === "provider" ? choice.provider : null,
    outcome: choice.kind,
    entries: entries.map(({ entry, passed, sharedWeight }) => ({
      rank: entry.rank,
      entry: renderRoute([entry]),
      provider: entry.provider,
      passed_over: passed ?? null,
      share: sharedWeight === undefined ? null : entry.weight / sharedWeight,
    })),
    notes,
  };
}
