/** What a project's payment page may look like, and whose pages may show it: the rules of both the command line and the account. */

/** `#rrggbb` in small letters; undefined where it is no such colour. */
export function findAccent(text: string): string | undefined {
  return /^#[0-9a-fA-F]{6}$/.test(text) ? text.toLowerCase() : undefined;
}

/** Names and addresses of servers. Other characters have a meaning in the policy that origins are written into. */
const HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])$/;

/** `https://shop.example`, exactly as browsers write it; in development http too. */
export function findWidgetOrigin(text: string, mode: "development" | "production"): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, origin } = new URL(text);
  const schemes = mode === "development" ? ["https:", "http:"] : ["https:"];
  return schemes.includes(protocol) && origin === text && HOST.test(hostname) ? origin : undefined;
}
