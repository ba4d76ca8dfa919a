import {
  type ConfiguredProject,
  type ConfigureFault,
  configureProject,
  type ProjectChanges,
} from "../../app/merchants/merchants.ts";
import type { Id } from "../../core/ids.ts";
import { findMerchantUrlFault, type MerchantUrlUse } from "../../core/merchants/merchant-url.ts";
import { PAYER_ATTEMPTS_MAX } from "../../core/page/payer-attempts.ts";
import type { Database } from "../../store/db.ts";
import type { ProjectSettings } from "../../store/merchants/projects.ts";
import { type CliContext, CliFault, type Command, type CommandInput, EXIT } from "../kit/command.ts";
import {
  optional,
  positional,
  readChoice,
  readId,
  readInteger,
  readNetwork,
  readPlainText,
  wrongUsage,
} from "../kit/option-values.ts";
import { printJson } from "../kit/output.ts";
import { providerUnknown } from "../providers/provider-unknown.ts";
import { LIMIT_OPTIONS, readLimitChange } from "./limit-changes.ts";
import { NAME_MAX } from "./merchant.ts";
import { METHOD_OPTIONS, readMethodCommand } from "./method-changes.ts";
import { PAGE_OPTIONS, readAccent, readLogo, readSupport, readWidgetOrigins } from "./page-settings.ts";
import { limitsJson, renderLimits, renderRoutes, routeJson } from "./project-rules-view.ts";
import {
  methodJson,
  printScheme1Warning,
  projectJson,
  projectUnknown,
  renderMethods,
  renderSettings,
} from "./project-view.ts";
import { ROUTE_OPTIONS, readRouteChanges } from "./route-changes.ts";

/** What clears a setting that can be empty. */
const NONE = "none";
const RATE_MAX = 1_000_000;
const UNPAID_CONFIRMS_MAX = 1_000_000;

export const projectSet: Command = {
  name: "project set",
  summary: "Change a project's settings, methods, limits and routes. Omitted settings stay unchanged.",
  arguments: ["PROJECT"],
  options: {
    name: { type: "string", value: "NAME", help: "a name for people" },
    status: { type: "string", value: "active|paused", help: "a paused project accepts no new payments" },
    "scheme2-only": { type: "string", value: "on|off", help: "refuse scheme 1, which does not bind the path" },
    "allow-ip": {
      type: "string",
      multiple: true,
      value: "ADDRESS",
      help: "only these addresses may call; none: any address",
    },
    rate: { type: "string", value: "N", help: "calls a second, on average" },
    burst: { type: "string", value: "N", help: "calls in one burst" },
    "callback-url": { type: "string", value: "URL", help: "where callbacks are sent; none: no callbacks" },
    "success-callback-url": { type: "string", value: "URL", help: "where callbacks of successes are sent instead" },
    "decline-callback-url": { type: "string", value: "URL", help: "where callbacks of declines are sent instead" },
    "redirect-url": { type: "string", value: "URL", help: "where the payer's browser returns" },
    "callback-signing": { type: "string", value: "rsa|hmac", help: "the service's key, or a secret of the project" },
    "unpaid-confirms": {
      type: "string",
      value: "N|none",
      help: "a customer with this many unpaid confirms gets no requisites of your own accounts",
    },
    "payer-attempts": {
      type: "string",
      value: "N",
      help: "how often a payer may choose how to pay on the payment page",
    },
    ...PAGE_OPTIONS,
    ...METHOD_OPTIONS,
    ...LIMIT_OPTIONS,
    ...ROUTE_OPTIONS,
    json: { type: "boolean", help: "print the project and what was set as JSON" },
  },
  notes: [
    "METHOD is direction:method:currency, such as payin:card-p2p:RUB; payin:all, payout:all and all name many.",
    "Example: {program} project set PROJECT --method payin:all --enable --fee-bp 250 --max 50000000",
    "Example: {program} project set PROJECT --allow-ip 192.0.2.7 --allow-ip 198.51.100.0/24 --scheme2-only on",
    "Example: {program} project set PROJECT --limit payout:RUB --daily-sum 100000000 --customer-daily-count 3",
    "Example: {program} project set PROJECT --route payin:card-p2p=sandbox",
    'Example: {program} project set PROJECT --route "payin:card-ecom=acme*70[amount<=100000]+zenit*30,backup"',
    "In a route , puts a provider behind those before it; + makes providers share the payments, by the weights after *;",
    "conditions in [] are amount>=N, amount<=N, currency=RUB, country=RU|KZ and bank=SYMBOL, with spaces between them.",
  ],
  run: async (context, input) => {
    const id = readId(positional(input, 0), "PROJECT");
    const changes = readAll(context, input);
    const configured = await context.withDatabase((db) => apply(db, id, changes));
    if (input.flag("json")) printJson(context, configuredJson(configured));
    else printChanged(context, configured, changes.settings);
    return EXIT.done;
  },
};

type Changes = ProjectChanges & { readonly settings: Partial<ProjectSettings> };

