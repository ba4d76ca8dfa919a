import { Type } from "typebox";
import { addPasskey, askForPasskey, beginPasskey, dropPasskey } from "../../app/people/passkeys.ts";
import { proveSecondFactor, stepUp } from "../../app/people/prove-factor.ts";
import { fail, ok } from "../../core/result.ts";
import { CLOSED } from "../merchant/blocks.ts";
import { plainText } from "../merchant/text-forms.ts";
import { idOf, ownerOf, post } from "./route.ts";
import { PASSWORD_FIRST } from "./sign-in.ts";

/** What a browser says of a passkey; the library that verifies it reads what is inside. */
const credential = Type.Object({ id: Type.String({ maxLength: 2048 }) }, { additionalProperties: true });

export const PASSKEY_ROUTES = [
  post({
    path: "sign-in/passkey/options",
    right: "anyone",
    stepUp: false,
    handler: async (deps, { session, origin }) =>
      session?.awaitsFactor === true
        ? ok({ json: await askForPasskey(deps, session, { origin }) })
        : fail(PASSWORD_FIRST),
  }),
  post({
    path: "sign-in/passkey",
    right: "anyone",
    stepUp: false,
    body: Type.Object({ response: credential }, CLOSED),
    handler: async (deps, { body, session, origin, caller }) => {
      if (session?.awaitsFactor !== true) return fail(PASSWORD_FIRST);
      const proof = { kind: "passkey", place: { origin }, response: body.response } as const;
      const proved = await proveSecondFactor(deps, session, proof, caller);
      return proved.ok ? ok({ json: { next: "done" }, session: proved.value, signedIn: session.email }) : proved;
    },
  }),
  post({
    path: "step-up/passkey/options",
    right: "signed-in",
    stepUp: false,
    handler: async (deps, { session, origin }) => ok({ json: await askForPasskey(deps, session, { origin }) }),
  }),
  post({
    path: "step-up/passkey",
    right: "signed-in",
    stepUp: false,
    body: Type.Object({ response: credential }, CLOSED),
    handler: async (deps, { body, session, origin, caller }) => {
      const proof = { kind: "passkey", place: { origin }, response: body.response } as const;
      const proved = await stepUp(deps, session, proof, caller);
      return proved.ok ? ok({ json: {} }) : proved;
    },
  }),
  post({
    path: "second-factor/passkeys/begin",
    right: "signed-in",
    stepUp: true,
    handler: async (deps, { session, origin }) => ok({ json: await beginPasskey(deps, session, { origin }) }),
  }),
  post({
    path: "second-factor/passkeys/finish",
    right: "signed-in",
    stepUp: true,
    body: Type.Object({ name: plainText(1, 64), response: credential }, CLOSED),
    handler: async (deps, call) => {
      const { session, origin, body } = call;
      const added = await addPasskey(deps, session, { origin }, { ...body, owner: ownerOf(call) });
      if (!added.ok) return added;
      const { id, recoveryCodes } = added.value;
      return ok({ json: { id, ...(recoveryCodes === undefined ? {} : { recovery_codes: recoveryCodes }) } });
    },
  }),
  post({
    path: "second-factor/passkeys/:id/remove",
    right: "signed-in",
    stepUp: true,
    handler: async (deps, call) => {
      const removed = await dropPasskey(deps, ownerOf(call), idOf(call.params.id));
      return removed.ok ? ok({ json: {} }) : removed;
    },
  }),
];
