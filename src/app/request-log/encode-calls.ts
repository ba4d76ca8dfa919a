import { setImmediate as nextTurn } from "node:timers/promises";
import { findId } from "../../core/ids.ts";
import { type MaskedBody, maskBody } from "../../core/request-log/mask-body.ts";
import { ANSWER_RULES, REQUEST_RULES } from "../../core/request-log/mask-rules.ts";
import type { AnsweredCall } from "./answered-call.ts";

/** Calls as they are stored: `heads` is read by `headsToCalls`, `bodies` is all requests and answers, one after the other. */
export type EncodedCalls = { readonly heads: string; readonly bodies: string };

/** About a quarter of a millisecond: a request that arrives meanwhile waits no longer. */
const CALLS_AT_ONCE = 40;

export async function encodeCalls(calls: readonly AnsweredCall[]): Promise<EncodedCalls> {
  const heads: string[] = [];
  const bodies: string[] = [];
  for (const [index, call] of calls.entries()) {
    if (index % CALLS_AT_ONCE === CALLS_AT_ONCE - 1) await nextTurn();
    const request = maskBody(call.body.toString("utf8"), REQUEST_RULES);
    const answer = maskBody(call.answer, ANSWER_RULES);
    heads.push(headOf(call, request, answer));
    bodies.push(request.text, answer.text);
  }
  return { heads: `[${heads.join(",")}]`, bodies: bodies.join("") };
}

/** Put together by hand: there is one for every call. Paths, codes and ids are ours, and need no escaping. */
function headOf(call: AnsweredCall, request: MaskedBody, answer: MaskedBody): string {
  const { code, keyId } = call;
  const message = code === undefined ? "null" : messageOf(answer);
  return (
    `["${call.id}","${call.path}",${call.status},${code === undefined ? "null" : `"${code}"`},${message},` +
    `${keyId === undefined ? "null" : `"${keyId}"`},${JSON.stringify(call.address)},` +
    `${paymentIdOf(request)},${requestIdOf(answer)},"${call.ms.toFixed(1)} ${call.bodySize} ${call.answer.length} ` +
    `${request.text.length} ${answer.text.length} ${call.isReplay ? 1 : 0}"]`
  );
}

const MESSAGE = /"status_description":("(?:[^"\\]|\\.)*")/;

/** As JSON text. The answer is ours, and masked. */
function messageOf({ text }: MaskedBody): string {
  return MESSAGE.exec(text)?.[1] ?? "null";
}

/** Longer than any that a payment has, with its quotes. */
const PAYMENT_ID_TEXT_MAX = 260;

/** As JSON text. What a caller wrote is taken as it is only where it can be nothing but JSON. */
function paymentIdOf({ paymentId }: MaskedBody): string {
  if (paymentId === undefined || paymentId.length > PAYMENT_ID_TEXT_MAX) return "null";
  if (!paymentId.includes("\\")) return paymentId;
  try {
    return JSON.stringify(JSON.parse(paymentId));
  } catch {
    return "null";
  }
}

function requestIdOf({ requestId }: MaskedBody): string {
  return requestId !== undefined && findId(requestId.slice(1, -1)) !== undefined ? requestId : "null";
}
