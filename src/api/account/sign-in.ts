import { Type } from "typebox";
import { signIn, signOut } from "../../app/people/sign-in.ts";
import { viewSession } from "../../app/people/view-session.ts";
import { ok } from "../../core/result.ts";
import { CLOSED } from "../merchant/blocks.ts";
import { emailText, passwordText } from "./forms.ts";
import { get, post } from "./route.ts";

export const SIGN_IN_ROUTES = [
  get({
    path: "session",
    right: "signed-in",
    handler: async (deps, { session }) => ok({ json: { ...(await viewSession(deps, session)), mode: deps.mode } }),
  }),
  post({
    path: "sign-in",
    right: "anyone",
    stepUp: false,
    body: Type.Object({ email: emailText, password: passwordText }, CLOSED),
    handler: async (deps, { body, caller }) => {
      const signed = await signIn(deps, { ...body, caller });
      if (!signed.ok) return signed;
      const { token, next, methods } = signed.value;
      return ok({ json: { next, methods }, session: token });
    },
  }),
  post({
    path: "sign-out",
    right: "signed-in",
    stepUp: false,
    handler: async (deps, { session }) => {
      await signOut(deps, session);
      return ok({ json: {}, session: null });
    },
  }),
];
