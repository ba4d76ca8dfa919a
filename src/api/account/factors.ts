import { Type } from "typebox";
import {
  beginTotp,
  confirmTotp,
  type Owner,
  removeTotp,
  replaceRecovery,
  viewFactors,
} from "../../app/people/manage-factors.ts";
import { ok } from "../../core/result.ts";
import { CLOSED } from "../merchant/blocks.ts";
import { codeText } from "./forms.ts";
import { get, post, type SignedInCall } from "./route.ts";

/** A person's own second factors. */
export const FACTOR_ROUTES = [
  get({
    path: "second-factor",
    right: "signed-in",
    handler: async (deps, { session }) => ok({ json: await viewFactors(deps, session.personId) }),
  }),
  post({
    path: "second-factor/totp/begin",
    right: "signed-in",
    stepUp: true,
    handler: async (deps, call) => ok({ json: await beginTotp(deps, ownerOf(call)) }),
  }),
  post({
    path: "second-factor/totp/confirm",
    right: "signed-in",
    stepUp: true,
    body: Type.Object({ code: codeText }, CLOSED),
    handler: async (deps, call) => {
      const confirmed = await confirmTotp(deps, ownerOf(call), call.body.code);
      return confirmed.ok ? ok({ json: { recovery_codes: confirmed.value } }) : confirmed;
    },
  }),
  post({
    path: "second-factor/totp/remove",
    right: "signed-in",
    stepUp: true,
    handler: async (deps, call) => {
      const removed = await removeTotp(deps, ownerOf(call));
      return removed.ok ? ok({ json: {} }) : removed;
    },
  }),
  post({
    path: "second-factor/recovery-codes",
    right: "signed-in",
    stepUp: true,
    handler: async (deps, call) => {
      const renewed = await replaceRecovery(deps, ownerOf(call));
      return renewed.ok ? ok({ json: { recovery_codes: renewed.value } }) : renewed;
    },
  }),
];

function ownerOf({ session, actor }: SignedInCall): Owner {
  return { id: session.personId, email: session.email, actor };
}
