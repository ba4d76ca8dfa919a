import { Type } from "typebox";
import {
  changeAttempts,
  changeLogo,
  changeLook,
  changeOrigin,
  changeSupport,
  type Look,
  type PageSettings,
  viewPageSettings,
} from "../../../app/page/page-settings.ts";
import { MERCHANT_URL_MAX } from "../../../core/merchants/merchant-url.ts";
import { cleanImage, type ImageFault } from "../../../core/page/clean-image.ts";
import { findAccent, findWidgetOrigin } from "../../../core/page/page-look.ts";
import { PAYER_ATTEMPTS_MAX } from "../../../core/page/payer-attempts.ts";
import { findSupport, SUPPORT_WANTED, type SupportContact } from "../../../core/page/support-contact.ts";
import { type AccountErrorCode, type AccountFault, accountFault } from "../../../core/people/account-fault.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import { CLOSED } from "../../merchant/blocks.ts";
import { plainText } from "../../merchant/text-forms.ts";
import { nameText, originText, pictureText } from "../forms.ts";
import { get, idOf, type MemberCall, post } from "../route.ts";

/** The largest picture that is taken, as base64 in JSON. */
const PICTURE_BODY_BYTES_MAX = 384 * 1024;

const supportText = Type.Optional(Type.Union([plainText(1, MERCHANT_URL_MAX), Type.Null()]));

/**
 * How a project's payment page looks, and whose pages may show it. The look needs no second factor: it moves no money and is seen
 * at once. An origin does: one that is not the shop's could show the page of a real payment inside a page that deceives payers. So
 * does the contact: payers believe the person whom they reach by it.
 */
export const PAGE_SETTINGS_ROUTES = [
  get({
    path: "settings/:project_id",
    right: "settings.manage",
    handler: async (deps, call) => answer(await viewPageSettings(deps.db, projectOf(call))),
  }),
  post({
    path: "settings/:project_id/look",
    right: "settings.manage",
    stepUp: false,
    body: Type.Object(
      {
        name: Type.Optional(nameText),
        accent: Type.Optional(Type.Union([Type.String({ maxLength: 7 }), Type.Null()])),
      },
      CLOSED,
    ),
    handler: async (deps, call) => {
      const look = readLook(call.body);
      return look.ok ? answer(await changeLook(deps.db, changeOf(call), look.value)) : look;
    },
  }),
  post({
    path: "settings/:project_id/logo",
    right: "settings.manage",
    stepUp: false,
    bodyBytesMax: PICTURE_BODY_BYTES_MAX,
    body: Type.Object({ picture: Type.Union([pictureText, Type.Null()]) }, CLOSED),
    handler: async (deps, call) => {
      const { picture } = call.body;
      if (picture === null) return answer(await changeLogo(deps.db, changeOf(call), undefined));
      const image = cleanImage(Buffer.from(picture, "base64"));
      if (!image.ok) return fail(PICTURE_FAULTS[image.error]);
      return answer(await changeLogo(deps.db, changeOf(call), image.value));
    },
  }),
  post({
    path: "settings/:project_id/origin",
    right: "settings.manage",
    stepUp: true,
    body: Type.Object({ origin: originText, allowed: Type.Boolean() }, CLOSED),
    handler: async (deps, call) => {
      const { origin: text, allowed } = call.body;
      // One that the rules of today refuse can still be taken away.
      const origin = allowed ? findWidgetOrigin(text, deps.mode) : text;
      if (origin === undefined) return fail(invalid("origin", "must be an origin, such as https://shop.example"));
      return answer(await changeOrigin(deps.db, changeOf(call), { origin, allowed }));
    },
  }),
  post({
    path: "settings/:project_id/support",
    right: "settings.manage",
    stepUp: true,
    body: Type.Object({ email: supportText, phone: supportText, url: supportText }, CLOSED),
    handler: async (deps, call) => {
      const support = readSupport(call.body, deps.mode);
      return support.ok ? answer(await changeSupport(deps.db, changeOf(call), support.value)) : support;
    },
  }),
  post({
    path: "settings/:project_id/attempts",
    right: "settings.manage",
    stepUp: false,
    body: Type.Object({ payer_attempts: Type.Integer({ minimum: 1, maximum: PAYER_ATTEMPTS_MAX }) }, CLOSED),
    handler: async (deps, call) => answer(await changeAttempts(deps.db, changeOf(call), call.body.payer_attempts)),
  }),
];

function projectOf({ merchantId, params }: MemberCall) {
  return { merchantId, projectId: idOf(params.project_id) };
}

function changeOf(call: MemberCall) {
  return { ...projectOf(call), actor: call.actor };
}

function readLook({ name, accent }: { name?: string; accent?: string | null }): Result<Look, AccountFault> {
  const colour = typeof accent === "string" ? findAccent(accent) : accent;
  if (typeof accent === "string" && colour === undefined)
    return fail(invalid("accent", "must be a colour such as #1a56db"));
  return ok({ ...(name === undefined ? {} : { name }), ...(colour === undefined ? {} : { accent: colour }) });
}

const SETTING_OF_FIELD = { email: "supportEmail", phone: "supportPhone", url: "supportUrl" } as const;

type SupportBody = { readonly [Field in keyof typeof SETTING_OF_FIELD]?: string | null };

/** What is not named stays as it is; null removes. */
function readSupport(
  body: SupportBody,
  mode: "development" | "production",
): Result<Partial<SupportContact>, AccountFault> {
  const support: { -readonly [Setting in keyof SupportContact]?: string | null } = {};
  for (const [field, setting] of Object.entries(SETTING_OF_FIELD)) {
    const text = body[field as keyof SupportBody];
    if (text === undefined) continue;
    const value = text === null ? null : findSupport(setting, text, mode);
    if (value === undefined) return fail(invalid(field, SUPPORT_WANTED[setting]));
    support[setting] = value;
  }
  return ok(support);
}

function invalid(field: string, message: string): AccountFault {
  return {
    ...accountFault("validation_failed", `${field} ${message}`),
    fields: [{ field, code: "bad_format", message }],
  };
}

const PICTURE_FAULTS = {
  not_an_image: accountFault("picture_not_image", "the picture is neither a PNG nor a JPEG"),
  damaged: accountFault("picture_damaged", "the picture is damaged"),
  too_large: accountFault("picture_too_large", "the picture has more than 256 KiB"),
  too_many_pixels: accountFault("picture_too_many_pixels", "the picture is wider or higher than 2048 pixels"),
} as const satisfies Record<ImageFault, { readonly code: AccountErrorCode }>;

function answer(settings: Result<PageSettings, AccountFault>) {
  if (!settings.ok) return settings;
  const { project, logo } = settings.value;
  const { id, name, book, accent, widgetOrigins, supportEmail, supportPhone, supportUrl } = project;
  const picture = logo === undefined ? null : `data:${logo.type};base64,${logo.bytes.toString("base64")}`;
  const support = { email: supportEmail, phone: supportPhone, url: supportUrl };
  const page = { accent, logo: picture, origins: widgetOrigins, support, payer_attempts: project.payerAttempts };
  return ok({ json: { project: { id, name, book }, ...page } });
}
