import { type PaymentName, type PaymentTrail, readPaymentTrails } from "../../app/payments/read-payments.ts";
import type { Direction } from "../../core/merchants/methods.ts";
import { CliFault, type Command, type CommandInput, EXIT } from "../kit/command.ts";
import { optional, readChoice, readId, readPaymentId, requiredText, wrongUsage } from "../kit/option-values.ts";
import { printJson } from "../kit/output.ts";
import { type ByHandPart, renderTrail, trailJson } from "./payment-trail-view.ts";

const DIRECTIONS: readonly Direction[] = ["payin", "payout"];

export function paymentShow<ByHand>(byHand: ByHandPart<ByHand>): Command {
  return {
    name: "payment show",
    summary: "Show one payment in full: state, amounts, times, attempts, money, callbacks and history.",
    arguments: ["[REQUEST_ID]"],
    options: {
      project: { type: "string", value: "ID", help: "with --payment-id: the merchant's name in place of ours" },
      "payment-id": { type: "string", value: "TEXT", help: "the merchant's name for it" },
      direction: { type: "string", value: "payin|payout", help: "where a pay-in and a payout share that name" },
      json: { type: "boolean", help: "print it as JSON" },
    },
    notes: [
      "Requisites and receivers are sealed, and stay so.",
      "Example: {program} payment show 0192d3c0a1b27c3d8e4f5a6b7c8d9e0f",
      "Example: {program} payment show --project PROJECT --payment-id ord-771",
    ],
    run: (context, input) => {
      const name = readName(input);
      return context.withDatabase(async (db) => {
        const trail = theOnly(await readPaymentTrails({ db, findByHand: byHand.find }, name));
        if (input.flag("json")) printJson(context, trailJson(trail, byHand));
        else context.print(renderTrail(trail, byHand));
        return EXIT.done;
      });
    },
  };
}

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

function theOnly<ByHand>(trails: readonly PaymentTrail<ByHand>[]): PaymentTrail<ByHand> {
  const [trail, another] = trails;
  if (trail === undefined) throw new CliFault("There is no such payment.");
  if (another !== undefined) {
    const named = trails.map(({ payment }) => `${payment.direction} ${payment.requestId}`).join(", ");
    throw new CliFault(`A pay-in and a payout have this name: ${named}. Choose one with --direction.`);
  }
  return trail;
}
