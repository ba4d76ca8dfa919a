import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { newBrowserMark } from "../../app/people/known-browser.ts";
import { findOpenSession, type SessionInUse } from "../../app/people/sessions.ts";
import { mustSetSecondFactor } from "../../app/people/view-session.ts";
import { type AccountFault, accountFault } from "../../core/people/account-fault.ts";
import { hasRight } from "../../core/people/rights.ts";
import { steppedUpUntil } from "../../core/people/session-rules.ts";
import { parseStrictJson } from "../../platform/strict-json.ts";
import { lingerAfterEarlyAnswer } from "../broken-requests.ts";
import { compileValidator, type Validate } from "../merchant/validate.ts";
import { sendJson } from "../respond.ts";
import { noteUnexpected } from "../unexpected.ts";
import { sendAccountFault } from "./errors.ts";
import type { AccountDeps, AccountRoute, MemberCall } from "./route.ts";
import { ACCOUNT_ROUTES } from "./routes.ts";
import { findForeignFault } from "./same-site.ts";
import { openSessionCookie, type SessionCookie } from "./session-cookie.ts";

const ACCOUNT_API = "/account/api";

/** More than any form of the account sends. */
const BODY_BYTES_MAX = 32 * 1024;
const USER_AGENT_MAX = 256;
const ADDRESS_MAX = 64;

const NOT_SIGNED_IN = accountFault("not_signed_in", "sign in first");

/** The account's calls. Each goes through the same checks in the same order; only then does its handler run. */
export function addAccountRoutes(server: FastifyInstance, deps: AccountDeps): void {
  const cookie = openSessionCookie(deps.publicUrl);
  for (const route of ACCOUNT_ROUTES) {
    const checks = { body: compileValidator(route.body), query: compileValidator(route.query) };
    server.route({
      method: route.method,
      url: `${ACCOUNT_API}/${route.path}`,
      bodyLimit: route.bodyBytesMax ?? BODY_BYTES_MAX,
      exposeHeadRoute: false,
      ...(route.bodyBytesMax === undefined ? {} : { onRequest: checkBeforeBody(deps, route, cookie) }),
      errorHandler: (error, request, reply) => sendAccountFault(reply, faultOf(request, deps, error)),
      handler: async (request, reply) => answer(deps, { route, cookie, checks }, request, reply),
    });
  }
}

/** A body that is larger than any form is read of those only who may send it. */
function checkBeforeBody(deps: AccountDeps, route: AccountRoute, cookie: SessionCookie) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const refused = await findCaller(deps, route, cookie, request);
    if (!("code" in refused)) return;
    lingerAfterEarlyAnswer(request.raw, reply.raw);
    return sendAccountFault(withSafeHeaders(reply), refused);
  };
}

function withSafeHeaders(reply: FastifyReply): FastifyReply {
  return reply.header("x-content-type-options", "nosniff").header("cache-control", "no-store");
}

type Opened = {
  readonly route: AccountRoute;
  readonly cookie: SessionCookie;
  readonly checks: { readonly body: Validate; readonly query: Validate };
};

async function answer(
  deps: AccountDeps,
  { route, cookie, checks }: Opened,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  withSafeHeaders(reply);
  const found = await findCaller(deps, route, cookie, request);
  if ("code" in found) return sendAccountFault(reply, found);
  const { session } = found;
  const input = readInput(route, checks, request);
  if ("code" in input) return sendAccountFault(reply, input);
  const result = await route.handler(deps, callOf(request, session, input, cookie.readMark(request)));
  if (!result.ok) return sendAccountFault(reply, result.error);
  const { value } = result;
  if ("json" in value) {
    if (value.session !== undefined) cookie.set(reply, value.session);
    if (value.signedIn !== undefined) cookie.setMark(reply, newBrowserMark(deps.keyring, value.signedIn));
    return sendJson(reply, 200, JSON.stringify(value.json));
  }
  return reply
    .header("content-type", value.type)
    .header("x-tillgate-lines", String(value.lineCount))
    .header("content-disposition", `attachment; filename="${value.fileName}"`)
    .send(value.stream);
}

