import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";
import { isObject } from "../../src/platform/strict-json.ts";

/** The published contract, in the form in which tests hold the service to it. */
export type ContractOperation = {
  readonly path: string;
  /** In capitals, as it goes over the wire. */
  readonly method: string;
  readonly requestExamples: Readonly<Record<string, unknown>>;
  /** What is wrong with the body of a request, by the document alone. */
  readonly validateRequest: (body: unknown) => string[];
  /** Its answer of 200 names these other operations, and how their bodies are made of it. */
  readonly links: Readonly<Record<string, DocumentedLink>>;
  /** What is wrong with an answer: an undocumented status, or a body that its schema refuses. JSON bodies are parsed. */
  readonly validateAnswer: (status: number, body: unknown) => string[];
};

type DocumentedLink = { readonly operationId: string; readonly requestBody: unknown };

export type DocumentedExample = {
  /** Where it stands in the document, as a JSON pointer. */
  readonly at: string;
  readonly value: unknown;
  readonly validate: (value: unknown) => string[];
};

export const CONTRACT_FILE = new URL("../../docs/openapi.yaml", import.meta.url);

/** Read once for all the files that a worker runs; what a file is given is its own. */
export function readContractDocument(): Json {
  parsed ??= parse(readFileSync(CONTRACT_FILE, "utf8"));
  return structuredClone(parsed as Json);
}

let parsed: Json | undefined;

export type PublishedContract = {
  readonly operations: readonly ContractOperation[];
  /** What is wrong with the body of a callback. */
  readonly validateCallback: (body: unknown) => string[];
  /** The names of the headers that every callback has. */
  readonly callbackHeaders: readonly string[];
};

type CallbackHeader = { readonly name: string; readonly required: boolean };

/** Once for all the files that a worker runs, with the schemas that they have compiled. */
export function loadContract(): PublishedContract {
  loaded ??= makeContract();
  return loaded;
}

let loaded: PublishedContract | undefined;

