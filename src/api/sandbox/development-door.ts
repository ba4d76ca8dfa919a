import type { FastifyInstance, FastifyRequest } from "fastify";
import type { SandboxFile } from "../../app/sandbox/sandbox-credentials.ts";
import { findSandboxProject } from "../../app/sandbox/seed-sandbox.ts";
import { type Fault, fault, validationFault } from "../../core/errors.ts";
import type { Id } from "../../core/ids.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { isObject, type JsonValue, parseStrictJson } from "../../platform/strict-json.ts";
import { isOwnOrigin, type OriginRules } from "../account/same-site.ts";
import { isLoopback } from "../account/session-cookie.ts";
import { compileValidator, withRules } from "../merchant/validate.ts";
import { sendFault, sendJson } from "../respond.ts";
import { DEVELOPMENT_CALLS, type PageCallDeps } from "./page-calls.ts";

export type DevelopmentDeskDeps = OriginRules &
  PageCallDeps & {
    readonly readSandboxFile: () => SandboxFile | undefined;
  };

const DESK_API = "/sandbox/desk/api";
const CREDENTIALS_PATH = "/sandbox/desk/credentials";
const FOREIGN = fault("project_forbidden", "this request does not come from a page of this service");
const NO_SANDBOX_PROJECT = fault("project_inactive", "there is no sandbox project");

/**
 * The desk of development mode: no key and no session, for the sandbox's own project. Pages of other sites could reach a
 * developer's machine too, so only pages of this service are answered. Production does not have these paths.
 */
export function addDevelopmentDesk(server: FastifyInstance, deps: DevelopmentDeskDeps): void {
  for (const { name, body, rules, answer } of DEVELOPMENT_CALLS) {
    const bySchema = compileValidator(body);
    const validate = rules === undefined ? bySchema : withRules(bySchema, rules);
    server.post(`${DESK_API}/${name}`, async (request, reply) => {
      if (!isFromOwnPage(request, deps)) return sendFault(reply, FOREIGN);
      const projectId = await findSandboxProject(deps.desk.db);
      if (projectId === undefined) return sendFault(reply, NO_SANDBOX_PROJECT);
      const asked = readAsked(request.body, projectId);
      if (!asked.ok) return sendFault(reply, asked.error);
      const faults = validate(asked.value);
      if (faults.length > 0) return sendFault(reply, validationFault(faults));
      const answered = await answer(deps, projectId, asked.value as never);
      return answered.ok ? sendJson(reply, 200, JSON.stringify(answered.value)) : sendFault(reply, answered.error);
    });
  }
  server.get(CREDENTIALS_PATH, async (request, reply) => {
    if (!isOwnRead(request, deps)) return sendFault(reply, FOREIGN);
    const file = deps.readSandboxFile();
    return file === undefined
      ? sendFault(reply, fault("not_found", "there is no sandbox.json"))
      : sendJson(reply, 200, JSON.stringify(keysOf(file)));
  });
}

/** The page may leave `general` out, or say in it which payment: the project is the sandbox's own. */
function readAsked(body: unknown, projectId: Id): Result<JsonValue, Fault> {
  const bytes = Buffer.isBuffer(body) && body.length > 0 ? body : Buffer.from("{}");
  const parsed = parseStrictJson(bytes);
  if (!parsed.ok) {
    const { error } = parsed;
    return fail(error.kind === "values" ? validationFault(error.fields) : fault("malformed_json", error.message));
  }
  const { value } = parsed;
  if (!isObject(value)) return ok(value);
  const { general = {} } = value;
  if (!isObject(general)) return ok(value);
  const named = general.project_id ?? projectId;
  if (named !== projectId) return fail(fault("project_forbidden", "this desk is for the sandbox's own project"));
  return ok({ ...value, general: { ...general, project_id: projectId } } as JsonValue);
}

function isFromOwnPage({ headers }: FastifyRequest, rules: OriginRules): boolean {
  const site = headers["sec-fetch-site"];
  return (site === undefined || site === "same-origin") && isOwnOrigin(headers.origin, headers.host, rules);
}

/**
 * A GET has no Origin, so the browser must say that its page is ours; and by a name that is ours, since a foreign name can be
 * made to lead to this machine. Programs of other machines need no key of this one's sandbox.
 */
function isOwnRead({ headers, ip }: FastifyRequest, rules: OriginRules): boolean {
  const isPeerHere = isLoopback(ip.replace(/^::ffff:/, "")) || ip === "::1";
  return (
    headers["sec-fetch-site"] === "same-origin" &&
    isPeerHere &&
    isOwnOrigin(headers.host && `http://${headers.host}`, headers.host, rules)
  );
}

/** The keys of its API alone: the login of its account is for people. */
function keysOf({ account_login: _login, account_password: _password, ...keys }: SandboxFile): object {
  return keys;
}
