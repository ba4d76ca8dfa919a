/**
 * What the scripts of `/docs` know of the contract. `tools/render-docs.mjs` makes it from `docs/openapi.yaml` and writes it to
 * `/docs/assets/operations-<hash>.json`; `main.tsx` loads it on the pages that have a section of an operation.
 */
export type Operation = {
  /** The `operationId` of the contract. */
  readonly id: string;
  /** The id of its `<section class="operation">`. */
  readonly anchor: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly title: string;
  readonly tag: string;
  /** Needs the signature headers. */
  readonly isSigned: boolean;
  /** Every member of the body, in the order of the contract; empty where there is no body. */
  readonly fields: readonly BodyField[];
  /** Bodies that the contract shows, the first one for a start. Empty where there is no body. */
  readonly examples: readonly Example[];
};

export type Example = {
  readonly name: string;
  readonly summary: string;
  readonly body: unknown;
};

/** The rest of a field is for readers, and stands in the page. */
type BodyField = Pick<Field, "name" | "type" | "isRequired">;

export type Field = {
  /** Where it stands: `payment.amount`, `balance[].currency`. A header's name. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** Its constraints in words: `1 to 32 characters`, `one of RUB, KZT`. */
  readonly bounds: string;
  /** Markdown of one line. */
  readonly description: string;
};
