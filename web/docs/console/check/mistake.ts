import type { Recipe } from "./recipe.ts";

/** A way in which programs get a signature wrong. It is named when the signature fits the recipe that it makes. */
export type Mistake = {
  /** Two mistakes of the same part are never tried together. */
  readonly part: "scheme" | "time" | "lines" | "path" | "body" | "normal" | "encoding" | "hash" | "key";
  /** What the program did, and what to do instead. Follows "Your signature was made with …". */
  readonly says: string;
  /** Undefined where it cannot have been made with this request. */
  readonly change: (recipe: Recipe) => Partial<Recipe> | undefined;
};

/** Under one scheme alone. */
export function ofScheme(scheme: Recipe["scheme"], change: Mistake["change"]): Mistake["change"] {
  return (recipe) => (recipe.scheme === scheme ? change(recipe) : undefined);
}
