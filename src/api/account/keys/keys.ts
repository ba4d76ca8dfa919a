import { Type } from "typebox";
import { addKey, type MadeKey, replaceKey, revokeKey } from "../../../app/merchants/manage-keys.ts";
import { type ViewedKey, type ViewedProject, viewEndedKeys, viewKeys } from "../../../app/merchants/view-keys.ts";
import { findId } from "../../../core/ids.ts";
import { accountFault } from "../../../core/people/account-fault.ts";
import { fail, ok } from "../../../core/result.ts";
import { CLOSED } from "../../merchant/blocks.ts";
import { tokenText } from "../forms.ts";
import { type AccountDeps, get, idOf, type MemberCall, post } from "../route.ts";
import { newKeyBody, readReach, readWish, replaceBody, revokeBody } from "./key-forms.ts";

/** The keys that a merchant's server signs its calls with. */
export const KEY_ROUTES = [
  get({
    path: "keys",
    right: "keys.manage",
    handler: async (deps, { merchantId }) => {
      const { projects, keys } = await viewKeys(deps.db, merchantId, deps.clock.nowMs());
      const baseUrl = deps.publicUrl();
      return ok({
        json: {
          ...{ merchant_id: merchantId, base_url: baseUrl, docs_url: `${baseUrl}/docs` },
          ...{ projects: projects.map(projectJson), keys: keys.map(keyJson) },
        },
      });
    },
  }),
  get({
    path: "keys/ended",
    right: "keys.manage",
    query: Type.Object({ cursor: Type.Optional(tokenText) }, CLOSED),
    handler: async (deps, { merchantId, query }) => {
      const below = query.cursor === undefined ? undefined : findId(query.cursor);
      if (query.cursor !== undefined && below === undefined)
        return fail(accountFault("validation_failed", "cursor must be one that an answer gave"));
      const { keys, next } = await viewEndedKeys(deps.db, merchantId, { below, nowMs: deps.clock.nowMs() });
      return ok({ json: { keys: keys.map(keyJson), next } });
    },
  }),
  post({
    path: "keys",
    right: "keys.manage",
    stepUp: true,
    body: newKeyBody,
    handler: async (deps, call) => {
      const wish = readWish(call.body);
      const reach = readReach(call.body);
      if (!wish.ok) return wish;
      if (!reach.ok) return reach;
      const made = await addKey(deps, changeOf(deps, call), { ...wish.value, reach: reach.value });
      return made.ok ? ok({ json: madeJson(made.value) }) : made;
    },
  }),
  post({
    path: "keys/:id/replace",
    right: "keys.manage",
    stepUp: true,
    body: replaceBody,
    handler: async (deps, call) => {
      const wish = readWish(call.body);
      if (!wish.ok) return wish;
      const replaced = { keyId: idOf(call.params.id), overlapS: call.body.overlap_s };
      const made = await replaceKey(deps, changeOf(deps, call), { ...wish.value, ...replaced });
      return made.ok ? ok({ json: madeJson(made.value) }) : made;
    },
  }),
  post({
    path: "keys/:id/revoke",
    right: "keys.manage",
    stepUp: true,
    body: revokeBody,
    handler: async (deps, call) => {
      const wanted = { keyId: idOf(call.params.id), lastToo: call.body.last_too };
      const revoked = await revokeKey(deps.db, changeOf(deps, call), wanted);
      return revoked.ok ? ok({ json: {} }) : revoked;
    },
  }),
];

function changeOf({ clock }: AccountDeps, { merchantId, actor }: MemberCall) {
  return { merchantId, actor, nowMs: clock.nowMs() };
}

/** The only answer that ever has the secret. */
function madeJson({ id, token, kind, secret }: MadeKey): object {
  return { id, token, kind, ...(secret === undefined ? {} : { secret: secret.reveal() }) };
}

function keyJson(key: ViewedKey): object {
  return {
    id: key.id,
    label: key.label,
    kind: key.kind,
    token: key.token,
    project_id: key.projectId,
    book: key.book,
    state: key.state === "not yet" ? "not_yet" : key.state,
    created_at: key.createdAt.toISOString(),
    not_before: key.notBefore.toISOString(),
    not_after: key.notAfter?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    needed_by: key.neededBy,
  };
}

function projectJson(project: ViewedProject): object {
  return {
    id: project.id,
    name: project.name,
    book: project.book,
    status: project.status,
    scheme2_only: project.scheme2Only,
    allowed_ips: project.allowedIps,
    rate_per_second: project.ratePerSecond,
    key_count: project.keyCount,
  };
}
