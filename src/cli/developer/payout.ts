import { METHODS, type RequisiteKind } from "../../core/merchants/methods.ts";
import { formatMoney } from "../../core/money.ts";
import type { JsonObject } from "../../platform/strict-json.ts";
import { type CliContext, type Command, type CommandInput, EXIT } from "../kit/command.ts";
import { readInputFile } from "../kit/input-file.ts";
import { wrongUsage } from "../kit/option-values.ts";
import { printJson } from "../kit/output.ts";
import { GATEWAY_OPTIONS, openGateway } from "./gateway.ts";
import { commonBody, currenciesFor, keepingTheId, methodsOf, type NewPayment, readNewPayment } from "./new-payment.ts";
import { nextSteps } from "./next-steps.ts";
import { isFinalAnswer, type PaymentAnswer, standingText } from "./payment-answer.ts";
import { DOORS, watchPayment } from "./watch-payment.ts";

/** A live project takes no card of the sandbox, so that this default moves no money there. */
const DEFAULT_RECEIVER = "4242424242424242";

export const payout: Command = {
  name: "payout",
  audience: "developers",
  summary: "Create a payout from the project's balance; without --to, to a card of the sandbox.",
  arguments: ["AMOUNT", "CURRENCY"],
  argumentWords: { CURRENCY: currenciesFor("payout") },
  options: {
    method: {
      type: "string",
      value: "NAME",
      words: methodsOf("payout"),
      help: "how the receiver is paid; by default the first that the currency has: card-p2p in RUB",
    },
    to: { type: "string", value: "NUMBER", help: "the card, phone or account number; - reads it from standard input" },
    bank: { type: "string", value: "SYMBOL", help: "the receiver's bank, as /api/v1/bank/all lists it" },
    name: { type: "string", value: "TEXT", help: "the receiver's name, for account-number" },
    "payment-id": { type: "string", value: "ID", help: "your id of the payment; one is made if it is left out" },
    "callback-url": { type: "string", value: "URL", help: "where its callbacks go, instead of the project's URL" },
    wait: { type: "boolean", help: "show each state until the payout succeeds, is declined or disputed" },
    json: { type: "boolean", help: "print the payment as JSON, and all else on standard error" },
    ...GATEWAY_OPTIONS,
  },
  notes: [
    "AMOUNT is in major units with all decimals of its currency: 1000.00 RUB. 1000 RUB is refused: it could mean 10.00.",
    "With a live project's credentials this sends real money. Read a real card number from standard input, with --to -,",
    "so that it is not in the history of your shell.",
    "Exit code 0: created, and with --wait paid; 1: refused, declined or disputed; 3: no answer.",
    "Example: {program} payout 1000.00 RUB --wait",
    "Example: {program} payout 1000.00 RUB --method sbp-p2p --to +79001234567 --bank t-bank",
  ],
  hidesWords: true,
  run: async (context, input) => {
    const asked = readNewPayment(input, "payout");
    const body = {
      ...commonBody(asked, input.text("callback-url")),
      receiver: await readReceiver(context, asked, input),
    };
    const gateway = openGateway(context, input);
    const say = input.flag("json") ? context.printError : context.print;
    const { paymentId, amount, currency, method } = asked;
    const door = METHODS[method].product === "ecom" ? DOORS.cardPayout : DOORS.p2pPayout;
    say(`Payout ${paymentId}: ${formatMoney(amount, currency)} by ${method}`);
    const payment = watchPayment(gateway, { door, paymentId, onState: ({ state }) => say(`  ${state}`) });
    const created = await keepingTheId(paymentId, () => payment.create(body));
    const last = input.flag("wait") && !isOver(created) ? await payment.until(isOver) : created;
    say(`\n${standingText(last)}`);
    say(nextSteps(context.programName, payment, last, input));
    if (input.flag("json")) printJson(context, last.whole);
    const hasFailed = last.status === "decline" || (input.flag("wait") && last.status !== "success");
    return hasFailed ? EXIT.refused : EXIT.done;
  },
};

function isOver(payment: PaymentAnswer): boolean {
  return isFinalAnswer(payment) || payment.status === "dispute";
}

/** Which member of the receiver --to is. */
const MEMBER_OF = {
  card: "pan",
  phone: "phone",
  phone_and_bank: "phone",
  account: "account_number",
  link: "account_number",
} as const satisfies Record<RequisiteKind, string>;

/** Only the card has a default: any phone or account number may belong to a person. */
async function readReceiver(context: CliContext, { method }: NewPayment, input: CommandInput): Promise<JsonObject> {
  const kind = METHODS[method].requisite;
  const given = input.text("to") ?? (kind === "card" ? DEFAULT_RECEIVER : undefined);
  if (given === undefined) throw wrongUsage(`--to is missing: the ${MEMBER_OF[kind]} of the receiver, for ${method}.`);
  const [bank, name] = [input.text("bank"), input.text("name")];
  const needsBank = kind === "phone_and_bank" || kind === "account";
  if (needsBank && bank === undefined) throw wrongUsage(`--bank is missing: ${method} needs the receiver's bank.`);
  if (!needsBank && bank !== undefined) throw wrongUsage(`--bank does not go with ${method}.`);
  if (kind === "account" && name === undefined)
    throw wrongUsage(`--name is missing: ${method} needs the receiver's name.`);
  if (kind !== "account" && name !== undefined) throw wrongUsage(`--name does not go with ${method}.`);
  const value = given === "-" ? (await readInputFile(context, "-")).trim() : given;
  return {
    [MEMBER_OF[kind]]: value,
    ...(bank === undefined ? {} : { bank }),
    ...(name === undefined ? {} : { name }),
  };
}
