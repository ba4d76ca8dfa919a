import type { ErrorCode, Fault } from "../../core/errors.ts";
import type { Id } from "../../core/ids.ts";
import { OutOfTime, within } from "../../platform/deadlines.ts";
import { errorBody, HTTP_STATUS } from "../errors.ts";
import { limitOf } from "../request-deadline.ts";
import { noteUnexpected } from "../unexpected.ts";
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
  /** Whose key signed it, and for which project; undefined where that is not known. */
  readonly signer: Signer | undefined;
};

export type Signer = { readonly keyId: Id; readonly projectId: Id };

/** Who signed a call, once that is known: an answer that is late names them too. */
type Known = { signer: Signer | undefined };

/** Never fails: an unexpected error is an answer too, and so is a deadline. */
export function answerCall(deps: MerchantDeps, open: OpenCall, incoming: IncomingCall): Promise<CallAnswer> {
  const known: Known = { signer: undefined };
  const answered = answerInItsTime(deps, open, incoming, known);
  const limitMs = limitOf(open.call.path, deps.requestDeadlineMs);
  if (limitMs === undefined) return answered;
  return within(answered, limitMs, () =>
    faultAnswer(noteUnexpected(incoming.id, deps.log, new OutOfTime()), undefined, known.signer),
  );
}

async function answerInItsTime(
  deps: MerchantDeps,
  open: OpenCall,
  incoming: IncomingCall,
  known: Known,
): Promise<CallAnswer> {
  try {
    const judged = admit(deps, incoming, open.validate);
    const admitted = judged instanceof Promise ? await judged : judged;
    if (!admitted.ok) {
      const { fault, key, projectId } = admitted.error;
      return faultAnswer(fault, undefined, key && projectId && { keyId: key.id, projectId });
    }
    const projectId = admitted.value.project.id;
    const signer = { keyId: admitted.value.key.id, projectId };
    known.signer = signer;
    const answer = await open.call.answer(deps, admitted.value);
    if (!answer.ok) return faultAnswer(answer.error, projectId, signer);
    const { json, replayed = false } = answer.value;
    return { status: 200, json, projectId, faultCode: undefined, retryAfterS: undefined, replayed, signer };
  } catch (error) {
    return faultAnswer(noteUnexpected(incoming.id, deps.log, error as Error), undefined, known.signer);
  }
}

export function faultAnswer(fault: Fault, projectId?: string, signer?: Signer): CallAnswer {
  const { code, retryAfterS } = fault;
  const json = errorBody(fault);
  return { status: HTTP_STATUS[code], json, projectId, faultCode: code, retryAfterS, replayed: false, signer };
}

const JSON_CONTENT_TYPE = /^application\/json[ \t]*(;[ \t]*charset[ \t]*=[ \t]*("utf-8"|utf-8)[ \t]*)?$/i;

export function isJsonType(contentType: string | undefined): boolean {
  return contentType !== undefined && JSON_CONTENT_TYPE.test(contentType);
}
