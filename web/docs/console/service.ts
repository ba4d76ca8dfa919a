/** What stands in front of /docs in the address, where a proxy serves us below a path of its own. It is not signed. */
export function basePath(): string {
  return location.pathname.replace(/\/docs(\/.*)?$/, "");
}

export type Answer = {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string;
  readonly tookMs: number;
};

export async function send(
  method: string,
  path: string,
  request: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string } = {},
): Promise<Answer> {
  const startedMs = performance.now();
  const answer = await fetch(basePath() + path, {
    method,
    ...request,
    // Neither the account's session nor a stored answer has any part in a merchant's call.
    credentials: "omit",
    cache: "no-store",
  });
  const text = await answer.text();
  return {
    status: answer.status,
    statusText: answer.statusText,
    headers: [...answer.headers],
    text,
    tookMs: performance.now() - startedMs,
  };
}
