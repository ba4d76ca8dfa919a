import { type MaskedBody, maskBody } from "../../core/request-log/mask-body.ts";
import { ANSWER_RULES, REQUEST_RULES } from "../../core/request-log/mask-rules.ts";
import type { AnsweredCall } from "./answered-call.ts";

/** A call as it is stored: `headsToCalls` reads the heads, and the bodies follow each other, request and answer. */
export type EncodedCall = { readonly head: string; readonly body: string };

/** Longer bodies are not shown whole. */
const BODY_BYTES_READ = 8_192;

export function encodeCall(call: AnsweredCall): EncodedCall {
  const request = maskBody(call.body.toString("utf8", 0, BODY_BYTES_READ), REQUEST_RULES);
  const answer = maskBody(call.answer, ANSWER_RULES);
  return { head: headOf(call, request, answer), body: request.text + answer.text };
}

/** With a comma behind it. Put together by hand: there is one for every call. Paths, codes and ids need no escaping. */
function headOf(call: AnsweredCall, request: MaskedBody, answer: MaskedBody): string {
  const { code, keyId } = call;
  const refusal = code === undefined ? "null,null" : `"${code}",${messageOf(answer)}`;
  return (
    `["${call.id}","${call.path}",${call.status},${refusal},${keyId === undefined ? "null" : `"${keyId}"`},` +
    `${addressOf(call)},${paymentIdOf(request)},${requestIdOf(answer)},"${Math.round(call.ms * 10) / 10} ` +
    `${call.body.length} ${Buffer.byteLength(call.answer)} ${request.text.length} ${answer.text.length} ${call.isReplay ? 1 : 0}"],`
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
