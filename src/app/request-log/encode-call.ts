import { type MaskedBody, maskBody } from "../../core/request-log/mask-body.ts";
import { ANSWER_RULES, REQUEST_RULES } from "../../core/request-log/mask-rules.ts";
import { addressText } from "./address-text.ts";
import type { WaitingCall } from "./answered-call.ts";

/** A call as it is stored: `headsToCalls` reads the heads, and the bodies follow each other, request and answer. */
export type EncodedCall = { readonly head: string; readonly body: string };

export function encodeCall(call: WaitingCall): EncodedCall {
  const request = maskBody(call.request, REQUEST_RULES);
  const answer = maskBody(call.answer, ANSWER_RULES);
  return { head: headOf(call, request, answer), body: request.text + answer.text };
}

/** With a comma behind it. Put together by hand: there is one for every call. Paths, codes and ids need no escaping. */
function headOf(call: WaitingCall, request: MaskedBody, answer: MaskedBody): string {
  const { code, keyId } = call;
  const refusal = code === undefined ? "null,null" : `"${code}",${messageOf(answer)}`;
  return (
    `["${call.id}","${call.path}",${call.status},${refusal},${keyId === undefined ? "null" : `"${keyId}"`},` +
    `${addressText(call.address)},${paymentIdOf(request)},${requestIdOf(answer)},"${Math.round(call.ms * 10) / 10} ` +
    `${call.requestBytes} ${call.answerBytes} ${request.text.length} ${answer.text.length} ${call.isReplay ? 1 : 0}"],`
  );
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
