import { findMethod, listMethodOffers } from "../../core/merchants/methods.ts";
import { findProviderUrlFault } from "../../core/provider-url.ts";
import { isProviderCode, isReservedCode } from "../../core/providers.ts";
import type { UpstreamSettings } from "../../core/upstream-settings.ts";
import type { CliContext, CommandInput, OptionSpec } from "../kit/command.ts";
import { optional, quote, readChoice, readInteger, wrongUsage } from "../kit/option-values.ts";

/** The words of `provider add` and `provider set` that say what a provider is. */

const CALLS_MAX = 1_024;
const TIMEOUT_MIN_MS = 1_000;
const TIMEOUT_MAX_MS = 60_000;
const PINS_MAX = 8;
/** What gives a setting its default again. */
const ALL = "all";
const NONE = "none";

export const SETTING_OPTIONS = {
  "base-url": { type: "string", value: "URL", help: "where its API is: https, without the path /api/v1/…" },
  "merchant-id": { type: "string", value: "ID", help: "your merchant's id there" },
  "project-id": { type: "string", value: "ID", help: "your project's id there" },
  scheme: { type: "string", value: "1|2", help: "how calls are signed; 2 also signs the path; default 2" },
  "three-ds": {
    type: "string",
    value: "challenge|redirect",
    help: "who takes the payer to the issuer: we do, or the provider's own page; default challenge",
  },
  serves: {
    type: "string",
    value: "DIRECTION:METHOD,…",
    help: "what may go through it, such as payin:card-p2p,payout:card-p2p; all: everything; default all",
  },
  "calls-max": { type: "string", value: "N", help: `calls at the same time, from 1 to ${CALLS_MAX}; default 64` },
  "timeout-ms": { type: "string", value: "N", help: "how long one call may take; default 10000" },
  pin: {
    type: "string",
    multiple: true,
    value: "SHA256",
    help: "accept only a certificate with this public key (SHA-256, base64); none: any valid certificate",
  },
  "no-holder": { type: "boolean", help: "it charges cards without the holder's name" },
  "needs-holder": { type: "boolean", help: "it refuses cards without the holder's name; this is the default" },
  "test-cards": {
    type: "string",
    value: "yes|no",
    help: "for rehearsals: your project there is a test project, so live projects may send the sandbox's cards; default no",
  },
} as const satisfies Record<string, OptionSpec>;

export function readNewCode(text: string): string {
  if (!isProviderCode(text)) {
    throw wrongUsage(
      `NAME must have 2 to 32 characters of a-z, 0-9 and -, and begin with a letter. It is ${quote(text)}.`,
    );
  }
  if (isReservedCode(text)) {
    throw wrongUsage(
      `NAME must not be or begin like pool, sandbox or manual, which are Tillgate's own. It is "${text}".`,
    );
  }
  return text;
}

/** What was named, and nothing else. */
export type NamedSettings = Partial<UpstreamSettings>;

export function readSettings(input: CommandInput): NamedSettings {
  const read: { [K in keyof UpstreamSettings]: UpstreamSettings[K] | undefined | typeof NONE } = {
    merchantId: optional(input, "merchant-id", readTheirId),
    projectId: optional(input, "project-id", readTheirId),
    scheme: optional(input, "scheme", (text, name) => (readChoice(text, name, ["1", "2"]) === "1" ? 1 : 2)),
    threeDs: optional(input, "three-ds", (text, name) => readChoice(text, name, ["challenge", "redirect"])),
    serves: optional(input, "serves", readServes),
    needsHolder: readHolder(input),
    testCards: optional(input, "test-cards", (text, name) => readChoice(text, name, ["yes", "no"]) === "yes"),
    pins: readPins(input.texts("pin")),
    callsMax: optional(input, "calls-max", (text, name) => readInteger(text, name, 1, CALLS_MAX)),
    timeoutMs: optional(input, "timeout-ms", (text, name) => readInteger(text, name, TIMEOUT_MIN_MS, TIMEOUT_MAX_MS)),
  };
  // The word that gives a default back is undefined from here on, which is how the default is stored.
  const named = Object.entries(read).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named.map(([name, value]) => [name, value === NONE ? undefined : value]));
}

export function readBaseUrl(context: CliContext, text: string): string {
  const fault = findProviderUrlFault(text, context.developmentMode ? "development" : "production");
  if (fault !== undefined) throw wrongUsage(`--base-url ${fault}.`);
  return text.replace(/\/+$/, "");
}

/** It goes into a header and into bodies as it is. */
const THEIR_ID = /^[\x21-\x7e]{1,64}$/;

function readTheirId(text: string, name: string): string {
  if (!THEIR_ID.test(text)) {
    throw wrongUsage(
      `${name} must have 1 to 64 characters without spaces, as the provider gave it. It is ${quote(text)}.`,
    );
  }
  return text;
}

function readServes(text: string): readonly string[] | typeof NONE {
  if (text === ALL) return NONE;
  const offers = new Set(listMethodOffers().map(({ direction, method }) => `${direction}:${method}`));
  const places = text.split(",");
  for (const place of places) {
    if (offers.has(place)) continue;
    const [direction, method = ""] = place.split(":");
    if (direction !== "payin" && direction !== "payout") {
      throw wrongUsage(`--serves must be like payin:card-p2p,payout:card-p2p. It holds ${quote(place)}.`);
    }
    throw wrongUsage(
      findMethod(method) === undefined
        ? `There is no method ${quote(method)}. The methods are ${listMethods()}.`
        : `There are no ${direction}s by ${method}.`,
    );
  }
  return [...new Set(places)];
}

function listMethods(): string {
  return [...new Set(listMethodOffers().map(({ method }) => method))].join(", ");
}

function readHolder(input: CommandInput): boolean | undefined {
  const [without, needed] = [input.flag("no-holder"), input.flag("needs-holder")];
  if (without && needed) throw wrongUsage("Give either --no-holder or --needs-holder.");
  return without || needed ? needed : undefined;
}

/** 32 bytes in base64. */
const PIN = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

function readPins(texts: readonly string[] | undefined): readonly string[] | typeof NONE | undefined {
  if (texts === undefined) return undefined;
  if (texts.includes(NONE)) {
    if (texts.length > 1) throw wrongUsage("--pin none goes without other pins.");
    return NONE;
  }
  if (texts.length > PINS_MAX) throw wrongUsage(`--pin can be given ${PINS_MAX} times at most.`);
  const wrong = texts.find((text) => !PIN.test(text));
  if (wrong !== undefined) {
    throw wrongUsage(
      `--pin must be the SHA-256 of the certificate's public key in base64, 44 characters. It is ${quote(wrong)}.`,
    );
  }
  return [...new Set(texts)];
}