/** The session of a request that may be answered, or why it may not. */
async function findCaller(
  deps: AccountDeps,
  route: AccountRoute,
  cookie: SessionCookie,
  request: FastifyRequest,
): Promise<{ readonly session: SessionInUse | undefined } | AccountFault> {
  if (!cookie.usable()) return accountFault("insecure_connection", "the account needs an https address");
  const foreign = findForeignFault(request, deps);
  if (foreign !== undefined) return foreign;
  const token = cookie.read(request);
  const session = token === undefined ? undefined : await findOpenSession(deps, token);
  return findRefusal(deps, route, session) ?? { session };
}

/** Who may not, and why: in an order that tells a stranger nothing but to sign in. */
function findRefusal(
  { clock }: AccountDeps,
  { right, stepUp }: AccountRoute,
  session: SessionInUse | undefined,
): AccountFault | undefined {
  if (right === "anyone") return undefined;
  if (session === undefined || session.awaitsFactor) return NOT_SIGNED_IN;
  if (right !== "signed-in") {
    if (session.role === null || !hasRight(session.role, right))
      return accountFault("forbidden", "your role does not allow this");
    if (mustSetSecondFactor(session))
      return accountFault("second_factor_required", "this merchant demands a second factor: set one up first");
  }
  if (stepUp && steppedUpUntil(session.steppedUpAt, clock.nowMs()) === undefined)
    return accountFault("step_up_required", "prove again that it is you");
  return undefined;
}

type Input = { readonly body: unknown; readonly query: unknown };

function readInput({ method }: AccountRoute, checks: Opened["checks"], request: FastifyRequest): Input | AccountFault {
  const query = { ...(request.query as object) };
  const wrongQuery = checks.query(query as never);
  if (wrongQuery.length > 0) return invalid(wrongQuery);
  if (method === "GET") return { body: {}, query };
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const parsed = bytes.length === 0 ? { ok: true as const, value: {} } : parseStrictJson(bytes);
  if (!parsed.ok)
    return parsed.error.kind === "values"
      ? invalid(parsed.error.fields)
      : accountFault("malformed_json", parsed.error.message);
  const wrong = checks.body(parsed.value);
  return wrong.length > 0 ? invalid(wrong) : { body: parsed.value, query };
}

function invalid(fields: NonNullable<AccountFault["fields"]>): AccountFault {
  const [first] = fields;
  const message = first === undefined ? "the request is not valid" : `${first.field} ${first.message}`.trim();
  return { ...accountFault("validation_failed", message), fields };
}

/** What a handler gets; the route's row says which parts of it are there. */
function callOf(
  request: FastifyRequest,
  session: SessionInUse | undefined,
  input: Input,
  browserMark: string | undefined,
): MemberCall {
  const address = request.ip.slice(0, ADDRESS_MAX);
  const userAgent = (request.headers["user-agent"] ?? "").replace(/\p{Cc}/gu, "").slice(0, USER_AGENT_MAX);
  const params = request.params as Readonly<Record<string, string>>;
  const origin = request.headers.origin ?? "";
  const call = { ...input, params, caller: { address, userAgent, browserMark }, origin, session };
  if (session === undefined) return call as unknown as MemberCall;
  const actor = { kind: "person", id: session.personId, name: session.email, address } as const;
  return { ...call, actor, merchantId: session.merchantId, role: session.role } as MemberCall;
}

function faultOf(request: FastifyRequest, { log }: AccountDeps, error: Error & { code?: string }): AccountFault {
  if (error.code?.startsWith("FST_") === true) {
    return error.code === "FST_ERR_CTP_BODY_TOO_LARGE"
      ? accountFault("malformed_json", `the body may have at most ${request.routeOptions.bodyLimit} bytes`)
      : accountFault("malformed_json", "this is not a request that the account understands");
  }
  const { code, description, retryAfterS } = noteUnexpected(request.id, log, error);
  const fault = accountFault(code === "unavailable" ? "unavailable" : "internal_error", description);
  return retryAfterS === undefined ? fault : { ...fault, retryAfterS };
}
