/** What an open desk asks each second. */
const LOOKS = ["payments", "callbacks", "faults/list"] as const;

const ROUTES: ReadonlySet<string> = new Set(
  LOOKS.flatMap((name) => [`/sandbox/desk/api/${name}`, `/account/api/sandbox/${name}`]),
);

/** Answered looks are counted and not logged: their lines would hide all others in a developer's terminal. */
export function isAnsweredLook({ route, status }: { readonly route: string; readonly status: number }): boolean {
  return status < 400 && ROUTES.has(route);
}
