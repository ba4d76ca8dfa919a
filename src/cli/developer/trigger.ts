import { setTimeout as sleep } from "node:timers/promises";
import { findCurrency } from "../../core/currency.ts";
import { isOffered, type Method } from "../../core/merchants/methods.ts";
import { formatMoney, type Minor } from "../../core/money.ts";
import type { JsonObject } from "../../platform/strict-json.ts";
import { type CliContext, CliFault, type Command, type CommandInput, EXIT } from "../kit/command.ts";
import { showForeignText } from "../kit/foreign-text.ts";
import { suggestion } from "../kit/nearest.ts";
import { optional, quote, readCurrency, readPaymentId, wrongUsage } from "../kit/option-values.ts";
import { printJson, renderTable } from "../kit/output.ts";
import { startCommand } from "./credentials.ts";
import { GATEWAY_OPTIONS, openGateway } from "./gateway.ts";
import { commonBody, keepingTheId, methodsOf, newPaymentId, onThePage, testCard } from "./new-payment.ts";
import { actAsPayer } from "./payer-page.ts";
import { type PaymentAnswer, payerUrl, standingText } from "./payment-answer.ts";
import { type EchoedCallback, openSandboxApi, type SandboxApi } from "./sandbox-api.ts";
import { findScenario, SCENARIO_WORDS, SCENARIOS, type Scenario, type Step } from "./trigger-table.ts";
import { DOORS, type WatchedPayment, watchPayment } from "./watch-payment.ts";

/** As a value of --callback-url: where the project's callbacks go anyway. */
const PROJECT_URL = "project";

export const trigger: Command = {
  name: "trigger",
  audience: "developers",
  summary: "Drive a payment of a test project to an end, such as payin.dispute, and show its states and callbacks.",
  arguments: ["[EVENT]"],
  argumentWords: { EVENT: SCENARIO_WORDS },
  options: {
    list: { type: "boolean", help: "list every EVENT, with how it ends" },
    currency: { type: "string", value: "CODE", words: ["RUB", "KZT", "UZS"], help: "RUB if left out" },
    method: {
      type: "string",
      value: "NAME",
      words: methodsOf("payin").filter((method) => method !== "card-ecom"),
      help: "for payin.…, how the payer pays; the first that the currency has if left out",
    },
    "payment-id": { type: "string", value: "ID", help: "your id of the payment; one is made if it is left out" },
    "callback-url": {
      type: "string",
      value: "URL",
      words: [PROJECT_URL],
      help: `where its callbacks go; ${PROJECT_URL} for the project's URL. If left out, the sandbox receives and shows them`,
    },
    json: { type: "boolean", help: "print the result as JSON, and all else on standard error" },
    ...GATEWAY_OPTIONS,
  },
  notes: [
    "A shorter EVENT means the first of the list that begins with it: payin.dispute is payin.dispute.different_amount.",
    "An EVENT that moves the clock moves it for all payments of the test project, and for no other project.",
    "Exit code 0: the payment reached that end; 1: it did not, or a call was refused; 3: no answer.",
    "Example: {program} trigger payin.success",
    "Example: {program} trigger payout.dispute --callback-url http://127.0.0.1:8090/",
    "Example: {program} trigger --list",
  ],
  run: async (context, input) => {
    if (input.flag("list")) return listScenarios(context, input);
    const scenario = readScenario(input);
    const terms = readTerms(scenario, input);
    const gateway = openGateway(context, input);
    const sandbox = openSandboxApi(gateway, scenario.door);
    const say = input.flag("json") ? context.printError : context.print;
    const { paymentId } = terms;
    say(`${scenario.name}: ${scenario.says}`);
    const how = scenario.door === DOORS.page ? "on the payment page" : `by ${terms.method}`;
    say(`${paymentId}: ${formatMoney(terms.amount, terms.currency)} ${how}`);
    const states: string[] = [];
    const payment = watchPayment(gateway, {
      door: scenario.door,
      paymentId,
      onState: ({ state }) => {
        states.push(state);
        say(`  ${state}`);
      },
    });
    const url = input.text("callback-url") ?? (await sandbox.echoUrl());
    const body = bodyOf(scenario, commonBody(terms, url === PROJECT_URL ? undefined : url));
    const last = await drive(scenario, { payment, sandbox, body, say, start: startCommand(context.programName) });
    const reached = last.state === scenario.end;
    say(`\n${reached ? standingText(last) : notReached(scenario, last)}`);
    const shown = input.text("callback-url") === undefined && url !== undefined;
    const callbacks = shown ? await awaitCallbacks(sandbox, paymentId, last) : undefined;
    showCallbacks(callbacks, url, say);
    if (input.flag("json"))
      printJson(context, {
        event: scenario.name,
        reached,
        payment_id: paymentId,
        states,
        callbacks,
        payment: last.whole,
      });
    return reached ? EXIT.done : EXIT.refused;
  },
};

function readScenario(input: CommandInput): Scenario {
  const [name] = input.positionals;
  if (name === undefined) throw wrongUsage("EVENT is missing. --list shows them all; one is payin.success.");
  const scenario = findScenario(name);
  if (scenario !== undefined) return scenario;
  throw wrongUsage(`There is no event ${quote(name)}.${suggestion(name, SCENARIO_WORDS)} --list shows them all.`);
}

function readTerms(scenario: Scenario, input: CommandInput) {
  const currency = optional(input, "currency", readCurrency) ?? findCurrency("RUB");
  if (currency === undefined) throw new Error("RUB is a currency");
  const paymentId = optional(input, "payment-id", readPaymentId) ?? newPaymentId("trigger");
  return { paymentId, amount: scenario.amountMinor as Minor, currency, method: readMethod(scenario, input, currency) };
}

