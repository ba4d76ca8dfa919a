import type { ErrorCode, Fault } from "../../core/errors.ts";
import { errorBody, HTTP_STATUS } from "../errors.ts";
import { admit, type IncomingCall } from "./admit.ts";
import type { MerchantCall, MerchantDeps } from "./call.ts";
import { compileValidator, type Validate, withRules } from "./validate.ts";

/** A call of merchants, ready to be answered. */
export type OpenCall = { readonly call: MerchantCall; readonly validate: Validate };

export function openCall(deps: MerchantDeps, call: MerchantCall): OpenCall {
  const bySchema = compileValidator(call.body);
  return { call, validate: call.rules === undefined ? bySchema : withRules(bySchema, call.rules(deps)) };
}

/** What is sent back, and what the log and the metrics remember of it. */
export type CallAnswer = {
  readonly status: number;
  readonly json: string;
  readonly projectId: string | undefined;
  readonly faultCode: ErrorCode | undefined;
  readonly retryAfterS: number | undefined;
  readonly replayed: boolean;
};

export async function answerCall(
  deps: MerchantDeps,
  { call, validate }: OpenCall,
  incoming: IncomingCall,
): Promise<CallAnswer> {
  const judged = admit(deps, incoming, validate);
  const admitted = judged instanceof Promise ? await judged : judged;
  if (!admitted.ok) return faultAnswer(admitted.error);
  const projectId = admitted.value.project.id;
  const answer = await call.answer(deps, admitted.value);
  if (!answer.ok) return faultAnswer(answer.error, projectId);
  const { json, replayed = false } = answer.value;
  return { status: 200, json, projectId, faultCode: undefined, retryAfterS: undefined, replayed };
}

export function faultAnswer(fault: Fault, projectId?: string): CallAnswer {
  const { code, retryAfterS } = fault;
  const json = errorBody(fault);
  return { status: HTTP_STATUS[code], json, projectId, faultCode: code, retryAfterS, replayed: false };
}

const JSON_CONTENT_TYPE = /^application\/json[ \t]*(;[ \t]*charset[ \t]*=[ \t]*("utf-8"|utf-8)[ \t]*)?$/i;

export function isJsonType(contentType: string | undefined): boolean {
  return contentType !== undefined && JSON_CONTENT_TYPE.test(contentType);
}
