import type { Field } from "../operations.ts";
import { type Contract, type OrRef, resolve, type Schema } from "./contract.ts";

/** Deep enough for every body that requests can have; a schema that refers to itself ends here. */
const FIELD_DEPTH_MAX = 8;

/** Every member below a schema, each with its path: `balance[].amount`. */
export function listFields(contract: Contract, from: OrRef<Schema>, prefix = "", depth = 0): Field[] {
  if (depth === FIELD_DEPTH_MAX) return [];
  const schema = flatten(contract, from);
  if (schema.items !== undefined) return listFields(contract, schema.items, `${prefix}[]`, depth + 1);
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
    const path = prefix === "" ? name : `${prefix}.${name}`;
    const isRequired = schema.required?.includes(name) ?? false;
    return [fieldOf(contract, path, value, isRequired), ...listFields(contract, value, path, depth + 1)];
  });
}

export function fieldOf(contract: Contract, name: string, from: OrRef<Schema>, isRequired: boolean): Field {
  const schema = flatten(contract, from);
  const description = (schema.description ?? "").trim();
  return { name, type: typeOf(contract, schema), isRequired, bounds: boundsOf(schema), description };
}

/** One schema in place of several that must all hold: later ones narrow the members of earlier ones. */
export function flatten(contract: Contract, from: OrRef<Schema>): Schema {
  const { allOf = [], ...own } = resolve(contract, from);
  return allOf
    .map((part) => flatten(contract, part))
    .reduceRight((later, earlier) => merge(contract, earlier, later), own);
}

function merge(contract: Contract, earlier: Schema, later: Schema): Schema {
  const properties: Record<string, OrRef<Schema>> = { ...earlier.properties };
  for (const [name, schema] of Object.entries(later.properties ?? {})) {
    const known = properties[name];
    properties[name] = known === undefined ? schema : { ...flatten(contract, known), ...flatten(contract, schema) };
  }
  const required = [...(earlier.required ?? []), ...(later.required ?? [])];
  return { ...earlier, ...later, properties, required };
}

export function typeOf(contract: Contract, schema: Schema): string {
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? ["any"]);
  const items = schema.items === undefined ? undefined : flatten(contract, schema.items);
  return types
    .map((type) => (type === "array" && items !== undefined ? `array of ${typeOf(contract, items)}s` : type))
    .join(" or ");
}

/** Constraints as Markdown of one line. */
function boundsOf(schema: Schema): string {
  const bounds: string[] = [];
  if (schema.const !== undefined) bounds.push(`always ${codeOf(schema.const)}`);
  if (schema.enum !== undefined) bounds.push(choicesOf(schema.enum));
  const length = range(schema.minLength, schema.maxLength);
  if (length !== undefined) bounds.push(`${length} characters`);
  const size = range(schema.minimum, schema.maximum);
  if (size !== undefined) bounds.push(size);
  const count = range(schema.minItems, schema.maxItems);
  if (count !== undefined) bounds.push(`${count} elements`);
  if (schema.pattern !== undefined) bounds.push(patternOf(schema.pattern));
  if (schema.default !== undefined) bounds.push(`${codeOf(schema.default)} when absent`);
  return bounds.join("; ");
}

/** Patterns that take longer to read than what they mean, by their beginning. */
const PATTERN_WORDS: readonly (readonly [string, string])[] = [
  ["^[^\\u0000-\\u001F", "no control characters"],
  ["^[Hh][Tt][Tt][Pp][Ss]://", "an https URL without user name and fragment"],
  ['^[^\\s@"(),:;<>', "an e-mail address"],
];

function patternOf(pattern: string): string {
  const words = PATTERN_WORDS.find(([beginning]) => pattern.startsWith(beginning))?.[1];
  return words ?? `matches ${codeOf(pattern)}`;
}

/** A longer list has a table of its own in the text; here it would push the other columns aside. */
const CHOICES_SHOWN_MAX = 14;

function choicesOf(choices: readonly unknown[]): string {
  if (choices.length > CHOICES_SHOWN_MAX) return `one of ${choices.length} values`;
  return `one of ${choices.map(codeOf).join(", ")}`;
}

function range(min: number | undefined, max: number | undefined): string | undefined {
  if (min !== undefined && max !== undefined) return `${grouped(min)} to ${grouped(max)}`;
  if (min !== undefined) return `at least ${grouped(min)}`;
  return max === undefined ? undefined : `at most ${grouped(max)}`;
}

function grouped(value: number): string {
  return value.toLocaleString("en-US");
}

/** A code span; a value that holds a backtick takes a longer fence. */
function codeOf(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const fence = text.includes("`") ? "``" : "`";
  return `${fence}${text === "" ? " " : text}${fence}`;
}
