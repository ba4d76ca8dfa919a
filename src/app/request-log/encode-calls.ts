import { setImmediate as nextTurn } from "node:timers/promises";
import { type MaskedBody, maskBody } from "../../core/request-log/mask-body.ts";
import { ANSWER_RULES, REQUEST_RULES } from "../../core/request-log/mask-rules.ts";
import type { AnsweredCall } from "./answered-call.ts";

/** Calls as they are stored: `heads` is read by `headsToCalls`, `bodies` is all requests and answers, one after the other. */
export type EncodedCalls = { readonly heads: string; readonly bodies: string };

/** About a quarter of a millisecond: a request that arrives meanwhile waits no longer. */
const CALLS_AT_ONCE = 40;

export async function encodeCalls(calls: readonly AnsweredCall[]): Promise<EncodedCalls> {
  let [heads, bodies] = ["", ""];
  for (let index = 0; index < calls.length; index += 1) {
    if (index % CALLS_AT_ONCE === CALLS_AT_ONCE - 1) await nextTurn();
    const call = calls[index] as AnsweredCall;
    const request = maskBody(call.body.toString("utf8"), REQUEST_RULES);
    const answer = maskBody(call.answer, ANSWER_RULES);
    heads += (index === 0 ? "[" : ",") + headOf(call, request, answer);
    bodies += request.text + answer.text;
  }
  return { heads: `${heads}]`, bodies };
}

/** Put together by hand: there is one for every call. Paths, codes and ids are ours, and need no escaping. */
function headOf(call: AnsweredCall, request: MaskedBody, answer: MaskedBody): string {
  const { code, keyId } = call;
  const refusal = code === undefined ? "null,null" : `"${code}",${messageOf(answer)}`;
  return (
    `["${call.id}","${call.path}",${call.status},${refusal},${keyId === undefined ? "null" : `"${keyId}"`},` +
    `${addressOf(call)},${paymentIdOf(request)},${requestIdOf(answer)},"${Math.round(call.ms * 10) / 10} ` +
    `${call.bodySize} ${Buffer.byteLength(call.answer)} ${request.text.length} ${answer.text.length} ${call.isReplay ? 1 : 0}"]`
  );
}

const PLAIN_ADDRESS = /^[0-9a-f.:]{1,45}$/;
const ADDRESS_MAX = 64;

/** As JSON text. It may come from a proxy's header. */
function addressOf({ address }: AnsweredCall): string {
  return PLAIN_ADDRESS.test(address) ? `"${address}"` : JSON.stringify(address.slice(0, ADDRESS_MAX));
}

const MESSAGE = /"status_description":("(?:[^"\\]|\\.)*")/;

/** As JSON text. The answer is ours, and masked. */
function messageOf({ text }: MaskedBody): string {
  return MESSAGE.exec(text)?.[1] ?? "null";
}

/** Longer than any that a payment has, with its quotes. */
const PAYMENT_ID_TEXT_MAX = 260;

const PLAIN_ID = /^"[\w.:/+-]+"$/;

/** As JSON text. What a caller wrote is taken as it is only where it can be nothing but JSON. */
function paymentIdOf({ paymentId }: MaskedBody): string {
  if (paymentId === undefined || paymentId.length > PAYMENT_ID_TEXT_MAX) return "null";
  if (PLAIN_ID.test(paymentId)) return paymentId;
  try {
    return JSON.stringify(JSON.parse(paymentId));
  } catch {
    return "null";
  }
}

const REQUEST_ID = /^"[0-9a-f]{32}"$/;

function requestIdOf({ requestId }: MaskedBody): string {
  return requestId !== undefined && REQUEST_ID.test(requestId) ? requestId : "null";
}
