import type { FastifyReply, FastifyRequest } from "fastify";
import type { Secret } from "../../platform/secret.ts";

/**
 * The session's cookie. Over https it is `__Host-`: only this host can set it, for all paths, over https. In development the
 * service is reached over plain http on this machine, where browsers differ about such cookies; there, and only at a loopback
 * address, it has neither the prefix nor `Secure`.
 */
export type SessionCookie = {
  readonly read: (request: FastifyRequest) => string | undefined;
  readonly set: (reply: FastifyReply, token: Secret<string> | null) => void;
  /** The mark of a browser in which a person signed in before; it stays when the session ends. */
  readonly readMark: (request: FastifyRequest) => string | undefined;
  readonly setMark: (reply: FastifyReply, mark: string) => void;
  /** False where the cookie would travel in the clear between machines: there no one can sign in. */
  readonly usable: () => boolean;
};

const NAME = "tillgate-session";
const MARK_NAME = "tillgate-browser";
const MARK_LASTS_S = 180 * 86_400;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

export function isLoopback(hostname: string): boolean {
  return LOOPBACK.has(hostname);
}

export function openSessionCookie(publicUrl: () => string): SessionCookie {
  const isSecure = () => publicUrl().startsWith("https:");
  const nameOf = (name: string) => (isSecure() ? `__Host-${name}` : name);
  const set = (reply: FastifyReply, name: string, value: string, lasts: string[]) => {
    const rules = ["Path=/", "HttpOnly", "SameSite=Strict", ...(isSecure() ? ["Secure"] : []), ...lasts];
    reply.header("set-cookie", [`${nameOf(name)}=${value}`, ...rules].join("; "));
  };
  return {
    read: ({ headers }) => findCookie(headers.cookie ?? "", nameOf(NAME)),
    set: (reply, token) => set(reply, NAME, token?.reveal() ?? "", token === null ? ["Max-Age=0"] : []),
    readMark: ({ headers }) => findCookie(headers.cookie ?? "", nameOf(MARK_NAME)),
    setMark: (reply, mark) => set(reply, MARK_NAME, mark, [`Max-Age=${MARK_LASTS_S}`]),
    usable: () => isSecure() || isLoopback(new URL(publicUrl()).hostname),
  };
}

/** Two of one name are a sign of meddling, and then none counts. */
function findCookie(header: string, name: string): string | undefined {
  const values = header
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
  return values.length === 1 && values[0] !== "" ? values[0] : undefined;
}
