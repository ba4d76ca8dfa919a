import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { DeskDeps } from "../../app/sandbox/desk/desk-deps.ts";
import { takeEcho } from "../../app/sandbox/desk/echo.ts";
import { ECHO_PATH, findEchoProject } from "../../app/sandbox/desk/echo-token.ts";
import { fault } from "../../core/errors.ts";
import type { Clock } from "../../platform/clock.ts";
import type { TokenBuckets } from "../../platform/token-buckets.ts";
import { retryAfterS } from "../payer/admit-payer.ts";
import { sendFault } from "../respond.ts";

export type EchoDeps = { readonly desk: DeskDeps; readonly clock: Clock; readonly pagesByToken: TokenBuckets };

/** More than the callbacks of a test; a stranger who knows the URL can send no more than that. */
const ECHO_RATE = { perSecond: 50, burst: 500 };
/** What a callback has, and what says who sent something else. */
const SHOWN_HEADERS = /^(content-type|user-agent|(x-access|webhook)-[a-z0-9-]{1,64})$/;
const HEADER_CHARACTERS_MAX = 2_048;
const NO_BODY = Buffer.alloc(0);

/** The callback URL of test projects: it takes what is sent there, and shows it to the tester. */
export function addEchoRoute(server: FastifyInstance, { desk, clock, pagesByToken }: EchoDeps): void {
  server.post<{ Params: { token: string } }>(`${ECHO_PATH}/:token`, async (request, reply) => {
    const projectId = findEchoProject(desk.keyring, request.params.token);
    const { projects } = await desk.currentDirectory();
    // Its token is never made for a live project; whatever has one has no business here.
    if (projectId === undefined || projects.get(projectId)?.book !== "test")
      return sendFault(reply, fault("not_found", "there is no echo endpoint at this path"));
    const waitMs = pagesByToken.take(`echo ${projectId}`, ECHO_RATE, clock.nowMs());
    if (waitMs > 0) {
      const limited = fault("rate_limited", "more arrives at this echo endpoint than it shows");
      return sendFault(reply.header("retry-after", retryAfterS(waitMs)), limited);
    }
    request.projectId = projectId;
    return answer(reply, await takeEcho(desk, projectId, arrivedIn(request)));
  });
}

function answer(reply: FastifyReply, status: number): FastifyReply {
  return reply.code(status).header("cache-control", "no-store").send();
}

/** PostgreSQL's text holds no NUL. */
function arrivedIn(request: FastifyRequest) {
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    SHOWN_HEADERS.test(name) ? [[name, String(value).replaceAll("\u0000", "").slice(0, HEADER_CHARACTERS_MAX)]] : [],
  );
  return {
    headers: Object.fromEntries(headers) as Record<string, string>,
    rawBody: Buffer.isBuffer(request.body) ? request.body : NO_BODY,
  };
}
