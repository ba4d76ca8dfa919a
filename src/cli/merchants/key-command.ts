import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { CommandInput, OptionSpec } from "../kit/command.ts";
import {
  optional,
  readBook,
  readChoice,
  readId,
  readInstant,
  readPlainText,
  wrongUsage,
} from "../kit/option-values.ts";

/** What `key add` was asked for, before anything was looked up. */
export type KeyCommand = {
  readonly owner: KeyOwner;
  readonly source: KeySource;
  readonly label: string;
  readonly notBefore: Date;
  readonly notAfter: Date | null;
  readonly out: string | undefined;
};

/** A project knows its merchant and its book; they may be named beside it, and must then be right. */
type KeyOwner =
  | { readonly projectId: Id; readonly merchantId: Id | undefined; readonly book: Book | undefined }
  | { readonly projectId: undefined; readonly merchantId: Id; readonly book: Book };

type KeySource =
  | { readonly kind: "given"; readonly file: string }
  | { readonly kind: "generated"; readonly what: "rsa" | "hmac" };

const LABEL_MAX = 128;
const MS_PER_S = 1000;

export const KEY_OPTIONS = {
  merchant: { type: "string", value: "ID", help: "whose key it is; may be left out with --project" },
  project: { type: "string", value: "ID", help: "for this project only, not for all of the merchant's" },
  book: { type: "string", value: "test|live", help: "for test or live projects; with --project it is the project's" },
  "public-key": { type: "string", value: "FILE", help: "register this RSA public key (PEM); - reads standard input" },
  generate: { type: "string", value: "rsa|hmac", help: "generate a key, and show its secret part once" },
  label: { type: "string", value: "TEXT", help: "a name for people" },
  "not-before": { type: "string", value: "TIME", help: "valid from then on; otherwise from now on" },
  "not-after": { type: "string", value: "TIME", help: "valid until then; otherwise until it is revoked" },
  out: { type: "string", value: "FILE", help: "write the secret part into this new file instead of showing it" },
} as const satisfies Record<string, OptionSpec>;

export function readKeyCommand(input: CommandInput, nowMs: number): KeyCommand {
  const owner = readOwner(input);
  const source = readSource(input);
  const out = input.text("out");
  if (out !== undefined && source.kind === "given") {
    throw wrongUsage("--out goes with --generate: a given public key has no secret part to write.");
  }
  const label = input.text("label") === "" ? undefined : input.text("label");
  return {
    owner,
    source,
    out,
    label: label === undefined ? "" : readPlainText(label, "--label", LABEL_MAX),
    ...readValidity(input, nowMs),
  };
}

function readOwner(input: CommandInput): KeyOwner {
  const projectId = optional(input, "project", readId);
  const merchantId = optional(input, "merchant", readId);
  const book = optional(input, "book", readBook);
  if (projectId !== undefined) return { projectId, merchantId, book };
  if (merchantId === undefined) throw wrongUsage("--merchant or --project is missing: it says whose key this is.");
  if (book === undefined) throw wrongUsage("--book is missing: test or live.");
  return { projectId, merchantId, book };
}

function readSource(input: CommandInput): KeySource {
  const file = input.text("public-key");
  const what = optional(input, "generate", (text, name) => readChoice(text, name, ["rsa", "hmac"] as const));
  if ((file === undefined) === (what === undefined)) {
    throw wrongUsage("Give either --public-key FILE, or --generate rsa, or --generate hmac.");
  }
  return what === undefined ? { kind: "given", file: file ?? "" } : { kind: "generated", what };
}

function readValidity(input: CommandInput, nowMs: number): Pick<KeyCommand, "notBefore" | "notAfter"> {
  // Whole seconds, so that the key is valid by the time that it is shown.
  const now = new Date(Math.floor(nowMs / MS_PER_S) * MS_PER_S);
  const notBefore = optional(input, "not-before", readInstant) ?? now;
  const notAfter = optional(input, "not-after", readInstant) ?? null;
  if (notAfter !== null && notAfter <= now) throw wrongUsage("--not-after is in the past: the key would never work.");
  if (notAfter !== null && notAfter <= notBefore) throw wrongUsage("--not-after must be later than --not-before.");
  return { notBefore, notAfter };
}
