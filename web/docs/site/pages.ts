/** A page of the site beside the reference, in the order of the navigation. */
export type PageSource = {
  /** Its address is `/docs/<name>`. */
  readonly name: string;
  /** The document in the repository that it is made of. */
  readonly file: string;
  readonly group: "Guides" | "In depth" | "Tools";
};

/** A page of `PAGE_SOURCES` with the text of its file. */
export type GuideSource = PageSource & { readonly markdown: string };

export const PAGE_SOURCES: readonly PageSource[] = [
  { name: "quick-start", file: "docs/guides/quick-start.md", group: "Guides" },
  { name: "signing", file: "docs/guides/signing.md", group: "Guides" },
  { name: "states", file: "docs/guides/states.md", group: "Guides" },
  { name: "callbacks", file: "docs/callbacks.md", group: "Guides" },
  { name: "idempotency", file: "docs/guides/idempotency.md", group: "Guides" },
  { name: "errors", file: "docs/guides/errors.md", group: "Guides" },
  { name: "testing", file: "docs/guides/testing.md", group: "Guides" },
  { name: "going-live", file: "docs/guides/going-live.md", group: "Guides" },
  { name: "cards", file: "docs/cards.md", group: "In depth" },
  { name: "widget", file: "docs/widget.md", group: "In depth" },
  { name: "sandbox", file: "docs/sandbox.md", group: "In depth" },
  { name: "account", file: "docs/account.md", group: "In depth" },
  { name: "check-signature", file: "docs/guides/check-signature.md", group: "Tools" },
];

/** Files that the service serves beside the pages, by the document in the repository. */
export const SERVED_FILES: Readonly<Record<string, string>> = {
  "docs/openapi.yaml": "openapi.yaml",
  "docs/signing-vectors.json": "signing-vectors.json",
};

/** The page of the reference, whose address is `/docs` itself. */
export const REFERENCE = "index";
