import type { Id } from "../ids.ts";

/** Who changed something: a person who is signed in, or an operator at the command line. */
export type Actor =
  | { readonly kind: "person"; readonly id: Id; readonly name: string; readonly address: string }
  | { readonly kind: "operator"; readonly name: string };
