import { type Html, html } from "../../platform/html.ts";
import { type Contract, type OrRef, resolve, type Schema } from "./contract-document.ts";
import { renderInline } from "./render-markdown.ts";
import { renderTable } from "./render-parts.ts";

/** One line of a table of members: `balance[].amount`, integer, required, 0 to 10,000,000,000,000, what it is. */
type Member = { readonly name: string; readonly schema: Schema; readonly required: boolean };

/** Deep enough for every body that requests can have; a schema that refers to itself ends here. */
const MEMBER_DEPTH_MAX = 8;

export function renderMembers(contract: Contract, schema: OrRef<Schema>): Html | undefined {
  const members = listMembers(contract, schema, "", 0);
  if (members.length === 0) return undefined;
  return renderTable(
    ["Member", "Type", "Required", "Bounds", "Description"],
    members.map(({ name, schema: member, required }) => [
      html`<code>${name}</code>`,
      html`${typeOf(contract, member)}`,
      html`${required ? "yes" : "no"}`,
      renderBounds(member),
      renderInline(member.description ?? ""),
    ]),
  );
}

function listMembers(contract: Contract, from: OrRef<Schema>, prefix: string, depth: number): Member[] {
  if (depth === MEMBER_DEPTH_MAX) return [];
  const schema = flatten(contract, from);
  if (schema.items !== undefined) return listMembers(contract, schema.items, `${prefix}[]`, depth + 1);
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
    const path = prefix === "" ? name : `${prefix}.${name}`;
    const member = { name: path, schema: flatten(contract, value), required: schema.required?.includes(name) ?? false };
    return [member, ...listMembers(contract, value, path, depth + 1)];
  });
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

export function renderBounds(schema: Schema): Html {
  const bounds: Html[] = [];
  if (schema.const !== undefined) bounds.push(html`always ${codeOf(schema.const)}`);
  if (schema.enum !== undefined) bounds.push(renderChoices(schema.enum));
  const length = range(schema.minLength, schema.maxLength);
  if (length !== undefined) bounds.push(html`${length} characters`);
  const size = range(schema.minimum, schema.maximum);
  if (size !== undefined) bounds.push(html`${size}`);
  if (schema.pattern !== undefined) bounds.push(html`matches ${codeOf(schema.pattern)}`);
  if (schema.default !== undefined) bounds.push(html`${codeOf(schema.default)} when absent`);
  return joined(bounds, "; ");
}

/** A longer list has a table of its own in the text; here it would push the other columns aside. */
const CHOICES_SHOWN_MAX = 12;

function renderChoices(choices: readonly unknown[]): Html {
  if (choices.length > CHOICES_SHOWN_MAX) return html`one of ${choices.length} values`;
  return html`one of ${joined(choices.map(codeOf), ", ")}`;
}

function range(min: number | undefined, max: number | undefined): string | undefined {
  if (min !== undefined && max !== undefined) return `${grouped(min)} to ${grouped(max)}`;
  if (min !== undefined) return `at least ${grouped(min)}`;
  return max === undefined ? undefined : `at most ${grouped(max)}`;
}

function grouped(value: number): string {
  return value.toLocaleString("en-US");
}

export function codeOf(value: unknown): Html {
  return html`<code>${typeof value === "string" ? value : JSON.stringify(value)}</code>`;
}

export function joined(parts: readonly Html[], separator: string): Html {
  return html`${parts.map((part, at) => (at === 0 ? part : html`${separator}${part}`))}`;
}
