import type { FastifyReply } from "fastify";
import type { Fault } from "../core/errors.ts";
import { errorBody, HTTP_STATUS } from "./errors.ts";

export const JSON_TYPE = "application/json; charset=utf-8";

export function sendJson(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).header("content-type", JSON_TYPE).header("cache-control", "no-store").send(body);
}

export function sendFault(reply: FastifyReply, fault: Fault): FastifyReply {
  if (fault.retryAfterS !== undefined) reply.header("retry-after", String(fault.retryAfterS));
  reply.request.faultCode = fault.code;
  return sendJson(reply, HTTP_STATUS[fault.code], errorBody(fault));
}
