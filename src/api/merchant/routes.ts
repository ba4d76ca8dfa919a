import type { FastifyInstance } from "fastify";
import { type Fault, fault } from "../../core/errors.ts";
import { sendFault, sendJson } from "../respond.ts";
import { admit } from "./admit.ts";
import { balanceInfo } from "./balance-info.ts";
import { bankAll } from "./bank-all.ts";
import type { MerchantCall, MerchantDeps } from "./call.ts";
import { ecomConfirmThreeDs, ecomPayin, ecomPayinInfo, ecomPayout, ecomPayoutInfo } from "./ecom.ts";
import { p2pPayin, p2pPayinCancel, p2pPayinConfirm, p2pPayinInfo, p2pPayout, p2pPayoutInfo } from "./p2p.ts";
import { compileValidator, withRules } from "./validate.ts";
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

export function addMerchantRoutes(server: FastifyInstance, deps: MerchantDeps): void {
  for (const call of MERCHANT_CALLS) {
    const bySchema = compileValidator(call.body);
    const validate = call.rules === undefined ? bySchema : withRules(bySchema, call.rules(deps));
    server.post(call.path, async (request, reply) => {
      // Scheme 2 signs the path as it is written here, so another spelling of it, or a query, is another path.
      if (request.raw.url !== call.path) return sendFault(reply, fault("not_found", "there is nothing at this path"));
      const unsupported = checkContentType(request.headers["content-type"]);
      if (unsupported !== undefined) return sendFault(reply, unsupported);
      const incoming = {
        method: request.method,
        path: call.path,
        rawHeaders: request.raw.rawHeaders,
        rawBody: Buffer.isBuffer(request.body) ? request.body : NO_BODY,
        address: request.ip,
      };
      const admitted = await admit(deps, incoming, validate);
      if (!admitted.ok) return sendFault(reply, admitted.error);
      request.projectId = admitted.value.project.id;
      const answer = await call.answer(deps, admitted.value);
      if (!answer.ok) return sendFault(reply, answer.error);
      if (answer.value.replayed) reply.header("idempotent-replayed", "true");
      return sendJson(reply, 200, answer.value.json);
    });
  }
}

const NO_BODY = Buffer.alloc(0);
const JSON_CONTENT_TYPE = /^application\/json[ \t]*(;[ \t]*charset[ \t]*=[ \t]*("utf-8"|utf-8)[ \t]*)?$/i;

function checkContentType(contentType: string | undefined): Fault | undefined {
  if (contentType !== undefined && JSON_CONTENT_TYPE.test(contentType)) return undefined;
  return fault("content_type_unsupported", "content-type must be application/json");
}
