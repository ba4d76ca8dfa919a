const KIND = Symbol.for("@tillgate/sdk.kind");

/**
 * A program can hold this package twice: its ES modules and its CommonJS, or two versions. Each has classes of its own, and
 * an error of one must be an instance of the other's class too, or a caller would not recognise an unknown outcome. So the
 * classes carry their names under a symbol that all copies share.
 */
export function brand(errorClass: { readonly prototype: object }, kind: string): void {
  Object.defineProperty(errorClass.prototype, KIND, { value: kind });
}

export function isOfKind(errorClass: { readonly prototype: object }, value: unknown): boolean {
  const kind = ownKind(errorClass.prototype);
  if (typeof value !== "object" || value === null) return false;
  for (let each = Object.getPrototypeOf(value); each !== null; each = Object.getPrototypeOf(each)) {
    if (each === errorClass.prototype || (kind !== undefined && ownKind(each) === kind)) return true;
  }
  return false;
}

function ownKind(prototype: object): unknown {
  return Object.hasOwn(prototype, KIND) ? (prototype as { readonly [KIND]?: unknown })[KIND] : undefined;
}
