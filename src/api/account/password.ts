import { Type } from "typebox";
import { acceptInvited, lookAtInvitation } from "../../app/people/accept-invitation.ts";
import { changePassword, forgotPassword, resetPassword } from "../../app/people/change-password.ts";
import { ok } from "../../core/result.ts";
import { CLOSED } from "../merchant/blocks.ts";
import { emailText, languageText, nameText, passwordText, tokenText } from "./forms.ts";
import { post } from "./route.ts";

/** How a person comes to a password: by an invitation, by a link, by the present one. */
export const PASSWORD_ROUTES = [
  post({
    path: "invitation/look",
    right: "anyone",
    stepUp: false,
    body: Type.Object({ token: tokenText }, CLOSED),
    handler: async (deps, { body }) => {
      const seen = await lookAtInvitation(deps, body.token);
      return seen.ok ? ok({ json: seen.value }) : seen;
    },
  }),
  post({
    path: "invitation/accept",
    right: "anyone",
    stepUp: false,
    body: Type.Object(
      { token: tokenText, name: nameText, password: passwordText, language: Type.Optional(languageText) },
      CLOSED,
    ),
    handler: async (deps, { body, caller }) => {
      const joined = await acceptInvited(deps, { ...body, caller });
      if (!joined.ok) return joined;
      const { token, next, methods } = joined.value;
      return ok({ json: { next, methods }, session: token });
    },
  }),
  post({
    path: "password/forgot",
    right: "anyone",
    stepUp: false,
    body: Type.Object({ email: emailText }, CLOSED),
    handler: async (deps, { body, caller }) => {
      const begun = await forgotPassword(deps, { ...body, caller });
      return begun.ok ? ok({ json: {} }) : begun;
    },
  }),
  post({
    path: "password/reset",
    right: "anyone",
    stepUp: false,
    body: Type.Object({ token: tokenText, password: passwordText }, CLOSED),
    handler: async (deps, { body, caller }) => {
      const reset = await resetPassword(deps, { ...body, caller });
      return reset.ok ? ok({ json: {} }) : reset;
    },
  }),
  post({
    path: "password/change",
    right: "signed-in",
    stepUp: true,
    body: Type.Object({ password: passwordText, new_password: passwordText }, CLOSED),
    handler: async (deps, { body, caller, session, actor }) => {
      const wish = { password: body.password, newPassword: body.new_password, actor, caller };
      const changed = await changePassword(deps, session, wish);
      return changed.ok ? ok({ json: {} }) : changed;
    },
  }),
];
