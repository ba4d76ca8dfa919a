import { openCallbackVerifier, type VerifyCallback } from "../../app/callbacks/verify-callback.ts";
import { configureProject } from "../../app/merchants/merchants.ts";
import type { SandboxFile } from "../../app/sandbox/sandbox-credentials.ts";
import { holdsUser, parseMerchantUrl } from "../../core/merchants/merchant-url.ts";
import { CREDENTIALS_OPTION, findCredentials } from "../developer/credentials.ts";
import { type CliContext, CliFault, type Command, type CommandInput, EXIT } from "../kit/command.ts";
import { optional, quote, readId, readInteger, wrongUsage } from "../kit/option-values.ts";
import { projectUnknown } from "../merchants/project-view.ts";
import { forwardCallback } from "./listen-forward.ts";
import { type CallbackReply, type IncomingCallback, openListener } from "./listen-server.ts";
import { type HeardCallback, heardJson, heardLine, isGenuine } from "./listen-view.ts";

const PORT_STANDARD = 8090;
const PORT_MAX = 65_535;

export const listen: Command = {
  name: "listen",
  audience: "developers",
  summary: "Receive callbacks on this machine, verify them, and show one line for each.",
  arguments: [],
  options: {
    port: { type: "string", value: "N", help: `where to listen; ${PORT_STANDARD} if left out, 0 for any free one` },
    "forward-to": {
      type: "string",
      value: "URL",
      help: "forward each callback unchanged, and return the answer of this URL",
    },
    set: { type: "boolean", help: "make this the callback URL of the sandbox's project" },
    credentials: CREDENTIALS_OPTION,
    json: { type: "boolean", help: "print each with its whole body, as a line of JSON" },
  },
  notes: [
    "The keys are those of the sandbox, which the service writes in development mode. Ctrl-C ends it.",
    "Without --forward-to, it answers a genuine callback with 204 and any other with 400.",
    "Example: {program} listen --set",
    "Example: {program} listen --forward-to http://localhost:3000/cb",
  ],
  run: async (context, input) => {
    const port = optional(input, "port", (text, name) => readInteger(text, name, 0, PORT_MAX)) ?? PORT_STANDARD;
    const forwardTo = optional(input, "forward-to", readForwardUrl);
    const credentials = findCredentials(context, input.text("credentials"));
    const hear = openHearing(openVerifier(credentials), forwardTo, (heard) =>
      context.print(input.flag("json") ? heardJson(heard) : heardLine(heard)),
    );
    const listener = await openListener(port, hear);
    try {
      requireElsewhere(forwardTo, listener.port);
      await introduce(context, input, credentials, `http://127.0.0.1:${listener.port}/`);
      await context.untilStopped();
    } finally {
      await listener.close();
    }
    return EXIT.done;
  },
};

function readForwardUrl(text: string, name: string): URL {
  const url = holdsUser(text) ? undefined : parseMerchantUrl(text);
  if (url === undefined)
    throw wrongUsage(`${name} must be like http://127.0.0.1:3000/callbacks. It is ${quote(text)}.`);
  return url;
}

const THIS_MACHINE = ["127.0.0.1", "localhost", "[::1]"];

function requireElsewhere(forwardTo: URL | undefined, port: number): void {
  if (forwardTo === undefined || !THIS_MACHINE.includes(forwardTo.hostname)) return;
  const standardPort = forwardTo.protocol === "https:" ? 443 : 80;
  if (Number(forwardTo.port || standardPort) === port)
    throw wrongUsage("--forward-to leads back to this very command.");
}

function openVerifier(credentials: SandboxFile): VerifyCallback {
  const { project_id, callback_public_key_pem, webhook_secret, callback_hmac_secret } = credentials;
  try {
    return openCallbackVerifier({
      projectId: project_id,
      publicKeyPem: callback_public_key_pem,
      webhookSecret: webhook_secret,
      hmacSecret: callback_hmac_secret,
    });
  } catch {
    throw new CliFault(
      "The credentials hold no keys to verify callbacks with: callback_public_key_pem and webhook_secret. " +
        "Restart the service: it adds them to its sandbox.json. Into a file of your own write those of your project.",
    );
  }
}

const GENUINE = 204;
const FORGED = 400;
const NOT_PASSED_ON = 502;

function openHearing(verify: VerifyCallback, forwardTo: URL | undefined, show: (heard: HeardCallback) => void) {
  return async (callback: IncomingCallback): Promise<CallbackReply> => {
    const verdict = await verify(callback, callback.receivedAt.getTime());
    const forwarded = forwardTo === undefined ? undefined : await forwardCallback(forwardTo, callback);
    show({ callback, verdict, forwarded });
    if (forwarded === undefined) return { status: isGenuine(verdict) ? GENUINE : FORGED };
    return forwarded.kind === "answered" ? forwarded : { status: NOT_PASSED_ON };
  };
}

/** What a person needs to know to begin; beside the output, so that a program gets nothing but callbacks. */
async function introduce(
  context: CliContext,
  input: CommandInput,
  credentials: SandboxFile,
  url: string,
): Promise<void> {
  const say = input.flag("json") ? context.printError : context.print;
  say(`Listening for callbacks at ${url}`);
  if (input.flag("set")) {
    await setCallbackUrl(context, credentials, url);
    say(`The sandbox's project sends them here from now on, unless a payment names a URL of its own.`);
  } else {
    const example = `${context.programName} trigger payin.success --callback-url ${url}`;
    say(`To receive some: ${example}. To receive all of the sandbox's project: --set.`);
  }
}

async function setCallbackUrl(context: CliContext, credentials: SandboxFile, url: string): Promise<void> {
  if (!context.developmentMode)
    throw new CliFault("--set is for development mode: nothing else may send to this machine.");
  const id = readId(credentials.project_id, "project_id in the credentials");
  const configured = await context.withDatabase((db) => configureProject(db, id, { settings: { callbackUrl: url } }));
  if (!configured.ok) throw projectUnknown(id);
}
