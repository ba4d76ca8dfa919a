import type { FastifyInstance } from "fastify";
import { fault } from "../../core/errors.ts";
import { sendFault, sendJson } from "../respond.ts";
import { answerCall, faultAnswer, isJsonType, type OpenCall } from "./answer-call.ts";
import { balanceInfo } from "./balance-info.ts";
import { bankAll } from "./bank-all.ts";
import type { MerchantCall, MerchantDeps } from "./call.ts";
import { ecomConfirmThreeDs, ecomPayin, ecomPayinInfo, ecomPayout, ecomPayoutInfo } from "./ecom.ts";
import { noteCall } from "./note-call.ts";
import { p2pPayin, p2pPayinCancel, p2pPayinConfirm, p2pPayinInfo, p2pPayout, p2pPayoutInfo } from "./p2p.ts";
import { widgetCancel, widgetConfirm, widgetInfo, widgetPayin } from "./widget.ts";

/** Every call that merchants can make. */
export const MERCHANT_CALLS: readonly MerchantCall[] = [
  p2pPayin,
  p2pPayinInfo,
  p2pPayinConfirm,
  p2pPayinCancel,
  p2pPayout,
  p2pPayoutInfo,
  ecomPayin,
  ecomPayinInfo,
  ecomConfirmThreeDs,
  ecomPayout,
  ecomPayoutInfo,
  widgetPayin,
  widgetInfo,
  widgetConfirm,
  widgetCancel,
  balanceInfo,
  bankAll,
];

/** What comes by the framework: requests that are in some way unusual, and a test's own. */
export function addMerchantRoutes(server: FastifyInstance, deps: MerchantDeps, calls: readonly OpenCall[]): void {
  for (const open of calls) {
    const { path } = open.call;
    server.post(path, async (request, reply) => {
      // Scheme 2 signs the path as it is written here, so another spelling of it, or a query, is another path.
      if (request.raw.url !== path) return sendFault(reply, fault("not_found", "there is nothing at this path"));
      const incoming = {
        method: request.method,
        path,
        rawHeaders: request.raw.rawHeaders,
        rawBody: Buffer.isBuffer(request.body) ? request.body : NO_BODY,
        address: request.ip,
        id: request.id,
        startedMs: performance.now() - reply.elapsedTime,
      };
      const answer = isJsonType(request.headers["content-type"])
        ? await answerCall(deps, open, incoming)
        : faultAnswer(WRONG_TYPE);
      noteCall(deps, incoming, answer);
      request.projectId = answer.projectId;
      request.faultCode = answer.faultCode;
      if (answer.retryAfterS !== undefined) reply.header("retry-after", String(answer.retryAfterS));
      if (answer.replayed) reply.header("idempotent-replayed", "true");
      return sendJson(reply, answer.status, answer.json);
    });
  }
}

const NO_BODY = Buffer.alloc(0);
const WRONG_TYPE = fault("content_type_unsupported", "content-type must be application/json");
