import { base64Of, base64urlOf, digest, hexOf, utf8 } from "../signing/bytes.ts";
import { type Mistake, ofScheme } from "./mistake.ts";

const SAME_BYTES = "Sign the same bytes that you send: make the JSON once, keep the text, and use it for both.";

type Format = { readonly name: string; readonly of: (rawBody: string) => string };

/** How libraries write the same JSON. */
const FORMATS: readonly Format[] = [
  { name: "without whitespace", of: (raw) => JSON.stringify(JSON.parse(raw)) },
  { name: "with a space after each colon and comma, as Python's json.dumps writes it", of: (raw) => spaced(raw) },
  {
    name: "as Python's json.dumps writes it, with every letter outside ASCII escaped",
    of: (raw) => asciiOnly(spaced(raw)),
  },
  { name: "with every letter outside ASCII escaped", of: (raw) => asciiOnly(JSON.stringify(JSON.parse(raw))) },
  {
    name: "with slashes escaped, as PHP's json_encode writes it",
    of: (raw) => asciiOnly(JSON.stringify(JSON.parse(raw))).replaceAll("/", "\\/"),
  },
  {
    name: "with <, > and & escaped, as Go's json.Marshal writes it",
    of: (raw) => JSON.stringify(JSON.parse(raw)).replace(/[<>&]/g, escaped),
  },
  { name: "indented by two spaces", of: (raw) => JSON.stringify(JSON.parse(raw), null, 2) },
  { name: "indented by four spaces", of: (raw) => JSON.stringify(JSON.parse(raw), null, 4) },
  { name: "with its members sorted", of: (raw) => JSON.stringify(sorted(JSON.parse(raw))) },
];

const ENDINGS: readonly Format[] = [
  { name: "with a line feed at its end", of: (raw) => `${raw.replace(/\r?\n$/, "")}\n` },
  { name: "without the whitespace around it", of: (raw) => raw.trim() },
  { name: "with line ends as CR LF", of: (raw) => raw.replace(/\r?\n/g, "\r\n") },
  { name: "with line ends as LF", of: (raw) => raw.replaceAll("\r\n", "\n") },
  { name: "with a byte order mark in front", of: (raw) => `\ufeff${raw}` },
  { name: "as an empty text: it was signed before it was there", of: () => "" },
];

export const BODY_MISTAKES: readonly Mistake[] = [
  ...[...FORMATS, ...ENDINGS].map(
    ({ name, of }): Mistake => ({
      part: "body",
      says: `the body ${name}, which is not the body here. ${SAME_BYTES}`,
      change: ofScheme(2, ({ rawBody }) => ({ rawBody: of(rawBody) })),
    }),
  ),
  {
    part: "hash",
    says: "the body's SHA-256 in capital letters. The fourth line is lower-case hex.",
    change: ofScheme(2, ({ bodyLine }) => ({ bodyLine: async (raw) => (await bodyLine(raw)).toUpperCase() })),
  },
  {
    part: "hash",
    says: "the body's SHA-256 in base64. The fourth line is lower-case hex.",
    change: ofScheme(2, () => ({ bodyLine: async (raw) => base64Of(await digest(utf8(raw))) })),
  },
  {
    part: "hash",
    says: "the body's SHA-256 in base64url. The fourth line is lower-case hex.",
    change: ofScheme(2, () => ({ bodyLine: async (raw) => base64urlOf(await digest(utf8(raw))) })),
  },
  {
    part: "hash",
    says: "the body's SHA-512. The fourth line is SHA-256 under both algorithms.",
    change: ofScheme(2, () => ({ bodyLine: async (raw) => hexOf(await digest(utf8(raw), "SHA-512")) })),
  },
  {
    part: "hash",
    says: "the body itself as the fourth line. Put the lower-case hex of its SHA-256 there.",
    change: ofScheme(2, () => ({ bodyLine: async (raw) => raw })),
  },
];

function spaced(raw: string): string {
  return spacedText(JSON.parse(raw));
}

function spacedText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spacedText).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${spacedText(member)}`);
  return `{${members.join(", ")}}`;
}

function asciiOnly(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]));
}
