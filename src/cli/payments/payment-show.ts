import { type PaymentName, type PaymentTrail, readPaymentTrails } from "../../app/payments/read-payments.ts";
import type { Direction } from "../../core/merchants/methods.ts";
import { CliFault, type Command, type CommandInput, EXIT } from "../kit/command.ts";
import { optional, readChoice, readId, readPaymentId, requiredText, wrongUsage } from "../kit/option-values.ts";
import { printJson } from "../kit/output.ts";
import { renderTrail, trailJson } from "./payment-trail-view.ts";

const DIRECTIONS: readonly Direction[] = ["payin", "payout"];

export const paymentShow: Command = {
  name: "payment show",
  summary: "Show one payment in full: state, amounts, times, attempts, money, callbacks and history.",
  arguments: ["[REQUEST_ID]"],
  options: {
    project: {
      type: "string",
      value: "ID",
      help: "with --payment-id: find the payment by the merchant's id instead of ours",
    },
    "payment-id": { type: "string", value: "TEXT", help: "the merchant's payment_id" },
    direction: {
      type: "string",
      value: "payin|payout",
      help: "needed if a pay-in and a payout have the same payment_id",
    },
    json: { type: "boolean", help: "print it as JSON" },
  },
  notes: [
    "Requisites and receivers are encrypted, and are not shown.",
    "Example: {program} payment show 0192d3c0a1b27c3d8e4f5a6b7c8d9e0f",
    "Example: {program} payment show --project PROJECT --payment-id ord-771",
  ],
  run: (context, input) => {
    const name = readName(input);
    return context.withDatabase(async (db) => {
      const trail = theOnly(await readPaymentTrails(db, name));
      if (input.flag("json")) printJson(context, trailJson(trail));
      else context.print(renderTrail(trail));
      return EXIT.done;
    });
  },
};

function readName(input: CommandInput): PaymentName {
  const [requestId] = input.positionals;
  const direction = optional(input, "direction", (text, name) => readChoice(text, name, DIRECTIONS));
  const named = ["project", "payment-id", "direction"].some((option) => input.text(option) !== undefined);
  if (requestId !== undefined) {
    if (named) throw wrongUsage("Give either REQUEST_ID, or --project and --payment-id.");
    return { requestId: readId(requestId, "REQUEST_ID") };
  }
  if (!named) throw wrongUsage("REQUEST_ID is missing; or give --project and --payment-id.");
  const projectId = readId(requiredText(input, "project"), "--project");
  return { projectId, paymentId: readPaymentId(requiredText(input, "payment-id"), "--payment-id"), direction };
}

function theOnly(trails: readonly PaymentTrail[]): PaymentTrail {
  const [trail, another] = trails;
  if (trail === undefined) throw new CliFault("There is no such payment.");
  if (another !== undefined) {
    const named = trails.map(({ payment }) => `${payment.direction} ${payment.requestId}`).join(", ");
    throw new CliFault(`A pay-in and a payout have this name: ${named}. Choose one with --direction.`);
  }
  return trail;
}
