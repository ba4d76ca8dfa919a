import type { IncomingMessage, ServerResponse } from "node:http";
import fastify, { type FastifyInstance } from "fastify";
import type { PayerPageDeps } from "../app/page/payer-pages.ts";
import type { DeskDeps } from "../app/sandbox/desk/desk-deps.ts";
import type { SandboxFile } from "../app/sandbox/sandbox-credentials.ts";
import { fault } from "../core/errors.ts";
import type { Log } from "../platform/log.ts";
import type { LogRequest } from "../platform/log-lines/request-log.ts";
import type { Metrics } from "../platform/metrics.ts";
import { newId } from "../platform/new-id.ts";
import { addAccountRoutes } from "./account/door.ts";
import { addAccountPages } from "./account/page.ts";
import type { AccountDeps } from "./account/route.ts";
import { type BrokenRequests, lingerAfterEarlyAnswer, openBrokenRequests } from "./broken-requests.ts";
import { openCall } from "./merchant/answer-call.ts";
import type { MerchantDeps } from "./merchant/call.ts";
import { type DirectCalls, openDirectCalls } from "./merchant/direct-calls.ts";
import { addMerchantRoutes, MERCHANT_CALLS } from "./merchant/routes.ts";
import { addPayRoutes, type PayDeps } from "./payer/pay.ts";
import { addSandboxPageRoutes, type SandboxPagesDeps } from "./payer/sandbox-pages.ts";
import { addShopRoutes } from "./payer/shop.ts";
import { addThreeDsRoutes } from "./payer/three-ds.ts";
import { addDeadlines } from "./request-deadline.ts";
import "./request-notes.ts";
import { openNotFound, type SendNotFound } from "./not-found.ts";
import { type NoteAnswer, openNoteAnswer } from "./note-answer.ts";
import { addProviderRoutes, type ProviderDeps } from "./provider/notifications.ts";
import { sendFault } from "./respond.ts";
import { addDevelopmentDesk } from "./sandbox/development-door.ts";
import { addEchoRoute } from "./sandbox/echo.ts";
import { addDeskPage } from "./sandbox/page.ts";
import { SIGNED_DESK_PATHS, signedDeskCalls } from "./sandbox/signed-door.ts";
import { addDocsRoutes } from "./service/docs.ts";
import { addFaviconRoutes } from "./service/favicon.ts";
import { addHealthRoutes, type HealthDeps } from "./service/health.ts";
import { addKeysRoute } from "./service/keys.ts";
import { addMetricsRoute } from "./service/metrics.ts";
import { TRANSPORT_SECURITY_HEADER, transportSecurityOf } from "./transport-security.ts";
import { noteUnexpected } from "./unexpected.ts";

export type ApiDeps = MerchantDeps &
  PayerPageDeps &
  PayDeps &
  ProviderDeps &
  SandboxPagesDeps &
  AccountDeps &
  HealthDeps & {
    readonly desk: DeskDeps;
    /** The keys of development mode's own project. */
    readonly readSandboxFile: () => SandboxFile | undefined;
    /** A worker's server answers providers and those who watch it, and no merchant. */
    readonly servesMerchants: boolean;
    readonly log: Log;
    readonly logRequest: LogRequest;
    readonly metrics: Metrics;
    readonly metricsAllow: readonly string[];
    readonly trustedProxies: readonly string[];
  };

const BODY_BYTES_MAX = 64 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the minute that load balancers keep idle connections, so that they close them and not we. */
const KEEP_ALIVE_MS = 72_000;

/** How often Node looks for connections that are past their time-outs; its own half minute would double them. */
const TIMEOUTS_CHECKED_EVERY_MS = 5_000;
const HEADERS_TIMEOUT_MS = 15_000;