function makeContract(): PublishedContract {
  const document = readContractDocument();
  const ajv = openAjv(document);
  const operations = Object.entries(childOf(document, "paths")).flatMap(([path, item]) =>
    Object.entries(item as Json).map(([method, operation]): ContractOperation => {
      const at = ["paths", path, method];
      return {
        path,
        method: method.toUpperCase(),
        requestExamples: readExamples(document, requestContent(operation as Json)),
        validateRequest: (body) =>
          faultsOf(compile(ajv, [...at, "requestBody", "content", "application/json", "schema"]), body),
        links: (valueAt(document, [...at, "responses", "200", "links"]) ?? {}) as Record<string, DocumentedLink>,
        validateAnswer: (status, body) => validateAnswer(document, ajv, [...at, "responses", String(status)], body),
      };
    }),
  );
  const callback = ["webhooks", "paymentChanged", "post"];
  const schema = [...callback, "requestBody", "content", "application/json", "schema"];
  const parameters = valueAt(document, [...callback, "parameters"]) as readonly CallbackHeader[];
  return {
    operations,
    validateCallback: (body) => faultsOf(compile(ajv, schema), body),
    callbackHeaders: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** Every example beside a schema: of bodies, answers, parameters and headers. */
export function listExamples(): DocumentedExample[] {
  const document = readContractDocument();
  const ajv = openAjv(document);
  return findHolders(document, []).flatMap(({ at, holder }) => {
    const validate = (value: unknown) => faultsOf(compile(ajv, [...at, "schema"]), value);
    const named = Object.entries(readExamples(document, holder)).map(([name, value]) => ({ name, value }));
    const examples = "example" in holder ? [...named, { name: "example", value: holder.example }] : named;
    return examples.map(({ name, value }) => ({ at: `${pointer(at)} ${name}`, value, validate }));
  });
}

type Json = Record<string, unknown>;

const DOCUMENT_ID = "contract";

function openAjv(document: Json): Ajv2020 {
  // `strict: false`: the document around the schemas is not a schema.
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  // The two that allow letters of every script. No library here knows them; their patterns say what is enforced.
  for (const name of ["idn-email", "iri"]) ajv.addFormat(name, true);
  return ajv.addSchema(closeObjects(document), DOCUMENT_ID);
}

/** Once for each place: compiling costs a thousand times what validating does. */
function compile(ajv: Ajv2020, at: readonly string[]): ValidateFunction {
  const ref = `${DOCUMENT_ID}${pointer(at)}`;
  const known = ajv.getSchema(ref);
  if (known === undefined) throw new Error(`the contract has no ${ref}`);
  return known;
}

function faultsOf(validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => {
    const detail = error.keyword === "additionalProperties" ? `: ${error.params.additionalProperty}` : "";
    return `${error.instancePath || "the body"} ${error.message ?? "is wrong"}${detail}`;
  });
}

function validateAnswer(document: Json, ajv: Ajv2020, at: readonly string[], body: unknown): string[] {
  const place = follow(document, at);
  if (place === undefined) return [`the status ${at.at(-1)} is not documented`];
  const answer = valueAt(document, place) as Json;
  const [type] = Object.keys((answer.content ?? {}) as Json);
  if (type === undefined) return body === undefined || body === "" ? [] : ["a body is not documented"];
  return faultsOf(compile(ajv, [...place, "content", type, "schema"]), body);
}

/**
 * Where the document leaves an object open, such as `Payment` and `Callback`, it is so that we may add members later and
 * clients must bear it. What the service sends today has to be described, so for answers, callbacks and examples every
 * object is closed here, and a stray member fails; enforced.test.ts shows that it does.
 */
function closeObjects<T>(value: T): T {
  if (Array.isArray(value)) return value.map(closeObjects) as T;
  if (!isObject(value)) return value;
  const closed = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closeObjects(member)]));
  const open = closed.type === "object" && isObject(closed.properties) && !("additionalProperties" in closed);
  return (open ? { ...closed, additionalProperties: false } : closed) as T;
}

function requestContent(operation: Json): Json {
  const content = isObject(operation.requestBody) ? childOf(operation.requestBody, "content") : {};
  return (Object.values(content)[0] ?? {}) as Json;
}

function readExamples(document: Json, holder: Json): Record<string, unknown> {
  const entries = Object.entries((holder.examples ?? {}) as Json).map(([name, example]) => {
    const ref = (example as Json).$ref;
    const found = typeof ref === "string" ? (valueAt(document, partsOf(ref)) as Json) : (example as Json);
    return [name, found.value] as const;
  });
  return Object.fromEntries(entries);
}

function findHolders(value: unknown, at: readonly string[]): { at: readonly string[]; holder: Json }[] {
  if (!isObject(value)) return [];
  const own = "schema" in value && ("examples" in value || "example" in value) ? [{ at, holder: value }] : [];
  return [...own, ...Object.entries(value).flatMap(([name, member]) => findHolders(member, [...at, name]))];
}

/** The place of a thing itself, when it may be a reference. */
function follow(document: Json, at: readonly string[]): readonly string[] | undefined {
  const value = valueAt(document, at);
  if (!isObject(value)) return undefined;
  return typeof value.$ref === "string" ? follow(document, partsOf(value.$ref)) : at;
}

function valueAt(document: Json, at: readonly string[]): unknown {
  return at.reduce<unknown>((found, name) => (isObject(found) ? found[name] : undefined), document);
}

function childOf(value: Json, name: string): Json {
  const child = value[name];
  if (!isObject(child)) throw new Error(`the contract has no ${name}`);
  return child;
}

function partsOf(ref: string): string[] {
  return ref
    .slice("#/".length)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function pointer(at: readonly string[]): string {
  return `#/${at.map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1")).join("/")}`;
}
