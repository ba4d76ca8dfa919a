import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { GARBAGE } from "./deliver.ts";
import type { AnswerFault, TakenFault } from "./faults.ts";

/** What a call answers: JSON that is text already, because PostgreSQL wrote most of it. */
export type Answer = {
  readonly status: number;
  readonly json: string;
  /** The work is done, and the caller gets no answer. */
  readonly lost?: true;
};

export function answerJson(json: string): Answer {
  return { status: 200, json };
}

export function answerError(status: number, code: string): Answer {
  return { status, json: JSON.stringify({ error: { code } }) };
}

export const DONE: Answer = answerJson("{}");
export const INVALID: Answer = answerError(400, "invalid_request");
export const UNKNOWN_REFERENCE: Answer = answerError(404, "order_unknown");
export const CONFLICT: Answer = answerError(409, "reference_conflict");
export const RESULT_INVALID: Answer = answerError(422, "result_invalid");
export const BROKEN: Answer = answerError(500, "internal");

export function send(reply: FastifyReply, answer: Answer): FastifyReply {
  return reply.code(answer.status).type("application/json").send(answer.json);
}

/** Gives the answer as the fault wants it; the work itself is done by now. */
export async function sendWithFault(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  fault: { readonly taken: TakenFault<AnswerFault> | undefined; readonly closing: AbortSignal },
): Promise<FastifyReply> {
  switch (answer.lost ? "reset" : fault.taken?.kind) {
    case "slow":
      await sleep(fault.taken?.ms, undefined, { signal: fault.closing }).catch(() => undefined);
      return send(reply, answer);
    case "error500_after_success":
      return send(reply, BROKEN);
    case "garbage":
      return reply.code(200).type("application/json").send(GARBAGE);
    case "reset":
      request.raw.socket.resetAndDestroy();
      return reply.hijack();
    default:
      return send(reply, answer);
  }
}
