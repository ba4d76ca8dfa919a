import type { View } from "./view.ts";

/** How the page speaks to the server. Its own address is all that it knows, and nothing but JSON bodies carries data. */
export type Answer =
  | { readonly kind: "view"; readonly view: View }
  | { readonly kind: "refused"; readonly code: string }
  /** No answer: it may have been done, or not. */
  | { readonly kind: "silence" };

export type Deed = "choose" | "card" | "confirm" | "cancel" | "change";

const TIMEOUT_MS = 20_000;

export const pagePath = location.pathname;

export function fetchView(): Promise<Answer> {
  return ask(`${pagePath}/state`, { method: "GET" });
}

export function doDeed(deed: Deed, body: object): Promise<Answer> {
  return ask(`${pagePath}/${deed}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function ask(path: string, request: RequestInit): Promise<Answer> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(path, { ...request, cache: "no-store", signal: controller.signal });
    const json = await response.json();
    if (response.ok) return { kind: "view", view: json };
    return response.status >= 500 ? { kind: "silence" } : { kind: "refused", code: String(json.code) };
  } catch {
    return { kind: "silence" };
  } finally {
    clearTimeout(timer);
  }
}
