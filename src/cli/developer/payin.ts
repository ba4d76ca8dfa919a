import { findTestCardBehaviour, TEST_CARDS } from "../../core/cards/test-cards.ts";
import { METHODS } from "../../core/merchants/methods.ts";
import { formatMoney } from "../../core/money.ts";
import type { JsonObject } from "../../platform/strict-json.ts";
import { type CliContext, type Command, type CommandInput, EXIT, type ExitCode } from "../kit/command.ts";
import { optional, readChoice, wrongUsage } from "../kit/option-values.ts";
import { printJson } from "../kit/output.ts";
import { GATEWAY_OPTIONS, openGateway } from "./gateway.ts";
import {
  commonBody,
  currenciesFor,
  keepingTheId,
  methodsOf,
  type NewPayment,
  onThePage,
  readNewPayment,
  testCard,
} from "./new-payment.ts";
import { nextSteps } from "./next-steps.ts";
import { isFinalAnswer, type PaymentAnswer, payerUrl, requisitesText, standingText } from "./payment-answer.ts";
import { DOORS, type Door, type WatchedPayment, watchPayment } from "./watch-payment.ts";

/** The test cards by what they do, each behaviour once. */
const TEST_CARD_NAMES = [...new Set(TEST_CARDS.map((pan) => findTestCardBehaviour(pan) ?? pan))];

export const payin: Command = {
  name: "payin",
  audience: "developers",
  summary: "Create a pay-in, and show what the payer needs: requisites, or an address to open.",
  arguments: ["AMOUNT", "CURRENCY"],
  argumentWords: { CURRENCY: currenciesFor("payin") },
  options: {
    method: {
      type: "string",
      value: "NAME",
      words: methodsOf("payin"),
      help: "how the payer pays; by default the first that the currency has: card-p2p in RUB",
    },
    page: { type: "boolean", help: "the payer chooses on the hosted payment page: prints its address" },
    "test-card": {
      type: "string",
      value: "NAME",
      words: TEST_CARD_NAMES,
      help: `for card-ecom, which card of the sandbox: ${TEST_CARD_NAMES.join(", ")}; by default approved`,
    },
    bank: { type: "string", value: "SYMBOL", help: "the payer's bank, as /api/v1/bank/all lists it" },
    "payment-id": { type: "string", value: "ID", help: "your id of the payment; one is made if it is left out" },
    "callback-url": { type: "string", value: "URL", help: "where its callbacks go, instead of the project's URL" },
    confirm: { type: "boolean", help: "tell the service that the payer has sent the money" },
    wait: { type: "boolean", help: "show each state until the payment succeeds, is declined or disputed" },
    json: { type: "boolean", help: "print the payment as JSON, and all else on standard error" },
    ...GATEWAY_OPTIONS,
  },
  notes: [
    "AMOUNT is in major units with all decimals of its currency: 2500.00 RUB, 2500 JPY. An amount such as 2500 RUB is refused,",
    "because the API takes minor units and it could be meant either way.",
    "Exit code 0: created, and with --wait paid; 1: refused, declined or disputed; 3: no answer.",
    "Example: {program} payin 2500.00 RUB",
    "Example: {program} payin 2500.00 RUB --confirm --wait",
    "Example: {program} payin 2500.00 RUB --page",
    "Example: {program} payin 2500.00 RUB --method card-ecom --test-card three_ds_2",
  ],
  run: async (context, input) => {
    const asked = readNewPayment(input, "payin");
    const door = doorOf(asked, input);
    const body = bodyOf(asked, door, input);
    const gateway = openGateway(context, input);
    const say = input.flag("json") ? context.printError : context.print;
    const { paymentId, amount, currency, method } = asked;
    say(
      `Pay-in ${paymentId}: ${formatMoney(amount, currency)} ${door === DOORS.page ? "on the payment page" : `by ${method}`}`,
    );
    const payment = watchPayment(gateway, { door, paymentId, onState: ({ state }) => say(`  ${state}`) });
    const last = await follow(payment, body, input, (found) => showPayer(found, say));
    say(`\n${standingText(last)}`);
    say(nextSteps(context.programName, payment, last, input));
    if (input.flag("json")) printJson(context, last.whole);
    return exitCodeOf(last, input);
  },
};

/** From the create to the state that was asked for. */
async function follow(
  payment: WatchedPayment,
  body: JsonObject,
  input: CommandInput,
  show: (payment: PaymentAnswer) => void,
): Promise<PaymentAnswer> {
  const created = await keepingTheId(payment.paymentId, () => payment.create(body));
  const ready = isReady(created) ? created : await payment.until(isReady, READY_WITHIN_MS);
  show(ready);
  const confirmed = input.flag("confirm") && !isOver(ready) ? await payment.call("confirm") : ready;
  return input.flag("wait") && !isOver(confirmed) ? payment.until(isOver) : confirmed;
}

/** The service asks a provider first; a card's acquirer may take as long as it likes. */
const READY_WITHIN_MS = 10_000;

/** The payer can do something, or there is nothing left to do. */
function isReady(payment: PaymentAnswer): boolean {
  const isUnderWay = payment.subStatus === "new" || payment.subStatus === "requisites";
  return payerUrl(payment) !== undefined || !isUnderWay;
}

/** A dispute can still end; but only an operator, or the payer's bank, can end it. */
function isOver(payment: PaymentAnswer): boolean {
  return isFinalAnswer(payment) || payment.status === "dispute";
}

function exitCodeOf(payment: PaymentAnswer, input: CommandInput): ExitCode {
  const hasFailed = payment.status === "decline" || (input.flag("wait") && payment.status !== "success");
  return hasFailed ? EXIT.refused : EXIT.done;
}

function showPayer(payment: PaymentAnswer, say: CliContext["print"]): void {
  const requisites = requisitesText(payment, new Date());
  if (requisites !== undefined) say(`\nThe payer sends:\n${indent(requisites)}`);
  const url = payerUrl(payment);
  if (url !== undefined) say(`\nThe payer opens:\n  ${url}`);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}

function doorOf({ method }: NewPayment, input: CommandInput): Door {
  const isCard = METHODS[method].product === "ecom";
  if (input.flag("page")) {
    if (input.text("method") !== undefined) throw wrongUsage("--page goes without --method: the payer chooses.");
    if (input.flag("confirm")) throw wrongUsage("--page goes without --confirm: the payer confirms on the page.");
    return DOORS.page;
  }
  if (isCard && input.flag("confirm")) throw wrongUsage("--confirm is for transfers: a card is charged without it.");
  if (!isCard && input.text("test-card") !== undefined) throw wrongUsage("--test-card goes with --method card-ecom.");
  return isCard ? DOORS.cardPayin : DOORS.p2pPayin;
}

function bodyOf(asked: NewPayment, door: Door, input: CommandInput): JsonObject {
  const body = commonBody(asked, input.text("callback-url"));
  const bank = input.text("bank");
  if (bank !== undefined && door !== DOORS.p2pPayin) throw wrongUsage("--bank is for transfers.");
  if (door === DOORS.page) return onThePage(body);
  if (door === DOORS.p2pPayin) return bank === undefined ? body : { ...body, sender: { bank } };
  const name = optional(input, "test-card", (text, option) => readChoice(text, option, TEST_CARD_NAMES)) ?? "approved";
  const pan = TEST_CARDS.find((card) => findTestCardBehaviour(card) === name) ?? "";
  return { ...body, card: testCard(pan) };
}
