import { PAYMENT_ID, PROJECT_ID, type SampleObject, type SampleValue } from "./sample.ts";

/** How a language writes a value. */
export type Notation = {
  readonly projectId: string;
  readonly paymentId: string;
  readonly string: (text: string) => string;
  readonly words?: { readonly true: string; readonly false: string; readonly null: string };
  readonly object: {
    readonly open: string;
    readonly close: string;
    readonly member: (name: string, value: string) => string;
  };
  readonly list: { readonly open: string; readonly close: string };
  /** Behind the last member too. */
  readonly hasTrailingComma: boolean;
  readonly indent: string;
  /** Between the braces of an object on one line and what is in it. */
  readonly padding: string;
};

const JSON_WORDS = { true: "true", false: "false", null: "null" } as const;
/** An object that fits is written on one line. */
const LINE_CHARACTERS_MAX = 54;

export function literal(value: SampleValue, notation: Notation, depth = 0): string {
  if (value === PROJECT_ID) return notation.projectId;
  if (value === PAYMENT_ID) return notation.paymentId;
  if (typeof value === "string") return notation.string(value);
  if (typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return (notation.words ?? JSON_WORDS)[`${value as boolean | null}`];
  const { members, open, close } = partsOf(value, notation, depth);
  const onOneLine = open + notation.padding + members.join(", ") + notation.padding + close;
  const isShort = depth > 0 && !onOneLine.includes("\n") && onOneLine.length <= LINE_CHARACTERS_MAX;
  if (isShort) return onOneLine;
  const inner = notation.indent.repeat(depth + 1);
  const last = notation.hasTrailingComma ? "," : "";
  return `${open}\n${members.map((member) => inner + member).join(",\n")}${last}\n${notation.indent.repeat(depth)}${close}`;
}

function partsOf(value: readonly SampleValue[] | SampleObject, notation: Notation, depth: number) {
  if (isList(value)) return { ...notation.list, members: value.map((each) => literal(each, notation, depth + 1)) };
  const members = Object.entries(value).map(([name, member]) =>
    notation.object.member(name, literal(member, notation, depth + 1)),
  );
  return { ...notation.object, members };
}

function isList(value: readonly SampleValue[] | SampleObject): value is readonly SampleValue[] {
  return Array.isArray(value);
}

/** Moves all lines but the first to the right. */
export function indented(text: string, by: string): string {
  return text.replaceAll("\n", `\n${by}`);
}
