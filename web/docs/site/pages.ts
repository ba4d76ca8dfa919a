/** A page of the site beside the reference, in the order of the navigation. */
export type PageSource = {
  /** Its address is `/docs/<name>`. */
  readonly name: string;
  /** The document in the repository that it is made of. */
  readonly file: string;
  readonly group: "Guides" | "In depth" | "Tools";
  /** What it is for, on the card of the reference that leads to it. */
  readonly about: string;
};

/** A page of `PAGE_SOURCES` with the text of its file. */
export type GuideSource = PageSource & { readonly markdown: string };

export const PAGE_SOURCES: readonly PageSource[] = [
  {
    name: "quick-start",
    file: "docs/guides/quick-start.md",
    group: "Guides",
    about: "From a clone to a paid order in ten minutes",
  },
  {
    name: "signing",
    file: "docs/guides/signing.md",
    group: "Guides",
    about: "How requests are signed, with values to test against",
  },
  {
    name: "states",
    file: "docs/guides/states.md",
    group: "Guides",
    about: "Diagrams of every payment, and what to do in each state",
  },
  { name: "callbacks", file: "docs/callbacks.md", group: "Guides", about: "Verify, answer, remember" },
  { name: "idempotency", file: "docs/guides/idempotency.md", group: "Guides", about: "What to do after a timeout" },
  { name: "errors", file: "docs/guides/errors.md", group: "Guides", about: "Every code, with what to do about it" },
  { name: "testing", file: "docs/guides/testing.md", group: "Guides", about: "Amounts, cards and the tester's desk" },
  {
    name: "going-live",
    file: "docs/guides/going-live.md",
    group: "Guides",
    about: "A list to check before the first real payment",
  },
  { name: "cards", file: "docs/cards.md", group: "In depth", about: "Cards and 3-D Secure" },
  { name: "widget", file: "docs/widget.md", group: "In depth", about: "The hosted payment page" },
  { name: "sandbox", file: "docs/sandbox.md", group: "In depth", about: "The simulated outside world and its API" },
  {
    name: "cli",
    file: "docs/cli.md",
    group: "In depth",
    about: "Sign calls, hear callbacks and drive the sandbox from a terminal",
  },
  {
    name: "connectors",
    file: "docs/connectors.md",
    group: "In depth",
    about: "Write a connector for a provider, and hold it to the rules",
  },
  { name: "account", file: "docs/account.md", group: "In depth", about: "The merchant's personal account" },
  {
    name: "check-signature",
    file: "docs/guides/check-signature.md",
    group: "Tools",
    about: "Finds the first step that differs",
  },
];

/** Files that the service serves beside the pages, by the document in the repository. */
export const SERVED_FILES: Readonly<Record<string, string>> = {
  "docs/openapi.yaml": "openapi.yaml",
  "docs/signing-vectors.json": "signing-vectors.json",
};

/** The page of the reference, whose address is `/docs` itself. */
export const REFERENCE = "index";

/** Parts of the contract's introduction that have a page of their own; the reference leads there. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  "First call": "quick-start",
  Authentication: "signing",
  "Repeating a call": "idempotency",
  Callbacks: "callbacks",
  "Test values": "testing",
};
