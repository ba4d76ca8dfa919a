import { cleanImage, type ImageFault } from "../../core/page/clean-image.ts";
import { findAccent, findWidgetOrigin } from "../../core/page/page-look.ts";
import { findSupport, SUPPORT_WANTED, type SupportContact } from "../../core/page/support-contact.ts";
import type { Logo } from "../../store/merchants/projects.ts";
import { type CliContext, CliFault, type CommandInput, type OptionSpec } from "../kit/command.ts";
import { readBytes } from "../kit/input-file.ts";
import { optional, wrongUsage } from "../kit/option-values.ts";

/** How a project's payment page looks, and who may show it. */
export const PAGE_OPTIONS = {
  "widget-origin": {
    type: "string",
    multiple: true,
    value: "ORIGIN",
    help: "may show the payment page in a frame; none: no other page may",
  },
  accent: { type: "string", value: "#RRGGBB", help: "the payment page's colour; none: ours" },
  "support-email": { type: "string", value: "EMAIL", help: "how payers reach the shop; none: not shown" },
  "support-phone": { type: "string", value: "PHONE", help: "the shop's phone for payers; none: not shown" },
  "support-url": { type: "string", value: "URL", help: "the shop's page for questions; none: not shown" },
  logo: { type: "string", value: "FILE", help: "a PNG or JPEG for the payment page; none: no picture" },
} as const satisfies Record<string, OptionSpec>;

const NONE = "none";

/** https://shop.example; in development http too. */
export function readWidgetOrigins(
  context: CliContext,
  texts: readonly string[] | undefined,
): readonly string[] | undefined {
  if (texts === undefined) return undefined;
  if (texts.includes(NONE)) {
    if (texts.length > 1) throw wrongUsage("--widget-origin none goes without other origins.");
    return [];
  }
  return [...new Set(texts.map((text) => readOrigin(context, text)))];
}

function readOrigin(context: CliContext, text: string): string {
  const origin = findWidgetOrigin(text, context.developmentMode ? "development" : "production");
  if (origin === undefined) {
    throw wrongUsage(`--widget-origin must be an origin, such as https://shop.example; it is "${text}".`);
  }
  return origin;
}

export function readAccent(text: string, name: string): string | null {
  if (text === NONE) return null;
  const accent = findAccent(text);
  if (accent === undefined) throw wrongUsage(`${name} must be a colour such as #1a56db.`);
  return accent;
}

/** What the payment page says of how to reach the shop, of the options that were given. */
export function readSupport(
  context: CliContext,
  input: CommandInput,
): Record<keyof SupportContact, string | null | undefined> {
  const mode = context.developmentMode ? "development" : "production";
  const read = (setting: keyof SupportContact) => (text: string, name: string) => {
    if (text === NONE) return null;
    const value = findSupport(setting, text, mode);
    if (value === undefined) throw wrongUsage(`${name} ${SUPPORT_WANTED[setting]}.`);
    return value;
  };
  return {
    supportEmail: optional(input, "support-email", read("supportEmail")),
    supportPhone: optional(input, "support-phone", read("supportPhone")),
    supportUrl: optional(input, "support-url", read("supportUrl")),
  };
}

export const IMAGE_FAULTS: Readonly<Record<ImageFault, string>> = {
  not_an_image: "is neither a PNG nor a JPEG",
  damaged: "is damaged",
  too_large: "has more than 256 KiB",
  too_many_pixels: "is wider or higher than 2048 pixels",
};

export function readLogo(input: CommandInput): Logo | typeof NONE | undefined {
  const path = input.text("logo");
  if (path === undefined || path === NONE) return path;
  const image = cleanImage(readBytes(path));
  if (!image.ok) throw new CliFault(`${path} ${IMAGE_FAULTS[image.error]}. Nothing was changed.`);
  return image.value;
}