export function buildServer(deps: ApiDeps): FastifyInstance {
  const transportSecurity = transportSecurityOf(deps.publicUrl());
  const broken = openBrokenRequests(deps.log, transportSecurity);
  const server = fastify({
    logger: false,
    genReqId: () => newId(),
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: "idle",
    trustProxy: deps.trustedProxies.length > 0 ? [...deps.trustedProxies] : false,
    // Requests that come while we drain are answered like any other; the answer ends the connection.
    return503OnClosing: false,
    http: {
      connectionsCheckingInterval: TIMEOUTS_CHECKED_EVERY_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requireHostHeader: false,
    },
    clientErrorHandler: broken.answer,
    // A path that cannot even be decoded never reaches the hooks.
    frameworkErrors: (_error, request, reply) => {
      if (transportSecurity !== undefined) reply.header(TRANSPORT_SECURITY_HEADER, transportSecurity);
      sendFault(reply.header("x-request-id", request.id), fault("not_found", "there is nothing at this path"));
    },
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true },
  });
  server.decorateRequest("projectId", undefined);
  server.decorateRequest("faultCode", undefined);
  const sendNotFound = openNotFound(server, deps.servesMerchants ? NO_PATHS : MERCHANT_PATHS);
  const doors = { broken, sendNotFound, transportSecurity, noteAnswer: openNoteAnswer(deps) };
  addHooks(server, deps, doors);
  addDeadlines(server, deps);
  addErrorDoors(server, deps.log, sendNotFound);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  if (deps.servesMerchants) {
    const calls = [...MERCHANT_CALLS, ...signedDeskCalls(deps.desk)].map((call) => openCall(deps, call));
    addMerchantRoutes(server, deps, calls);
    putBefore(server, openDirectCalls(deps, calls, { ...doors, bodyBytesMax: BODY_BYTES_MAX }));
    addThreeDsRoutes(server, deps);
    addPayRoutes(server, deps);
    addAccountRoutes(server, deps);
    addAccountPages(server);
    addEchoRoute(server, deps);
    if (deps.mode === "development") {
      addShopRoutes(server, deps);
      addDevelopmentDesk(server, deps);
      addDeskPage(server);
    }
  }
  addSandboxPageRoutes(server, deps);
  addProviderRoutes(server, deps);
  addHealthRoutes(server, deps);
  addKeysRoute(server, deps);
  addMetricsRoute(server, { ...deps, behindProxy: deps.trustedProxies.length > 0 });
  addDocsRoutes(server, deps);
  addFaviconRoutes(server);
  return server;
}

/** Where a process takes merchants' calls, and where a worker, which takes none, says so. */
const MERCHANT_PATHS: ReadonlySet<string> = new Set([...MERCHANT_CALLS.map((call) => call.path), ...SIGNED_DESK_PATHS]);
const NO_PATHS: ReadonlySet<string> = new Set();

type Doors = {
  readonly broken: BrokenRequests;
  readonly sendNotFound: SendNotFound;
  readonly transportSecurity: string | undefined;
  readonly noteAnswer: NoteAnswer;
};

/** What is not taken goes on to the framework. */
function putBefore({ server }: FastifyInstance, { take }: DirectCalls): void {
  const listeners = server.listeners("request") as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners("request");
  server.on("request", (request, response) => {
    if (!take(request, response)) for (const listener of listeners) listener.call(server, request, response);
  });
}

function addHooks(server: FastifyInstance, deps: ApiDeps, doors: Doors): void {
  const { broken, sendNotFound, transportSecurity, noteAnswer } = doors;
  // Hooks that call back: a promise for each would be a noticeable part of a request.
  server.addHook("onRequest", (request, reply, done) => {
    broken.began({ request: request.raw, response: reply.raw, id: request.id });
    reply.header("x-request-id", request.id);
    if (transportSecurity !== undefined) reply.header(TRANSPORT_SECURITY_HEADER, transportSecurity);
    if (deps.isDraining()) reply.header("connection", "close");
    if (!request.is404) return done();
    // Before the body is read: whatever it is, there is nothing here to take it.
    lingerAfterEarlyAnswer(request.raw, reply.raw);
    sendNotFound(request, reply);
  });
  server.addHook("onResponse", (request, reply, done) => {
    broken.ended(request.raw.socket);
    const route = request.routeOptions.url ?? "none";
    noteAnswer({
      requestId: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      ms: reply.elapsedTime,
      projectId: request.projectId,
      code: request.faultCode,
      address: request.ip,
    });
    done();
  });
}

/** Every answer that is not a route's own leaves through here. */
function addErrorDoors(server: FastifyInstance, log: Log, sendNotFound: SendNotFound): void {
  server.setNotFoundHandler(sendNotFound);
  // An expectation that we do not know is no reason to refuse a request.
  server.server.on("checkExpectation", (request, response) => server.server.emit("request", request, response));

  server.setErrorHandler((error: Error & { code?: string; statusCode?: number }, request, reply) => {
    // The client cut its own upload off. It reads no answer any more; this one only ends the request.
    if (!request.raw.complete && error.code === "ECONNRESET") {
      return sendFault(reply, fault("malformed_json", "the body ended before it was whole"));
    }
    switch (error.code) {
      case "FST_ERR_CTP_BODY_TOO_LARGE":
        lingerAfterEarlyAnswer(request.raw, reply.raw);
        return sendFault(reply, fault("body_too_large", `the body may have at most ${BODY_BYTES_MAX} bytes`));
      case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      case "FST_ERR_CTP_EMPTY_TYPE":
        return sendFault(reply, fault("content_type_unsupported", "content-type must be application/json"));
      case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
        return sendFault(reply, fault("malformed_json", "the body is not as long as content-length says"));
      default:
        return error.code?.startsWith("FST_") === true && (error.statusCode ?? 500) < 500
          ? sendFault(reply, fault("malformed_json", "this is not a request that the service understands"))
          : sendFault(reply, noteUnexpected(request.id, log, error));
    }
  });
}
