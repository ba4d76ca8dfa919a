import type { JsonValue } from "../../../../sdk/src/normalise.ts";
import { base64Of, hexOf, utf8 } from "../signing/bytes.ts";
import { type Mistake, ofScheme } from "./mistake.ts";

type Written = { readonly true: string; readonly false: string; readonly null: string };

const RIGHT: Written = { true: "1", false: "0", null: "None" };
const RULE = "Scheme 1 writes true as 1, false as 0 and null as None.";
const ORDER = "Make all lines, then sort them by UTF-16 code unit (in most languages the plain sort of strings).";

/** Of scheme 1: how the body becomes one text, and how that is encoded. */
export const NORMAL_MISTAKES: readonly Mistake[] = [
  normal(`lines that are not sorted. ${ORDER}`, (body) => linesOf(body).join(";")),
  normal(`lines in the order of each object's sorted names. ${ORDER}`, (body) => linesOf(byName(body)).join(";")),
  normal(`lines sorted without regard to capitals. ${ORDER}`, (body) => linesOf(body).sort(withoutCase).join(";")),
  normal(`lines sorted by their UTF-8 bytes. ${ORDER}`, (body) => linesOf(body).sort(byUtf8).join(";")),
  normal(`booleans written as true and false. ${RULE}`, sortedWith({ ...RIGHT, true: "true", false: "false" })),
  normal(`booleans written as True and False. ${RULE}`, sortedWith({ ...RIGHT, true: "True", false: "False" })),
  normal(`null written as null. ${RULE}`, sortedWith({ ...RIGHT, null: "null" })),
  normal(`null written as nothing. ${RULE}`, sortedWith({ ...RIGHT, null: "" })),
  normal("lines joined by a line feed. Join them with ;", (body) => linesOf(body).sort().join("\n")),
  normal("lines joined by a comma. Join them with ;", (body) => linesOf(body).sort().join(",")),
  normal("a ; at the end of the last line. Join the lines with ; and put none at the end.", (body) =>
    linesOf(body)
      .sort()
      .map((line) => `${line};`)
      .join(""),
  ),
  normal("names joined by a dot. Join the names and the value with :", (body) =>
    linesOf(body, RIGHT, ".").sort().join(";"),
  ),
  normal("the names without the objects that they are in. Write the whole way to each value.", (body) =>
    linesOf(body)
      .map((line) => line.split(":").slice(-2).join(":"))
      .sort()
      .join(";"),
  ),
  {
    part: "normal",
    says: "the JSON text itself. Scheme 1 signs the normalised body; sign the JSON text under scheme 2 instead.",
    change: ofScheme(1, ({ rawBody }) => ({ normalise: () => rawBody })),
  },
  encoding("base64 with the standard alphabet", (text) => base64Of(utf8(text))),
  encoding("base64url with padding", (text) => base64Of(utf8(text)).replaceAll("+", "-").replaceAll("/", "_")),
  encoding("hex", (text) => hexOf(utf8(text))),
  encoding("no encoding", (text) => text),
  {
    part: "time",
    says: "a message without the timestamp. Append the value of x-access-timestamp to the encoded body.",
    change: ofScheme(1, () => ({ stamp: (encoded) => encoded })),
  },
  {
    part: "time",
    says: "a message with the timestamp in front. Append it behind the encoded body.",
    change: ofScheme(1, () => ({ stamp: (encoded, timestamp) => timestamp + encoded })),
  },
  ...[".", ":", ";", "\n", " "].map(
    (between): Mistake => ({
      part: "time",
      says: `${JSON.stringify(between)} between the encoded body and the timestamp. Put nothing between them.`,
      change: ofScheme(1, () => ({ stamp: (encoded, timestamp) => `${encoded}${between}${timestamp}` })),
    }),
  ),
];

function normal(says: string, normalise: (body: JsonValue) => string): Mistake {
  return { part: "normal", says, change: ofScheme(1, () => ({ normalise })) };
}

function encoding(name: string, encode: (text: string) => string): Mistake {
  const says = `${name} of the normalised body. Encode it as base64url without padding.`;
  return { part: "encoding", says, change: ofScheme(1, () => ({ encode })) };
}

function sortedWith(written: Written): (body: JsonValue) => string {
  return (body) => linesOf(body, written).sort().join(";");
}

/** In the order of the body. */
function linesOf(value: JsonValue, written: Written = RIGHT, separator = ":", prefix = ""): string[] {
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([name, member]) =>
      linesOf(member, written, separator, `${prefix}${name}${separator}`),
    );
  }
  const text = value === null ? written.null : typeof value === "boolean" ? written[`${value}`] : String(value);
  return [prefix + text];
}

function byName(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, byName(member)]));
}

function withoutCase(one: string, other: string): number {
  return one.toLowerCase() < other.toLowerCase() ? -1 : 1;
}

/** UTF-8 keeps the order of code points, which UTF-16 does not above U+FFFF. */
function byUtf8(one: string, other: string): number {
  return hexOf(utf8(one)) < hexOf(utf8(other)) ? -1 : 1;
}
