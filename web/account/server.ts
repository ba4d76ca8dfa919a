/** How the pages speak to the server: JSON below `api`, with the session's cookie, which no script can read. */
export type Answer<Value> =
  | { readonly kind: "ok"; readonly value: Value }
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly code: string;
      /** The members that are wrong, such as `allowed_ips.2`. */
      readonly fields?: readonly string[];
    }
  /** No answer: it may have been done, or not. */
  | { readonly kind: "silence" };

export type Refusal = Exclude<Answer<never>, { kind: "ok" }>;

const TIMEOUT_MS = 30_000;

/** `/account/`, also where a proxy serves us below a path of its own: the script lies in a folder below it. */
export const ROOT = new URL("../", import.meta.url).pathname;

export function apiUrl(path: string): string {
  return `${ROOT}api/${path}`;
}

export function read<Value>(path: string): Promise<Answer<Value>> {
  return ask(path, { method: "GET" });
}

export function change<Value>(path: string, body: object = {}): Promise<Answer<Value>> {
  return ask(path, {
    method: "POST",
    // A form of another site cannot send this header.
    headers: { "content-type": "application/json", "x-tillgate-account": "1" },
    body: JSON.stringify(body),
  });
}

async function ask<Value>(path: string, request: RequestInit): Promise<Answer<Value>> {
  try {
    const response = await fetch(apiUrl(path), {
      ...request,
      cache: "no-store",
      credentials: "same-origin",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    const json = text === "" ? {} : JSON.parse(text);
    if (response.ok) return { kind: "ok", value: json };
    const fields = (json.error?.fields ?? []).map(({ field }: { readonly field: string }) => field);
    return { kind: "refused", status: response.status, code: String(json.error?.code ?? json.code), fields };
  } catch {
    return { kind: "silence" };
  }
}
