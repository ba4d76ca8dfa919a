import type { Language } from "../../../kit/language.ts";

export function toneOf(status: number): "good" | "wait" | "bad" {
  if (status < 400) return "good";
  return status < 500 ? "wait" : "bad";
}

/** All calls begin alike. */
export function shortPath(path: string): string {
  return path.replace(/^\/api\/v1/, "");
}

/** Milliseconds: below ten, the tenths matter. */
export function latencyText(ms: number, language: Language): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: ms < 10 ? 1 : 0 }).format(ms);
}
