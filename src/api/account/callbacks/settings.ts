import { Type } from "typebox";
import {
  addCallbackSecret,
  changeCallbackUrl,
  changeSigning,
  enableUrl,
  endReplacedSecret,
  OVERLAP_STANDARD_DAYS,
  type ProjectCallbacks,
  promoteCallbackSecret,
  SECRET_KINDS,
  URL_NAMES,
  viewProjectCallbacks,
} from "../../../app/callbacks/project-callbacks.ts";
import { findMerchantUrlFault, MERCHANT_URL_MAX } from "../../../core/merchants/merchant-url.ts";
import { accountFault } from "../../../core/people/account-fault.ts";
import { fail, ok } from "../../../core/result.ts";
import { CLOSED } from "../../merchant/blocks.ts";
import { plainText } from "../../merchant/text-forms.ts";
import { projectJson } from "../report-json.ts";
import { NO_PROJECT } from "../report-query.ts";
import { get, post } from "../route.ts";
import { findOwnProject } from "./project-of.ts";

const OVERLAP_MAX_DAYS = 90;
const urlText = plainText(1, MERCHANT_URL_MAX);
const secretKind = Type.Enum([...SECRET_KINDS]);

const DONE = ok({ json: {} });

export const CALLBACK_SETTING_ROUTES = [
  get({
    path: "callbacks/projects/:project_id",
    right: "callbacks.manage",
    handler: async (deps, call) => {
      const own = await findOwnProject(deps, call);
      // Of the database itself: a person looks here right after a change.
      const view = own && (await viewProjectCallbacks(deps.db, own.change.projectId));
      if (own === undefined || view === undefined) return fail(NO_PROJECT);
      return ok({ json: { project: projectJson(own.project), ...settingsJson(view) } });
    },
  }),
  post({
    path: "callbacks/projects/:project_id/url",
    right: "callbacks.manage",
    stepUp: true,
    body: Type.Object({ name: Type.Enum([...URL_NAMES]), url: plainText(0, MERCHANT_URL_MAX) }, CLOSED),
    handler: async (deps, call) => {
      const own = await findOwnProject(deps, call);
      if (own === undefined) return fail(NO_PROJECT);
      const { name } = call.body;
      // An empty one: nothing is sent there.
      const url = call.body.url === "" ? null : call.body.url;
      const wrong = url === null ? undefined : findMerchantUrlFault(url, "callback", deps.mode);
      if (wrong !== undefined) {
        const fields = [{ field: "url", ...wrong }];
        return fail({ ...accountFault("validation_failed", `url ${wrong.message}`), fields });
      }
      const changed = await changeCallbackUrl(deps.db, own.change, name, url);
      return changed.ok ? DONE : changed;
    },
  }),
  post({
    path: "callbacks/projects/:project_id/signing",
    right: "callbacks.manage",
    stepUp: true,
    body: Type.Object({ callback_signing: Type.Enum(["rsa", "hmac"]) }, CLOSED),
    handler: async (deps, call) => {
      const own = await findOwnProject(deps, call);
      if (own === undefined) return fail(NO_PROJECT);
      const changed = await changeSigning(deps, own.change, call.body.callback_signing);
      return changed.ok ? ok({ json: changed.value ?? {} }) : changed;
    },
  }),
  post({
    path: "callbacks/projects/:project_id/keys/new",
    right: "callbacks.manage",
    stepUp: true,
    body: Type.Object(
      { kind: secretKind, overlap_days: Type.Optional(Type.Integer({ minimum: 0, maximum: OVERLAP_MAX_DAYS })) },
      CLOSED,
    ),
    handler: async (deps, call) => {
      const own = await findOwnProject(deps, call);
      if (own === undefined) return fail(NO_PROJECT);
      const { kind, overlap_days: days = OVERLAP_STANDARD_DAYS } = call.body;
      const added = await addCallbackSecret(deps, own.change, kind, days);
      return added.ok ? ok({ json: added.value }) : added;
    },
  }),
  post({
    path: "callbacks/projects/:project_id/keys/promote",
    right: "callbacks.manage",
    stepUp: true,
    handler: async (deps, call) => {
      const own = await findOwnProject(deps, call);
      if (own === undefined) return fail(NO_PROJECT);
      const promoted = await promoteCallbackSecret(deps.db, own.change);
      return promoted.ok ? DONE : promoted;
    },
  }),
  post({
    path: "callbacks/projects/:project_id/keys/end",
    right: "callbacks.manage",
    stepUp: true,
    body: Type.Object({ kind: secretKind }, CLOSED),
    handler: async (deps, call) => {
      const own = await findOwnProject(deps, call);
      if (own === undefined) return fail(NO_PROJECT);
      const ended = await endReplacedSecret(deps.db, own.change, call.body.kind);
      return ended.ok ? DONE : ended;
    },
  }),
  post({
    path: "callbacks/projects/:project_id/enable",
    right: "callbacks.manage",
    stepUp: false,
    body: Type.Object({ url: urlText }, CLOSED),
    handler: async (deps, call) => {
      const own = await findOwnProject(deps, call);
      if (own === undefined) return fail(NO_PROJECT);
      const enabled = await enableUrl(deps.db, own.change, call.body.url);
      return enabled.ok ? DONE : enabled;
    },
  }),
];

function settingsJson({ project, keys, disabled }: ProjectCallbacks): object {
  return {
    callback_url: project.callbackUrl,
    success_callback_url: project.successCallbackUrl,
    decline_callback_url: project.declineCallbackUrl,
    callback_signing: project.callbackSigning,
    keys: keys.map((key) => ({
      ...{ id: key.id, kind: key.kind, signs: key.signs ?? null, public_key_pem: key.publicKeyPem ?? null },
      created_at: key.createdAt.toISOString(),
      promoted_at: key.promotedAt?.toISOString() ?? null,
      retires_at: key.retiresAt?.toISOString() ?? null,
    })),
    disabled_urls: disabled.map(({ url, disabledAt, held }) => ({ url, disabled_at: disabledAt.toISOString(), held })),
  };
}
