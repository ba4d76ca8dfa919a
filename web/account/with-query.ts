/** What the address of a screen is with other filters. Empty ones are left out, so that the same view has one address. */
export function withQuery(path: string, query: Readonly<Record<string, string | null | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") search.set(name, value);
  }
  const text = search.toString();
  return text === "" ? path : `${path}?${text}`;
}