function readMethod({ door, name }: Scenario, input: CommandInput, currency: string): Method {
  const given = input.text("method");
  const direction = door === DOORS.p2pPayout ? "payout" : "payin";
  const isTransfer = door === DOORS.p2pPayin;
  if (given !== undefined && !isTransfer) throw wrongUsage(`--method goes with payin.… only, not with ${name}.`);
  const choices: readonly Method[] = isTransfer
    ? methodsOf(direction).filter((method) => method !== "card-ecom")
    : [door === DOORS.cardPayin ? "card-ecom" : "card-p2p"];
  const offered = choices.filter((method) => isOffered(direction, method, currency));
  const [first] = offered;
  if (first === undefined) throw wrongUsage(`${name} is not possible in ${currency}.`);
  if (given === undefined) return first;
  const method = offered.find((each) => each === given);
  if (method === undefined)
    throw wrongUsage(`--method must be one of ${offered.join(", ")} in ${currency}. It is ${quote(given)}.`);
  return method;
}

function bodyOf({ door, pan }: Scenario, body: JsonObject): JsonObject {
  if (pan !== undefined) return { ...body, card: testCard(pan) };
  if (door === DOORS.page) return onThePage(body);
  return door === DOORS.p2pPayout ? { ...body, receiver: { pan: RECEIVER_PAN } } : body;
}

const RECEIVER_PAN = "4242424242424242";

type Drive = {
  readonly payment: WatchedPayment;
  readonly sandbox: SandboxApi;
  readonly body: JsonObject;
  readonly say: CliContext["print"];
  /** How a person starts the service. */
  readonly start: string;
};

const STEP_WITHIN_MS = 20_000;

async function drive(scenario: Scenario, scene: Drive): Promise<PaymentAnswer> {
  const { payment, body } = scene;
  await keepingTheId(payment.paymentId, () => payment.create(body));
  for (const step of scenario.steps) {
    const done = await take(step, scene);
    if (step.reaches !== undefined && done?.state !== step.reaches) {
      const found = await payment.until(({ state }) => state === step.reaches || isEnd(state), STEP_WITHIN_MS);
      if (found.state !== step.reaches) return found;
    }
  }
  return payment.until(({ state }) => state === scenario.end || isEnd(state), STEP_WITHIN_MS);
}

async function take(step: Step, { payment, sandbox, say, start }: Drive): Promise<PaymentAnswer | undefined> {
  switch (step.do) {
    case "wait":
      return undefined;
    case "page": {
      say(`  (the payer on the payment page: ${step.deed})`);
      const url = payerUrl(await payment.info());
      if (url === undefined) throw new CliFault("The payment has no payment page any more.");
      await actAsPayer(url, step, start);
      return undefined;
    }
    case "act":
      say(`  (the sandbox is told: ${step.action})`);
      await sandbox.act(payment.paymentId, step.action, step.details ?? {});
      return undefined;
    default:
      say(`  (your server calls: ${step.do})`);
      return payment.call(step.do);
  }
}

/** No further state follows it. */
function isEnd(state: string): boolean {
  return state === "success" || state.startsWith("decline");
}

function notReached({ end }: Scenario, last: PaymentAnswer): string {
  return `The payment is ${last.state}. ${end} was not reached within ${STEP_WITHIN_MS / 1000} s.`;
}

const CALLBACKS_WITHIN_MS = 10_000;
const ASK_EVERY_MS = 250;

/** A callback follows each change: the last one carries the last state. */
async function awaitCallbacks(
  sandbox: SandboxApi,
  paymentId: string,
  { status, subStatus }: PaymentAnswer,
): Promise<readonly EchoedCallback[]> {
  const lastState = [status, subStatus].filter((word) => word !== undefined).join(" / ");
  const untilMs = performance.now() + CALLBACKS_WITHIN_MS;
  let callbacks = await sandbox.callbacksOf(paymentId);
  while (callbacks.at(-1)?.state !== lastState && performance.now() < untilMs) {
    await sleep(ASK_EVERY_MS);
    callbacks = await sandbox.callbacksOf(paymentId);
  }
  return callbacks;
}

const FAULT_MAX = 200;

function showCallbacks(
  callbacks: readonly EchoedCallback[] | undefined,
  url: string | undefined,
  say: CliContext["print"],
): void {
  if (callbacks === undefined) {
    const where = url === undefined || url === PROJECT_URL ? "the project's callback URL, if it has one" : url;
    say(`A callback for each change goes to ${where}.`);
    return;
  }
  say(callbacks.length === 0 ? "No callback has arrived yet." : "Callbacks that arrived at the sandbox:");
  for (const { sequence, state, fault, answered } of callbacks) {
    const verdict = fault === undefined ? "genuine" : `NOT genuine: ${showForeignText(fault, FAULT_MAX)}`;
    say(
      `  #${sequence}  ${showForeignText(state, FAULT_MAX)}  ${verdict}${answered === undefined ? "" : `, answered ${answered}`}`,
    );
  }
}

function listScenarios(context: CliContext, input: CommandInput): number {
  if (input.positionals.length > 0) throw wrongUsage("--list goes without EVENT.");
  if (input.flag("json")) {
    printJson(context, { events: SCENARIOS.map(({ name, says, end }) => ({ event: name, end, description: says })) });
    return EXIT.done;
  }
  const rows = SCENARIOS.map(({ name, says, end }) => [name, end, says]);
  context.print(renderTable([{ title: "EVENT" }, { title: "ENDS AS" }, { title: "WHAT HAPPENS" }], rows));
  return EXIT.done;
}
