import { Type } from "typebox";
import { chooseMerchant, revokeSession, viewSessions } from "../../app/people/manage-sessions.ts";
import { accountFault } from "../../core/people/account-fault.ts";
import { fail, ok } from "../../core/result.ts";
import { CLOSED } from "../merchant/blocks.ts";
import { tokenText } from "./forms.ts";
import { get, post } from "./route.ts";

export const SESSION_ROUTES = [
  get({
    path: "sessions",
    right: "signed-in",
    handler: async (deps, { session }) => ok({ json: { sessions: await viewSessions(deps, session) } }),
  }),
  post({
    path: "sessions/:id/revoke",
    right: "signed-in",
    stepUp: false,
    handler: async (deps, { session, params }) =>
      (await revokeSession(deps, session, params.id ?? ""))
        ? ok({ json: {} })
        : fail(accountFault("not_found", "there is no such session")),
  }),
  post({
    path: "merchant/choose",
    right: "signed-in",
    stepUp: false,
    body: Type.Object({ merchant_id: tokenText }, CLOSED),
    handler: async (deps, { session, body }) =>
      (await chooseMerchant(deps, session, body.merchant_id))
        ? ok({ json: {} })
        : fail(accountFault("not_found", "there is no such merchant")),
  }),
];
