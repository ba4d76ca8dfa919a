import { isObject, type JsonObject } from "../../platform/strict-json.ts";
import { CliFault } from "../kit/command.ts";
import { type Gateway, RefusedCallFault } from "./gateway.ts";
import { DOORS, type Door } from "./watch-payment.ts";

/** The outside world of a test project, by signed calls: banks, issuers, the clock, and the callbacks that arrived. */
export type SandboxApi = {
  readonly act: (paymentId: string, action: string, details: ActDetails) => Promise<void>;
  /** Where callbacks can be sent to be seen; undefined where the service offers no such place. */
  readonly echoUrl: () => Promise<string | undefined>;
  /** The callbacks of one payment that arrived there, in the order in which they did. */
  readonly callbacksOf: (paymentId: string) => Promise<readonly EchoedCallback[]>;
};

/** The sum in minor units, and why a card is declined, where the action takes them. */
export type ActDetails = { readonly amount?: number; readonly reason?: string };

export type EchoedCallback = {
  readonly sequence: number;
  readonly state: string;
  /** The first check that failed; undefined for a genuine one. */
  readonly fault: string | undefined;
  readonly answered: number | undefined;
};

export function openSandboxApi(gateway: Gateway, door: Door): SandboxApi {
  const direction = door === DOORS.p2pPayout || door === DOORS.cardPayout ? "payout" : "payin";
  const post = async (path: string, body: JsonObject) => {
    try {
      return (await gateway.post(`/sandbox/api/${path}`, body)).body;
    } catch (error) {
      const isMissing = error instanceof RefusedCallFault && error.code === "not_found";
      if (!isMissing) throw error;
      throw new CliFault(`${gateway.baseUrl} has no sandbox API: is it an older version, or without a sandbox?`);
    }
  };
  return {
    act: async (paymentId, action, details) => {
      await post("act", { general: { payment_id: paymentId }, direction, action, ...details });
    },
    echoUrl: async () => {
      const { echo_url } = await post("callbacks", {});
      return typeof echo_url === "string" ? echo_url : undefined;
    },
    callbacksOf: async (paymentId) => {
      const { callbacks } = await post("callbacks", {});
      const ofIt = (Array.isArray(callbacks) ? callbacks : []).filter(
        (each) => isObject(each) && each.payment_id === paymentId,
      );
      return ofIt.map((each) => readEchoed(each as JsonObject)).toSorted((a, b) => a.sequence - b.sequence);
    },
  };
}

function readEchoed({ body, checks, answered }: JsonObject): EchoedCallback {
  const parsed = parseBody(body);
  const failed = (Array.isArray(checks) ? checks : []).find((check) => isObject(check) && check.ok !== true);
  const fault = isObject(failed) ? `${failed.step}: ${failed.detail}` : undefined;
  const event = isObject(parsed.event) ? parsed.event : {};
  const status = isObject(parsed.status) ? parsed.status : {};
  const words = [status.status, status.sub_status].filter((word) => typeof word === "string");
  return {
    sequence: typeof event.sequence === "number" ? event.sequence : 0,
    state: words.join(" / "),
    fault,
    answered: typeof answered === "number" ? answered : undefined,
  };
}

function parseBody(body: unknown): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(String(body));
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
