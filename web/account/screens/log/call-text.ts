export function toneOf(status: number): "good" | "wait" | "bad" {
  if (status < 400) return "good";
  return status < 500 ? "wait" : "bad";
}

/** All calls begin alike. */
export function shortPath(path: string): string {
  return path.replace(/^\/api\/v1/, "");
}

export function latencyText(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}