function readAll(context: CliContext, input: CommandInput): Changes {
  const settings = readSettings(context, input);
  const command = readMethodCommand(input);
  const limits = readLimitChange(input);
  const routes = readRouteChanges(input);
  const logo = readLogo(input);
  const nothing = Object.keys(settings).length === 0 && command === undefined && limits === undefined;
  if (nothing && routes.length === 0 && logo === undefined)
    throw wrongUsage("Nothing to change: name at least one setting.");
  return {
    settings,
    routes,
    ...(logo === undefined ? {} : { logo }),
    ...(command === undefined ? {} : { offers: command.offers, methods: command.changes }),
    ...(limits === undefined ? {} : { limits }),
  };
}

function configuredJson({ project, methods, limits, routes }: ConfiguredProject) {
  return {
    ...projectJson(project),
    methods: methods.map(methodJson),
    limits: limits.map(limitsJson),
    routes: routes.map(routeJson),
  };
}

function printChanged(context: CliContext, configured: ConfiguredProject, settings: Partial<ProjectSettings>): void {
  const { project, methods, limits, routes } = configured;
  context.print(`Changed project ${project.id} (${project.name}).`);
  if (Object.keys(settings).length > 0) context.print(renderSettings(project, settings));
  if (methods.length > 0) context.print(renderMethods(methods));
  if (limits.length > 0) context.print(renderLimits(limits));
  if (routes.length > 0) context.print(renderRoutes(routes));
  if ("scheme2Only" in settings) printScheme1Warning(context, project);
}

function readSettings(context: CliContext, input: CommandInput): Partial<ProjectSettings> {
  const url = (use: MerchantUrlUse) => (text: string, name: string) => readUrl(context, text, name, use);
  const rate = (text: string, name: string) => readInteger(text, name, 1, RATE_MAX);
  const read: { [K in keyof ProjectSettings]: ProjectSettings[K] | undefined } = {
    name: optional(input, "name", (text, name) => readPlainText(text, name, NAME_MAX)),
    status: optional(input, "status", (text, name) => readChoice(text, name, ["active", "paused"])),
    scheme2Only: optional(input, "scheme2-only", (text, name) => readChoice(text, name, ["on", "off"]) === "on"),
    allowedIps: readAllowedIps(input.texts("allow-ip")),
    ratePerSecond: optional(input, "rate", rate),
    rateBurst: optional(input, "burst", rate),
    callbackUrl: optional(input, "callback-url", url("callback")),
    successCallbackUrl: optional(input, "success-callback-url", url("callback")),
    declineCallbackUrl: optional(input, "decline-callback-url", url("callback")),
    redirectUrl: optional(input, "redirect-url", url("redirect")),
    widgetOrigins: readWidgetOrigins(context, input.texts("widget-origin")),
    accent: optional(input, "accent", readAccent),
    ...readSupport(context, input),
    unpaidConfirmsMax: optional(input, "unpaid-confirms", (text, name) =>
      text === NONE ? null : readInteger(text, name, 1, UNPAID_CONFIRMS_MAX),
    ),
    payerAttempts: optional(input, "payer-attempts", (text, name) => readInteger(text, name, 1, PAYER_ATTEMPTS_MAX)),
    callbackSigning: optional(input, "callback-signing", (text, name) => readChoice(text, name, ["rsa", "hmac"])),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

function readUrl(context: CliContext, text: string, name: string, use: MerchantUrlUse): string | null {
  if (text === NONE) return null;
  const fault = findMerchantUrlFault(text, use, context.developmentMode ? "development" : "production");
  if (fault !== undefined) throw wrongUsage(`${name} ${fault.message}.`);
  return text;
}

function readAllowedIps(texts: readonly string[] | undefined): readonly string[] | undefined {
  if (texts === undefined) return undefined;
  if (texts.includes(NONE)) {
    if (texts.length > 1) throw wrongUsage("--allow-ip none goes without other addresses.");
    return [];
  }
  return [...new Set(texts.map((text) => readNetwork(text, "--allow-ip")))];
}

async function apply(db: Database, id: Id, changes: ProjectChanges): Promise<ConfiguredProject> {
  const configured = await configureProject(db, id, changes);
  if (configured.ok) return configured.value;
  const fault = configured.error;
  if (fault.kind === "project_unknown") throw projectUnknown(id);
  if (fault.kind === "provider_unknown") throw await providerUnknown(db, fault.provider);
  throw new CliFault(`${refusal(fault)}. Nothing was changed.`);
}

function refusal(fault: Exclude<ConfigureFault, { kind: "project_unknown" | "provider_unknown" }>): string {
  if (fault.kind === "method_not_served") {
    return `${fault.provider} cannot serve ${fault.direction}:${fault.method}`;
  }
  if (fault.kind === "bank_unknown") return `There is no bank ${fault.bank}: see bank list`;
  if (fault.kind === "condition_never_met") {
    return `No ${fault.direction} by ${fault.method} can meet ${fault.condition}`;
  }
  if (fault.kind === "provider_retired") return `${fault.provider} is retired, and takes no new payments`;
  if ("provider" in fault) {
    return `${fault.provider} never sees ${fault.book} money, and this is a ${fault.book} project`;
  }
  const name = `${fault.offer.direction}:${fault.offer.method}:${fault.offer.currency}`;
  const reason = fault.kind === "not_offered" ? "is not offered" : "the smallest amount would be above the largest";
  return `${name}: ${reason}`;
}
