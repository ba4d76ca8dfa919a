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
  /** False where the cookie would travel in the clear between machines: there no one can sign in. */
  readonly usable: () => boolean;
};

const NAME = "tillgate-session";
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

export function isLoopback(hostname: string): boolean {
  return LOOPBACK.has(hostname);
}

export function openSessionCookie(publicUrl: () => string): SessionCookie {
  const isSecure = () => publicUrl().startsWith("https:");
  const name = () => (isSecure() ? `__Host-${NAME}` : NAME);
  return {
    read: ({ headers }) => findCookie(headers.cookie ?? "", name()),
    set: (reply, token) => {
      const parts = [
        `${name()}=${token?.reveal() ?? ""}`,
        "Path=/",
        "HttpOnly",
        "SameSite=Strict",
        ...(isSecure() ? ["Secure"] : []),
        ...(token === null ? ["Max-Age=0"] : []),
      ];
      reply.header("set-cookie", parts.join("; "));
    },
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
