import type { SandboxFile } from "../../app/sandbox/sandbox-credentials.ts";
import { systemClock } from "../../platform/clock.ts";
import { isObject, type JsonObject } from "../../platform/strict-json.ts";
import { type CliContext, CliFault, type CommandInput, EXIT, type OptionSpec } from "../kit/command.ts";
import { showMerchantText } from "../kit/foreign-text.ts";
import { optional } from "../kit/option-values.ts";
import { readBaseUrl, signCall } from "./call-request.ts";
import { sendCall } from "./call-send.ts";
import { CREDENTIALS_OPTION, findCredentials, startCommand } from "./credentials.ts";
import { errorMember, explainRefusal } from "./explain-answer.ts";

/** The options of every command that calls the service as a merchant. */
export const GATEWAY_OPTIONS = {
  credentials: CREDENTIALS_OPTION,
  "base-url": { type: "string", value: "URL", help: "the service's address, instead of base_url of the credentials" },
} as const satisfies Readonly<Record<string, OptionSpec>>;

type GatewayAnswer = { readonly body: JsonObject; readonly replayed: boolean };

/** The service as a merchant's server calls it: signed, with the project filled in. */
export type Gateway = {
  readonly credentials: SandboxFile;
  readonly baseUrl: string;
  /** Throws a CliFault, with the reason and what to do, when the service refuses or does not answer. */
  readonly post: (path: string, body: JsonObject) => Promise<GatewayAnswer>;
};

/** The service said no. */
export class RefusedCallFault extends CliFault {
  readonly code: string | undefined;
  readonly status: number;

  constructor(message: string, status: number, code: string | undefined) {
    super(message, status >= 500 ? EXIT.unavailable : EXIT.refused);
    this.status = status;
    this.code = code;
  }
}

export function openGateway(context: CliContext, input: CommandInput): Gateway {
  const givenUrl = optional(input, "base-url", readBaseUrl);
  const credentials = findCredentials(context, input.text("credentials"));
  const baseUrl = givenUrl ?? readBaseUrl(credentials.base_url, "base_url in the credentials");
  const algorithm = credentials.rsa_private_key_pem === "" ? "HMAC-SHA512-V2" : "RSA-SHA256-V2";
  return {
    credentials,
    baseUrl,
    post: async (path, { general, ...members }) => {
      const ids = { project_id: credentials.project_id, ...(isObject(general) ? general : {}) };
      const value = { general: ids, ...members };
      const sentAtMs = systemClock.nowMs();
      const body = { raw: JSON.stringify(value), value };
      const request = signCall({ credentials, baseUrl, path, body, algorithm, nowMs: sentAtMs });
      const answer = await sendCall(request, baseUrl, startCommand(context.programName));
      const parsed = parseObject(answer.text);
      if (answer.status >= 200 && answer.status < 300 && parsed !== undefined) {
        return { body: parsed, replayed: answer.replayed };
      }
      const said = errorMember(answer.text, "status_description") ?? answer.statusText;
      const hint = explainRefusal({ path, sentAtMs, ...answer });
      const code = errorMember(answer.text, "code");
      const reason = [`HTTP ${answer.status}`, code].filter((word) => word !== undefined).join(" ");
      const sentence = `${path} was refused (${reason}): ${showMerchantText(said, SAID_MAX)}.`;
      throw new RefusedCallFault([sentence, ...(hint === undefined ? [] : [hint])].join("\n"), answer.status, code);
    },
  };
}

const SAID_MAX = 300;

function parseObject(text: string): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed as JsonObject) ? (parsed as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
