// Turns schemas of docs/openapi.yaml into the text of types; contract-types.mjs says which.

const REF = "#/components/schemas/";
const COMMENT_WIDTH = 100;
/** The names that differ from the document's. */
const NAMES = { Callback: "TillgateCallback", Status: "PaymentStatus" };

/**
 * The right side of a type. Where the document gives the forms of a union titles, they are types of their own. `refersTo`
 * of the context collects the other types that the text names.
 */
export function namedType(context, name) {
  const schema = get(context, name);
  const { description } = schema;
  const forms = formsOf(context, schema);
  if (forms === undefined)
    return { forms: [], text: typeText(context, { ...schema, type: typeBesideNull(schema) }), description };
  const texts = forms.map((form) => objectText(context, form));
  if (forms.some(({ title }) => title === undefined)) return { forms: [], text: texts.join(" | "), description };
  const titles = forms.map(({ title }) => title);
  return { forms: titles.map((title, at) => ({ title, text: texts[at] })), text: titles.join(" | "), description };
}

function typeText(context, schema) {
  if (schema.narrowed !== undefined) return `${typeText(context, schema.of)} & ${objectText(context, schema.narrowed)}`;
  if (schema.$ref !== undefined) return refText(context, schema.$ref.slice(REF.length));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => typeText(context, one)).join(" | ");
  return `${plainText(context, schema)}${orNull(schema)}`;
}

function plainText(context, schema) {
  const type = typeBesideNull(schema);
  if (type === "object" && isMap(schema)) {
    return `{ readonly [name: string]: ${typeText(context, schema.additionalProperties)} }`;
  }
  if (type === "object" && formsOf(context, schema) === undefined) return objectText(context, schema);
  if (type === "array") return `readonly ${typeText(context, schema.items)}[]`;
  if (type === "boolean") return "boolean";
  if (type === "integer") return "number";
  if (type === "string") return isWordList(schema) ? wordsText(context, schema.enum) : "string";
  throw new Error(`this needs a schema of its own, or is not known here: ${JSON.stringify(schema)}`);
}

function refText(context, name) {
  const schema = get(context, name);
  if (!isNamed(schema)) return typeText(context, schema);
  context.refersTo.add(name);
  return `${nameOf(name)}${orNull(schema)}`;
}

function wordsText({ isOpen }, words) {
  const known = words
    .filter((word) => word !== null)
    .map((word) => JSON.stringify(word))
    .join(" | ");
  return isOpen ? `Open<${known}>` : known;
}

/** An object whose members have any names, such as headers. */
function isMap({ properties, additionalProperties }) {
  return properties === undefined && additionalProperties?.type !== undefined;
}

function objectText(context, { properties = {}, required = [] }) {
  const members = Object.entries(properties).map(([name, schema]) => {
    const optional = required.includes(name) ? "" : "?";
    // A program may leave a member of a request out, or give undefined for it; JSON knows no difference.
    const orUndefined = optional !== "" && context.isSent ? " | undefined" : "";
    return `${comment(describe(context, schema))}readonly ${name}${optional}: ${typeText(context, schema)}${orUndefined};`;
  });
  return `{\n${members.join("\n")}\n}`;
}

function describe(context, schema) {
  const target = resolve(context, schema);
  // A named type says by itself what it is.
  const about = schema.description ?? (schema.$ref !== undefined && isNamed(target) ? undefined : target.description);
  return [about, boundsOf(target)].filter((text) => text !== undefined).join(" ") || undefined;
}

/** The forms that an object may take, by `oneOf` or by `if` and `then`; undefined where there is only one. */
function formsOf(context, schema) {
  const conditions = (schema.allOf ?? []).flatMap(({ if: given, then }) => eachWord(given).map((one) => [one, then]));
  const changes = [...(schema.oneOf ?? []).map((change) => [change]), ...conditions];
  if (changes.length === 0) return undefined;
  return changes.map((both) =>
    both.reduce((form, change) => apply(context, form, change), { ...schema, title: both[0].title }),
  );
}

function apply(context, schema, { properties = {}, required = [] }) {
  const changed = { ...schema.properties };
  for (const [name, change] of Object.entries(properties)) {
    if (change === false) delete changed[name];
    else if (change !== true) changed[name] = narrow(context, changed[name], change);
  }
  return { ...schema, properties: changed, required: [...(schema.required ?? []), ...required] };
}

function narrow(context, member, change) {
  const target = resolve(context, member);
  if (change.properties === undefined) return { ...target, ...change };
  const isOnlyWords = Object.values(change.properties).every(({ const: word }) => word !== undefined);
  if (!isOnlyWords) return { ...apply(context, target, change), description: undefined };
  return { of: member, narrowed: { properties: change.properties, required: Object.keys(change.properties) } };
}

/** `if` a member is one of several words: once for each word. */
function eachWord(given) {
  const [[name, member]] = Object.entries(given.properties);
  if (member.const !== undefined) return [given];
  if (member.enum !== undefined) return member.enum.map((word) => ({ properties: { [name]: { const: word } } }));
  return eachWord(member).map((one) => ({ properties: { [name]: one } }));
}

export function resolve(context, schema) {
  return schema.$ref === undefined ? schema : get(context, schema.$ref.slice(REF.length));
}

function get({ schemas }, name) {
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`the document has no schema ${name}`);
  return schema;
}

/** Texts and numbers are written where they stand: `payment_id: string`. */
function isNamed(schema) {
  return schema.type === "object" || schema.type === "array" || isWordList(schema);
}

/** A list beside a pattern is long, such as that of the currencies, and stays `string`. */
function isWordList(schema) {
  return schema.enum !== undefined && schema.pattern === undefined;
}

export function typeBesideNull({ type }) {
  return [type].flat().find((one) => one !== "null");
}

function orNull({ type }) {
  return [type].flat().includes("null") ? " | null" : "";
}

export function nameOf(name) {
  return NAMES[name] ?? name;
}

function boundsOf({ type, minimum, maximum, default: standard }) {
  if (type !== "integer" || maximum === undefined) return undefined;
  const [min, max] = [minimum, maximum].map((bound) => bound.toLocaleString("en-US"));
  return `From ${min} to ${max}${standard === undefined ? "" : `; ${standard} when absent`}.`;
}

export function comment(description) {
  if (description === undefined) return "";
  const lines = [""];
  for (const word of description.trim().split(/\s+/)) {
    if (`${lines.at(-1)} ${word}`.length > COMMENT_WIDTH) lines.push("");
    lines.push(`${lines.pop()} ${word}`);
  }
  return lines.length === 1 ? `/**${lines[0]} */\n` : `/**\n${lines.map((line) => ` *${line}\n`).join("")} */\n`;
}
