import type { FastifyInstance } from "fastify";
import { beginDeadline, type Deadline, OutOfTime } from "../platform/deadlines.ts";

export type DeadlineDeps = {
  /** So long a request waits, for everything together; then its caller is told to try again. */
  readonly requestDeadlineMs: number;
};

declare module "fastify" {
  interface FastifyRequest {
    deadline: Deadline | undefined;
  }
}

/** Those that wait for another server, which has a limit of its own, or that check a file of many payouts. */
export const LONG_ROUTES: readonly string[] = [
  "/api/v1/payment/ecom/payin/confirm-3ds-result",
  "/3ds/:token/return",
  "/pay/:token/change",
  "/account/api/callbacks/projects/:project_id/test",
  "/account/api/payout-batches/check",
];
/** The tester's desk waits until the payment has changed. */
const LONG_PREFIXES = ["/sandbox/", "/account/api/sandbox/"];
const LONG_MS = 30_000;

/** Files and lines of events take as long as they take. */
export const ENDLESS_ROUTES: readonly string[] = [
  "/account/api/payments.csv",
  "/account/api/statement.csv",
  "/account/api/payout-batches/:id/results.csv",
  "/pay/:token/events",
];

const LONG: ReadonlySet<string> = new Set(LONG_ROUTES);
const ENDLESS: ReadonlySet<string> = new Set(ENDLESS_ROUTES);

/** Undefined: it takes as long as it takes. */
export function limitOf(route: string, requestDeadlineMs: number): number | undefined {
  if (ENDLESS.has(route)) return undefined;
  const isLong = LONG.has(route) || LONG_PREFIXES.some((prefix) => route.startsWith(prefix));
  return isLong ? Math.max(LONG_MS, requestDeadlineMs) : requestDeadlineMs;
}

/** For what the framework answers. Merchants' ordinary calls have their deadline in `answer-call.ts`. */
export function addDeadlines(server: FastifyInstance, { requestDeadlineMs }: DeadlineDeps): void {
  server.decorateRequest("deadline", undefined);
  server.addHook("onRequest", (request, reply, done) => {
    const limitMs = limitOf(request.routeOptions.url ?? "", requestDeadlineMs);
    // An error is answered in the form that the route has for errors.
    const expire = () => {
      if (!reply.raw.headersSent) reply.send(new OutOfTime());
    };
    if (limitMs !== undefined) request.deadline = beginDeadline(limitMs, expire);
    done();
  });
  server.addHook("preParsing", (request, _reply, payload, done) => {
    request.deadline?.pause();
    done(null, payload);
  });
  server.addHook("preValidation", (request, _reply, done) => {
    request.deadline?.resume();
    done();
  });
  server.addHook("onResponse", (request, _reply, done) => {
    request.deadline?.end();
    done();
  });
}
