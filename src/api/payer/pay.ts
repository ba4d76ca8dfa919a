import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { PageEvents } from "../../app/page/page-events.ts";
import { findPageLanguage, languageOfBrowser } from "../../app/page/page-language.ts";
import { actOnPage, type OpenPage, openPage, viewPage, type WidgetPageDeps } from "../../app/page/widget-page.ts";
import { type Fault, fault } from "../../core/errors.ts";
import type { Log } from "../../platform/log.ts";
import { HTTP_STATUS } from "../errors.ts";
import { sendFault, sendJson } from "../respond.ts";
import { noteUnexpected } from "../unexpected.ts";
import { type AdmitPayerDeps, admitPayer, retryAfterS } from "./admit-payer.ts";
import { addAssetRoutes, type PageAssets } from "./assets.ts";
import { addBankImageRoute, type BankImagesDeps } from "./bank-images.ts";
import { readDecision } from "./deeds.ts";
import { renderMissingPage, renderPayPage } from "./pay-page.ts";
import { openPageStreams, type PageStreams } from "./streams.ts";

export type PayDeps = WidgetPageDeps &
  AdmitPayerDeps &
  BankImagesDeps & {
    readonly log: Log;
    readonly pageEvents: PageEvents;
    readonly findLogo: (projectId: string) => Promise<{ readonly type: string; readonly bytes: Buffer } | undefined>;
  };

type ByToken = { readonly Params: { readonly token: string } };
type ByTokenAndLanguage = ByToken & { readonly Querystring: { readonly lang?: unknown } };

/** More tabs than a payer opens for one payment; further tabs poll instead. */
const STREAMS_OF_PAGE_MAX = 16;
const STREAM_RETRY_MS = 15_000;

/** The hosted payment page. Logs and metrics see `/pay/:token`, never the token itself. */
export function addPayRoutes(server: FastifyInstance, deps: PayDeps): void {
  const assets = addAssetRoutes(server);

  const errorHandler = (error: Error, _request: FastifyRequest, reply: FastifyReply) =>
    sendMissing(reply, deps, assets, noteUnexpected(reply.request.id, deps.log, error));
  server.get<ByTokenAndLanguage>("/pay/:token", { errorHandler }, async (request, reply) => {
    const page = await admitToPage(deps, request);
    return "code" in page
      ? sendMissing(reply, deps, assets, page)
      : sendPage(reply, deps, assets, page, request.query.lang);
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
  for (const kind of ["choose", "card", "confirm", "cancel", "change"] as const) {
    server.post<ByToken>(`/pay/:token/${kind}`, async (request, reply) => {
      const page = await admitToPage(deps, request);
      if ("code" in page) return sendFault(reply, page);
      const deed = kind === "choose" || kind === "card" ? readDecision(kind, request) : { kind };
      if ("code" in deed) return sendFault(reply, deed);
      const acted = await actOnPage(deps, page, deed);
      if (!acted.ok) return sendFault(reply, acted.error);
      return sendJson(reply, 200, JSON.stringify(await viewPage(deps, { ...page, payment: acted.value })));
    });
  }
  server.get("/widget.js", async (_request, reply) =>
    reply
      .header("content-type", "text/javascript; charset=utf-8")
      .header("cache-control", "public, max-age=300")
      .header("x-content-type-options", "nosniff")
      .send(assets.embed),
  );
  addEventsRoute(server, deps);
  addBankImageRoute(server, deps);
}

/** A line at every change. The page then asks what there is; the line itself says nothing. */
function addEventsRoute(server: FastifyInstance, deps: PayDeps): void {
  const streams: PageStreams = openPageStreams(deps.pageEvents);
  server.addHook("preClose", async () => streams.endAll());
  server.get<ByToken>("/pay/:token/events", async (request, reply) => {
    const page = await admitToPage(deps, request);
    if ("code" in page) return sendFault(reply, page);
    const { requestId } = page.payment;
    if (streams.countOf(requestId) >= STREAMS_OF_PAGE_MAX) return sendFault(reply, slowDown(STREAM_RETRY_MS));
    reply
      .header("content-type", "text/event-stream; charset=utf-8")
      .header("cache-control", "no-store")
      .header("x-accel-buffering", "no");
    // A line is opened only for a caller who can hear it: an answer to HEAD has no body that would ever end it.
    if (request.method === "HEAD") return reply.send();
    return reply.send(streams.open(requestId, reply.raw));
  });
}

async function admitToPage(
  deps: PayDeps,
  request: Pick<FastifyRequest<ByToken>, "params" | "ip" | "headers">,
): Promise<OpenPage | Fault> {
  const { token } = request.params;
  const admitted = await admitPayer(deps, request, async () => {
    const page = await openPage(deps, token);
    return page.ok ? page.value : undefined;
  });
  if (admitted.kind === "missing") return fault("payment_not_found", "there is no such payment");
  if (admitted.kind === "too_fast") return slowDown(admitted.waitMs);
  return { ...admitted.value, acceptLanguage: request.headers["accept-language"] };
}

function slowDown(waitMs: number): Fault {
  return { code: "rate_limited", description: "too many requests", retryAfterS: retryAfterS(waitMs) };
}

const NONCE_BYTES = 16;

async function sendPage(
  reply: FastifyReply,
  deps: PayDeps,
  assets: PageAssets,
  page: OpenPage,
  wished: unknown,
): Promise<FastifyReply> {
  const nonce = randomBytes(NONCE_BYTES).toString("base64");
  const drawn = await viewPage(deps, page);
  const view = { ...drawn, language: findPageLanguage(wished) ?? drawn.language };
  const frames = view.frame_origins.join(" ") || "'none'";
  return secured(reply, deps, nonce, frames).send(renderPayPage({ view, assets, nonce }));
}

function sendMissing(reply: FastifyReply, deps: PayDeps, assets: PageAssets, found: Fault): FastifyReply {
  const nonce = randomBytes(NONCE_BYTES).toString("base64");
  if (found.retryAfterS !== undefined) reply.header("retry-after", String(found.retryAfterS));
  const why = REASONS[found.code] ?? "broken";
  const language = languageOfBrowser(reply.request.headers["accept-language"]);
  return secured(reply.code(HTTP_STATUS[found.code]), deps, nonce, "'none'").send(
    renderMissingPage({ assets, nonce }, language, why),
  );
}

const REASONS: Partial<Record<Fault["code"], "unknown" | "tooMany">> = {
  payment_not_found: "unknown",
  rate_limited: "tooMany",
};

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
  return reply
    .header("content-type", "text/html; charset=utf-8")
    .header("content-security-policy", policy)
    .header("cache-control", "no-store")
    .header("referrer-policy", "no-referrer")
    .header("x-content-type-options", "nosniff")
    .header("permissions-policy", "camera=(), microphone=(), geolocation=()");
}
