import type { SandboxFile } from "../../app/sandbox/sandbox-credentials.ts";
import { systemClock } from "../../platform/clock.ts";
import { ALGORITHMS, type Algorithm, findAlgorithm } from "../../platform/signing.ts";
import { type CliContext, type Command, type CommandInput, EXIT, type ExitCode } from "../kit/command.ts";
import { readInputFile } from "../kit/input-file.ts";
import { optional, positional, quote, wrongUsage } from "../kit/option-values.ts";
import { API_PATHS } from "./api-paths.ts";
import { buildBody, type CallRequest, readBaseUrl, readPath, signCall } from "./call-request.ts";
import { type CallAnswer, sendCall } from "./call-send.ts";
import { CREDENTIALS_OPTION, findCredentials, startCommand } from "./credentials.ts";
import { explainRefusal } from "./explain-answer.ts";

const DEFAULT_ALGORITHM: Algorithm = "RSA-SHA256-V2";
/** Where the credentials have no RSA key. */
const DEFAULT_HMAC_ALGORITHM: Algorithm = "HMAC-SHA512-V2";

export const call: Command = {
  name: "call",
  audience: "developers",
  summary: "Sign a request as a merchant would, send it, and show the answer.",
  arguments: ["PATH", "[JSON]"],
  argumentWords: { PATH: API_PATHS },
  options: {
    algorithm: {
      type: "string",
      value: "NAME",
      words: Object.keys(ALGORITHMS),
      help: `${Object.keys(ALGORITHMS).join(", ")}; by default ${DEFAULT_ALGORITHM}, or ${DEFAULT_HMAC_ALGORITHM} where there is no RSA key`,
    },
    credentials: CREDENTIALS_OPTION,
    "payment-id": { type: "string", value: "ID", help: "your id of the payment: goes into general.payment_id" },
    "base-url": { type: "string", value: "URL", help: "where to send it, instead of base_url of the credentials" },
    verbose: {
      type: "boolean",
      help: "show the body, what was signed, the status and the request's id, on standard error",
    },
    raw: { type: "boolean", help: "print the answer as it came" },
  },
  notes: [
    "The credentials are those of the sandbox, which the service writes in development mode.",
    "JSON is the body; - reads it from standard input, @FILE from a file. A missing general.project_id is filled in,",
    "so that without JSON the body is only that. A payment_id is never generated: if there is no answer, repeat the same command.",
    "Exit code 0: it was done (2xx); 1: it was refused (4xx); 3: no answer, or the service failed (5xx).",
    "Example: {program} call /api/v1/balance/info",
    `Example: {program} call /api/v1/bank/all '{"general":{}}' --algorithm HMAC-SHA512 --verbose`,
    "Example: {program} call /api/v1/payment/p2p/payin --payment-id order-1 '{",
    '           "payment": {"method": "card-p2p", "amount": 250000, "currency": "RUB"},',
    `           "customer": {"id": "customer-1", "ip_address": "192.0.2.1"}}'`,
    "Example: {program} call /api/v1/payment/p2p/payin/info --payment-id order-1",
  ],
  run: async (context, input) => {
    const path = readPath(positional(input, 0));
    const givenAlgorithm = optional(input, "algorithm", readAlgorithm);
    const givenUrl = optional(input, "base-url", readBaseUrl);
    const credentials = findCredentials(context, input.text("credentials"));
    const algorithm = givenAlgorithm ?? defaultAlgorithm(credentials);
    const baseUrl = givenUrl ?? readBaseUrl(credentials.base_url, "base_url in the credentials");
    const body = buildBody(await readBody(context, input), {
      projectId: credentials.project_id,
      paymentId: input.text("payment-id"),
    });
    const sentAtMs = systemClock.nowMs();
    const request = signCall({ credentials, baseUrl, path, body, algorithm, nowMs: sentAtMs });
    if (input.flag("verbose")) showRequest(context, request, algorithm);
    const answer = await sendCall(request, baseUrl, startCommand(context.programName));
    showAnswer(context, answer, input);
    if (answer.status >= 400) showHint(context, explainRefusal({ path, sentAtMs, ...answer }));
    return exitCodeOf(answer.status);
  },
};

function defaultAlgorithm({ rsa_private_key_pem }: SandboxFile): Algorithm {
  return rsa_private_key_pem === "" ? DEFAULT_HMAC_ALGORITHM : DEFAULT_ALGORITHM;
}

function readAlgorithm(text: string, name: string): Algorithm {
  const algorithm = findAlgorithm(text);
  if (algorithm === undefined) {
    throw wrongUsage(`${name} must be one of ${Object.keys(ALGORITHMS).join(", ")}. It is ${quote(text)}.`);
  }
  return algorithm;
}

async function readBody(context: CliContext, input: CommandInput): Promise<string | undefined> {
  const text = input.positionals[1];
  if (text === "-") return readInputFile(context, text);
  return text?.startsWith("@") ? readInputFile(context, text.slice(1)) : text;
}

/** The token, the signature and of course the keys are left out: this gets pasted into chats. */
function showRequest(context: CliContext, request: CallRequest, algorithm: Algorithm): void {
  context.printError(`> POST ${request.url}`);
  if (request.holdsCardData) context.printError("> the body holds card data and is not shown");
  else context.printError(`> body: ${request.rawBody}`);
  // Scheme 1 signs the values themselves, so what it signed would show them.
  if (request.normalised !== undefined && request.holdsCardData) {
    context.printError(`> signed by ${algorithm}; what was signed holds card data and is not shown`);
    return;
  }
  if (request.normalised !== undefined) context.printError(`> normalised: ${request.normalised}`);
  context.printError(`> signed by ${algorithm}:`);
  for (const line of request.message.split("\n")) context.printError(`>   ${line}`);
}

/** Below the answer, and not in it: a program reads that. */
function showHint(context: CliContext, hint: string | undefined): void {
  if (hint !== undefined) context.printError(hint);
}

function showAnswer(context: CliContext, answer: CallAnswer, input: CommandInput): void {
  const success = exitCodeOf(answer.status) === EXIT.done;
  if (input.flag("verbose") || !success) context.printError(`< HTTP ${answer.status} ${answer.statusText}`.trimEnd());
  if (input.flag("verbose")) context.printError(`< x-request-id: ${answer.requestId ?? "none"}`);
  if (answer.replayed) context.printError("< idempotent-replayed: true. The payment existed, and nothing was changed.");
  if (answer.location !== undefined && answer.status >= 300 && answer.status < 400) {
    context.printError(`The answer is a redirect to ${answer.location}, which is not followed: see --base-url.`);
  }
  context.print(input.flag("raw") ? answer.text : pretty(answer.text));
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export function exitCodeOf(status: number): ExitCode {
  if (status >= 200 && status < 300) return EXIT.done;
  return status >= 500 ? EXIT.unavailable : EXIT.refused;
}
