import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { PageEvents } from "../../app/page-events.ts";
import { actOnPage, type OpenPage, openPage, viewPage, type WidgetPageDeps } from "../../app/widget-page.ts";
import { type Fault, fault } from "../../core/errors.ts";
import { callerOf } from "../../core/network.ts";
import type { Clock } from "../../platform/clock.ts";
import type { TokenBuckets } from "../../platform/token-buckets.ts";
import { sendFault, sendJson } from "../respond.ts";
import { addAssetRoutes, type PageAssets } from "./assets.ts";
import { readDecision } from "./deeds.ts";
import { renderPayPage } from "./pay-page.ts";

export type PayDeps = WidgetPageDeps & {
  readonly pageEvents: PageEvents;
  readonly pagesByToken: TokenBuckets;
  readonly failuresByAddress: TokenBuckets;
  readonly findLogo: (projectId: string) => Promise<{ readonly type: string; readonly bytes: Buffer } | undefined>;
  readonly mode: "development" | "production";
  readonly clock: Clock;
};

type ByToken = { readonly Params: { readonly token: string } };

/** A person clicks a few times a second at most; a page that is reloaded in anger stays within this. */
const PAGE_RATE = { perSecond: 10, burst: 60 };
/** Guessing tokens is hopeless, and is not let try for long either. */
const GUESS_RATE = { perSecond: 1, burst: 30 };
const HEARTBEAT_MS = 20_000;

/** The hosted payment page. Logs and metrics see `/pay/:token`, never the token itself. */
export function addPayRoutes(server: FastifyInstance, deps: PayDeps): void {
  const assets = addAssetRoutes(server);

  server.get<ByToken>("/pay/:token", async (request, reply) => {
    const page = await admitToPage(deps, request);
    return "code" in page ? sendMissing(reply, deps, assets, page) : sendPage(reply, deps, assets, page);
  });
  server.get<ByToken>("/pay/:token/state", async (request, reply) => {
    const page = await admitToPage(deps, request);
    return "code" in page ? sendFault(reply, page) : sendJson(reply, 200, JSON.stringify(await viewPage(deps, page)));
  });
  server.get<ByToken>("/pay/:token/logo", async (request, reply) => {
    const page = await admitToPage(deps, request);
    const logo = "code" in page ? undefined : await deps.findLogo(page.project.id);
    if (logo === undefined) return sendFault(reply, fault("not_found", "there is no picture"));
    return reply
      .header("content-type", logo.type)
      .header("cache-control", "private, max-age=300")
      .header("x-content-type-options", "nosniff")
      .header("content-security-policy", "default-src 'none'; sandbox")
      .send(logo.bytes);
  });
  for (const kind of ["choose", "card", "confirm", "cancel"] as const) {
    server.post<ByToken>(`/pay/:token/${kind}`, async (request, reply) => {
      const page = await admitToPage(deps, request);
      if ("code" in page) return sendFault(reply, page);
      const deed = kind === "confirm" || kind === "cancel" ? { kind } : readDecision(kind, request);
      if ("code" in deed) return sendFault(reply, deed);
      const acted = await actOnPage(deps, page, deed);
      if (!acted.ok) return sendFault(reply, acted.error);
      return sendJson(reply, 200, JSON.stringify(await viewPage(deps, { ...page, payment: acted.value })));
    });
  }
  server.get<ByToken>("/pay/:token/events", async (request, reply) => {
    const page = await admitToPage(deps, request);
    return "code" in page ? sendFault(reply, page) : streamEvents(deps, request, reply, page);
  });
  server.get("/widget.js", async (_request, reply) =>
    reply
      .header("content-type", "text/javascript; charset=utf-8")
      .header("cache-control", "public, max-age=300")
      .header("x-content-type-options", "nosniff")
      .send(assets.embed),
  );
}

async function admitToPage(deps: PayDeps, request: FastifyRequest<ByToken>): Promise<OpenPage | Fault> {
  const { token } = request.params;
  const nowMs = deps.clock.nowMs();
  const caller = callerOf(request.ip);
  const guessWaitMs = deps.failuresByAddress.take(`page ${caller}`, GUESS_RATE, nowMs);
  if (guessWaitMs > 0) return slowDown(guessWaitMs);
  const page = await openPage(deps, token);
  if (!page.ok) return page.error;
  deps.failuresByAddress.refund(`page ${caller}`, GUESS_RATE);
  const waitMs = deps.pagesByToken.take(page.value.payment.requestId, PAGE_RATE, nowMs);
  return waitMs > 0 ? slowDown(waitMs) : page.value;
}

function slowDown(waitMs: number): Fault {
  return { code: "rate_limited", description: "too many requests", retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)) };
}

const NONCE_BYTES = 16;

async function sendPage(reply: FastifyReply, deps: PayDeps, assets: PageAssets, page: OpenPage): Promise<FastifyReply> {
  const nonce = randomBytes(NONCE_BYTES).toString("base64");
  const view = await viewPage(deps, page);
  const frames = page.project.widgetOrigins.join(" ") || "'none'";
  return secured(reply, deps, nonce, frames).send(renderPayPage({ view, assets, nonce }));
}

function sendMissing(reply: FastifyReply, deps: PayDeps, assets: PageAssets, found: Fault): FastifyReply {
  const nonce = randomBytes(NONCE_BYTES).toString("base64");
  const status = found.code === "rate_limited" ? 429 : 404;
  return secured(reply.code(status), deps, nonce, "'none'").send(renderPayPage({ view: undefined, assets, nonce }));
}

function secured(reply: FastifyReply, deps: PayDeps, nonce: string, frameAncestors: string): FastifyReply {
  // The issuer's page is shown in a frame, and its address is known only when the card is charged.
  const issuers = deps.mode === "production" ? "https:" : "https: http:";
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    `frame-src 'self' ${issuers}`,
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join("; ");
  if (deps.mode === "production") reply.header("strict-transport-security", "max-age=31536000; includeSubDomains");
  return reply
    .header("content-type", "text/html; charset=utf-8")
    .header("content-security-policy", policy)
    .header("cache-control", "no-store")
    .header("referrer-policy", "no-referrer")
    .header("x-content-type-options", "nosniff")
    .header("permissions-policy", "camera=(), microphone=(), geolocation=()");
}

/** A line at every change, and one now and then so that nobody on the way closes the connection. */
function streamEvents(
  deps: PayDeps,
  request: FastifyRequest<ByToken>,
  reply: FastifyReply,
  page: OpenPage,
): FastifyReply {
  reply.hijack();
  const stream = reply.raw;
  stream.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
    "x-request-id": request.id,
  });
  const tell = () => stream.write("data: changed\n\n");
  const unsubscribe = deps.pageEvents.subscribe(page.payment.requestId, tell);
  const beat = setInterval(() => stream.write(": here\n\n"), HEARTBEAT_MS);
  stream.on("close", () => {
    clearInterval(beat);
    unsubscribe();
  });
  tell();
  return reply;
}
