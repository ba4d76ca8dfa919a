import type { FastifyReply } from "fastify";
import type { Html } from "../platform/html.ts";

/** Sends a document. It is not cached, and tells other sites nothing; what it may load, its policy says. */
export function sendPage(reply: FastifyReply, policy: readonly string[], page: Html): FastifyReply {
  return reply
    .header("content-type", "text/html; charset=utf-8")
    .header("content-security-policy", policy.join("; "))
    .header("cache-control", "no-store")
    .header("referrer-policy", "no-referrer")
    .header("x-content-type-options", "nosniff")
    .header("permissions-policy", "camera=(), microphone=(), geolocation=()")
    .send(page.html);
}
