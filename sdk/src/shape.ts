/**
 * What JSON must look like, as a table: a leaf's kind, an object of members, or a list of one kind of thing. A member
 * whose name ends in `?` may be absent. Members outside the table are let through, since later versions add some.
 */
export type Shape = LeafKind | readonly [Shape] | { readonly [member: string]: Shape };
type LeafKind = "string" | "string|null" | "integer" | "integer|string" | "boolean";

/** The path of the first part that does not fit, or undefined when all do. */
export function findMisfit(value: unknown, shape: Shape, path: readonly string[] = []): string | undefined {
  if (typeof shape === "string") return fitsLeaf(value, shape) ? undefined : describe(path);
  if (isListShape(shape)) {
    if (!Array.isArray(value)) return describe(path);
    return findFirst(value.entries(), ([index, item]) => findMisfit(item, shape[0], [...path, String(index)]));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return describe(path);
  return findFirst(Object.entries(shape), ([key, expected]) => {
    const name = key.replace(/\?$/, "");
    const member: unknown = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    return member === undefined && name !== key ? undefined : findMisfit(member, expected, [...path, name]);
  });
}

function fitsLeaf(value: unknown, kind: LeafKind): boolean {
  if (kind === "integer") return Number.isSafeInteger(value);
  if (kind === "integer|string") return Number.isSafeInteger(value) || typeof value === "string";
  if (kind === "string|null") return value === null || typeof value === "string";
  return typeof value === kind;
}

function isListShape(shape: Exclude<Shape, LeafKind>): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function findFirst<T>(items: Iterable<T>, find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function describe(path: readonly string[]): string {
  return path.length === 0 ? "the whole" : path.join(".");
}
