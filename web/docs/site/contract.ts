/** The parts of an OpenAPI 3.1 document that the pages show. */
export type Contract = {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly servers?: readonly { readonly url: string; readonly description?: string }[];
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly security?: readonly SecurityRequirement[];
  readonly paths: Readonly<Record<string, PathItem>>;
  /** Calls that we make; their names stand where a path stands. */
  readonly webhooks?: Readonly<Record<string, PathItem>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, Answer>>;
    readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  };
};

type PathItem = Readonly<Record<string, Operation>>;
type SecurityRequirement = Readonly<Record<string, readonly string[]>>;
type SecurityScheme = { readonly name?: string; readonly in?: string; readonly description?: string };

export type Operation = {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly SecurityRequirement[];
  readonly parameters?: readonly OrRef<Parameter>[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, OrRef<Answer>>>;
};

type Parameter = Header & { readonly name: string; readonly in: string };

type Header = {
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: OrRef<Schema>;
};

export type Answer = {
  readonly description: string;
  readonly headers?: Readonly<Record<string, OrRef<Header>>>;
  readonly content?: Content;
};

type Content = Readonly<Record<string, MediaType>>;
type MediaType = {
  readonly schema?: OrRef<Schema>;
  readonly examples?: Readonly<Record<string, OrRef<Example>>>;
};
type Example = { readonly summary?: string; readonly value?: unknown };

export type Schema = {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, OrRef<Schema>>>;
  readonly required?: readonly string[];
  readonly items?: OrRef<Schema>;
  readonly allOf?: readonly OrRef<Schema>[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
};

export type OrRef<T> = T | { readonly $ref: string };

const REF_HOPS_MAX = 8;

/** The thing itself, whether it is written in place or referred to. Members beside a `$ref` win over the target's. */
export function resolve<T extends object>(contract: Contract, value: OrRef<T>): T {
  let found: OrRef<T> = value;
  for (let hop = 0; "$ref" in found; hop += 1) {
    if (hop === REF_HOPS_MAX) throw new Error(`${found.$ref} leads nowhere`);
    const { $ref, ...beside } = found;
    found = { ...(lookUp(contract, $ref) as OrRef<T>), ...beside };
  }
  return found;
}

/** The last word of a reference, which is the name of a component. */
export function componentName(value: object): string | undefined {
  return "$ref" in value && typeof value.$ref === "string" ? value.$ref.split("/").at(-1) : undefined;
}

function lookUp(contract: Contract, ref: string): object {
  if (!ref.startsWith("#/")) throw new Error(`${ref} is not in this document`);
  let found: unknown = contract;
  for (const part of ref.slice(2).split("/")) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  if (!isObject(found)) throw new Error(`${ref} leads nowhere`);
  return found;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export type NamedOperation = Operation & {
  /** Of a callback: its name. */
  readonly path: string;
  readonly method: string;
  readonly anchor: string;
  readonly isCallback: boolean;
};

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

export function listOperations(contract: Contract): NamedOperation[] {
  return operationsOf(contract.paths, ({ path, method }) => slugOf(`${method} ${path}`), false);
}

export function listCallbacks(contract: Contract): NamedOperation[] {
  return operationsOf(contract.webhooks ?? {}, ({ path }) => slugOf(`callback ${path}`), true);
}

type Place = { readonly path: string; readonly method: string };

function operationsOf(
  items: Readonly<Record<string, PathItem>>,
  anchorOf: (place: Place) => string,
  isCallback: boolean,
): NamedOperation[] {
  return Object.entries(items).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const anchor = anchorOf({ path, method });
      return [{ ...operation, path, method: method.toUpperCase(), anchor, isCallback }];
    }),
  );
}

/** Whether a call carries the signature's headers. */
export function isSigned(contract: Contract, operation: Operation): boolean {
  return (operation.security ?? contract.security ?? []).length > 0;
}

/** A fragment's name for a heading: `Order of checks` → `order-of-checks`. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
}
