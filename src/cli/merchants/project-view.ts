import type { Id } from "../../core/ids.ts";
import { minorToJson } from "../../core/money.ts";
import type { ProjectMethod } from "../../store/merchants/project-methods.ts";
import type { Project, ProjectSettings } from "../../store/merchants/projects.ts";
import { type CliContext, CliFault } from "../kit/command.ts";
import { renderPairs, renderTable, showInstant } from "../kit/output.ts";

/** How a project is shown. A setting is called by the option that sets it. */
export function renderProject(project: Project, methods: readonly ProjectMethod[]): string {
  const settings = renderPairs([
    ["project", project.id],
    ["merchant", project.merchantId],
    ["book", project.book],
    ["created", showInstant(project.createdAt)],
    ...SETTINGS.map((setting) => settingPair(project, setting)),
  ]);
  return `${settings}\n\n${methods.length === 0 ? "No method was ever set." : renderMethods(methods)}`;
}

const OPTION_OF_SETTING = {
  name: "name",
  status: "status",
  scheme2Only: "scheme2-only",
  allowedIps: "allow-ip",
  ratePerSecond: "rate",
  rateBurst: "burst",
  callbackUrl: "callback-url",
  successCallbackUrl: "success-callback-url",
  declineCallbackUrl: "decline-callback-url",
  redirectUrl: "redirect-url",
  callbackSigning: "callback-signing",
  widgetOrigins: "widget-origin",
  accent: "accent",
  supportEmail: "support-email",
  supportPhone: "support-phone",
  supportUrl: "support-url",
  unpaidConfirmsMax: "unpaid-confirms",
  payerAttempts: "payer-attempts",
} as const satisfies Record<keyof ProjectSettings, string>;

const SETTINGS = Object.keys(OPTION_OF_SETTING) as (keyof ProjectSettings)[];

/** The settings that were changed, as they are now. */
export function renderSettings(project: Project, changed: Partial<ProjectSettings>): string {
  return renderPairs(SETTINGS.filter((setting) => setting in changed).map((setting) => settingPair(project, setting)));
}

/** The weakness of the older signature scheme and the command that ends it, in one line. */
export function printScheme1Warning(
  { print, programName }: Pick<CliContext, "print" | "programName">,
  { id, scheme2Only }: Pick<Project, "id" | "scheme2Only">,
): void {
  if (scheme2Only) return;
  print(
    "Signature scheme 1 does not bind the path: within TILLGATE_SIGNATURE_WINDOW_S a signed info can be replayed as a " +
      `cancel. Require scheme 2: ${programName} project set ${id} --scheme2-only on`,
  );
}

function settingPair(project: Project, setting: keyof ProjectSettings): readonly [string, string] {
  return [OPTION_OF_SETTING[setting], showSetting(project, setting)];
}

/** What an empty list means: for addresses that all may, for origins that none may. */
const WHEN_EMPTY: Partial<Record<keyof ProjectSettings, string>> = {
  allowedIps: "none (any address may call)",
  widgetOrigins: "none (no other page may show the payment page in a frame)",
};

function showSetting(project: Project, setting: keyof ProjectSettings): string {
  const value = project[setting];
  if (typeof value === "boolean") return value ? "on" : "off";
  if (value === null) return "none";
  if (typeof value === "object") return value.length === 0 ? (WHEN_EMPTY[setting] ?? "none") : value.join(" ");
  return String(value);
}

export function renderMethods(methods: readonly ProjectMethod[]): string {
  const columns = [
    { title: "METHOD" },
    { title: "STATE" },
    { title: "MIN", align: "right" },
    { title: "MAX", align: "right" },
    { title: "FEE BP", align: "right" },
    { title: "FEE FIXED", align: "right" },
  ] as const;
  const rows = methods.map((method) => [
    `${method.direction}:${method.method}:${method.currency}`,
    method.enabled ? "on" : "off",
    String(method.minAmount),
    String(method.maxAmount),
    String(method.feeBp),
    String(method.feeFixed),
  ]);
  return renderTable(columns, rows);
}

export function projectJson(project: Project) {
  return {
    project_id: project.id,
    merchant_id: project.merchantId,
    name: project.name,
    book: project.book,
    status: project.status,
    scheme2_only: project.scheme2Only,
    allowed_ips: project.allowedIps,
    rate_per_second: project.ratePerSecond,
    rate_burst: project.rateBurst,
    callback_url: project.callbackUrl,
    success_callback_url: project.successCallbackUrl,
    decline_callback_url: project.declineCallbackUrl,
    redirect_url: project.redirectUrl,
    unpaid_confirms_max: project.unpaidConfirmsMax,
    payer_attempts: project.payerAttempts,
    created_at: project.createdAt.toISOString(),
  };
}

export function methodJson({ direction, method, currency, enabled, ...limits }: ProjectMethod) {
  return {
    direction,
    method,
    currency,
    enabled,
    min_amount: minorToJson(limits.minAmount),
    max_amount: minorToJson(limits.maxAmount),
    fee_bp: limits.feeBp,
    fee_fixed: minorToJson(limits.feeFixed),
  };
}

export function projectUnknown(id: Id): CliFault {
  return new CliFault(`There is no project ${id}.`);
}
