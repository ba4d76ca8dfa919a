import { revealRequisites } from "../../../app/reports/reveal-requisites.ts";
import { ok } from "../../../core/result.ts";
import { scopeOf } from "../report-query.ts";
import { idOf, post } from "../route.ts";

/** The full requisites of one payment. A POST, since it writes a line of the audit log, and so that no address or cache has it. */
export const REVEAL_ROUTES = [
  post({
    path: "payments/:request_id/reveal",
    right: "requisites.reveal",
    stepUp: true,
    handler: async (deps, { merchantId, params, actor }) => {
      const wish = { requestId: idOf(params.request_id), actor };
      const revealed = await revealRequisites(deps, await scopeOf(deps, merchantId), wish);
      return revealed.ok ? ok({ json: revealed.value }) : revealed;
    },
  }),
];
