import { Type } from "typebox";
import { changeProfile } from "../../../app/people/change-profile.ts";
import { ok } from "../../../core/result.ts";
import { CLOSED } from "../../merchant/blocks.ts";
import { languageText, nameText } from "../forms.ts";
import { ownerOf, post } from "../route.ts";

/** What a person says of themselves: the name that colleagues see, and the language of pages and e-mails. */
export const PROFILE_ROUTES = [
  post({
    path: "profile",
    right: "signed-in",
    stepUp: false,
    body: Type.Object({ name: Type.Optional(nameText), language: Type.Optional(languageText) }, CLOSED),
    handler: async (deps, call) => {
      await changeProfile(deps.db, ownerOf(call), call.body);
      return ok({ json: {} });
    },
  }),
];
