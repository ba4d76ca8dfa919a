import { Type } from "typebox";
import { invitationLink, invite, withdrawInvitation } from "../../app/people/invite.ts";
import { readAudit } from "../../app/people/read-audit.ts";
import { changeRole, removeMember, requireSecondFactor, viewTeam } from "../../app/people/team.ts";
import { findId, type Id } from "../../core/ids.ts";
import { accountFault } from "../../core/people/account-fault.ts";
import { findEmail } from "../../core/people/email.ts";
import { fail, ok } from "../../core/result.ts";
import { CLOSED } from "../merchant/blocks.ts";
import { emailText, roleText, tokenText } from "./forms.ts";
import { get, post } from "./route.ts";

/** What cannot be an id is one that no row has. */
const NO_ID = "0".repeat(32) as Id;
const idOf = (text: string | undefined): Id => findId(text ?? "") ?? NO_ID;

export const TEAM_ROUTES = [
  get({
    path: "team",
    right: "team.read",
    handler: async (deps, { merchantId }) =>
      ok({ json: await viewTeam(deps.db, merchantId, new Date(deps.clock.nowMs())) }),
  }),
  post({
    path: "team/invite",
    right: "team.manage",
    stepUp: true,
    body: Type.Object({ email: emailText, role: roleText }, CLOSED),
    handler: async (deps, { body, merchantId, actor }) => {
      const email = findEmail(body.email);
      if (email === undefined) return fail(accountFault("validation_failed", "email must be an e-mail address"));
      const { role } = body;
      const now = new Date(deps.clock.nowMs());
      const invited = await invite(deps.db, { merchantId, email, role, actor, now });
      if (!invited.ok) return invited;
      const { id, token, merchantName } = invited.value;
      const link = invitationLink(deps.publicUrl(), token);
      if (deps.sendNotice === undefined) return ok({ json: { id, link } });
      deps.sendNotice({ kind: "invitation", to: email, merchantName, role, link });
      return ok({ json: { id } });
    },
  }),
  post({
    path: "team/invitations/:id/revoke",
    right: "team.manage",
    stepUp: true,
    handler: async (deps, { merchantId, params, actor }) =>
      (await withdrawInvitation(deps.db, merchantId, idOf(params.id), actor))
        ? ok({ json: {} })
        : fail(accountFault("not_found", "there is no such invitation")),
  }),
  post({
    path: "team/:person_id/role",
    right: "team.manage",
    stepUp: true,
    body: Type.Object({ role: roleText }, CLOSED),
    handler: async (deps, { merchantId, params, actor, body }) => {
      const changed = await changeRole(deps.db, { merchantId, personId: idOf(params.person_id), actor }, body.role);
      return changed.ok ? ok({ json: {} }) : changed;
    },
  }),
  post({
    path: "team/:person_id/remove",
    right: "team.manage",
    stepUp: true,
    handler: async (deps, { merchantId, params, actor }) => {
      const removed = await removeMember(deps.db, { merchantId, personId: idOf(params.person_id), actor });
      return removed.ok ? ok({ json: {} }) : removed;
    },
  }),
  post({
    path: "security",
    right: "security.manage",
    stepUp: true,
    body: Type.Object({ require_second_factor: Type.Boolean() }, CLOSED),
    handler: async (deps, { merchantId, actor, body, session }) => {
      const { require_second_factor: required } = body;
      if (required && !session.hasTotp && session.passkeys === 0)
        return fail(accountFault("wrong_state", "set up a second factor of your own first"));
      await requireSecondFactor(deps.db, { merchantId, actor, required });
      return ok({ json: {} });
    },
  }),
  get({
    path: "audit",
    right: "audit.read",
    query: Type.Object({ cursor: Type.Optional(tokenText) }, CLOSED),
    handler: async (deps, { merchantId, query }) => {
      const below = query.cursor === undefined ? undefined : findId(query.cursor);
      if (query.cursor !== undefined && below === undefined)
        return fail(accountFault("validation_failed", "cursor must be one that an answer gave"));
      return ok({ json: await readAudit(deps.db, merchantId, below) });
    },
  }),
];
