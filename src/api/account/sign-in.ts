import { Type } from "typebox";
import { proveSecondFactor, stepUp } from "../../app/people/prove-factor.ts";
import { signIn, signOut } from "../../app/people/sign-in.ts";
import { viewSession } from "../../app/people/view-session.ts";
import { accountFault } from "../../core/people/account-fault.ts";
import { fail, ok } from "../../core/result.ts";
import { CLOSED } from "../merchant/blocks.ts";
import { codeText, emailText, passwordText } from "./forms.ts";
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
    path: "sign-in/second-factor",
    right: "anyone",
    stepUp: false,
    body: Type.Object({ kind: Type.Enum(["totp", "recovery_code"]), code: codeText }, CLOSED),
    handler: async (deps, { body, caller, session }) => {
      if (session?.awaitsFactor !== true) return fail(PASSWORD_FIRST);
      const proved = await proveSecondFactor(deps, session, body, caller);
      return proved.ok ? ok({ json: { next: "done" }, session: proved.value }) : proved;
    },
  }),
  post({
    path: "step-up",
    right: "signed-in",
    stepUp: false,
    body: Type.Object({ kind: Type.Enum(["totp", "recovery_code", "password"]), code: passwordText }, CLOSED),
    handler: async (deps, { body, caller, session }) => {
      const proved = await stepUp(deps, session, body, caller);
      return proved.ok ? ok({ json: {} }) : proved;
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

/** The page then goes back to the first step. */
const PASSWORD_FIRST = accountFault("wrong_state", "give the e-mail address and the password first");
