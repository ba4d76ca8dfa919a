import { type Fault, validationFault } from "../../../core/errors.ts";
import { findId, type Id } from "../../../core/ids.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import type { EchoCheck } from "../../../core/sandbox/echo-checks.ts";
import { newId } from "../../../platform/new-id.ts";
import { isObject, parseStrictJson } from "../../../platform/strict-json.ts";
import { CALLBACK_KEY_KINDS, listCallbackKeys } from "../../../store/callbacks/callback-keys.ts";
import { NO_PROJECT } from "../../../store/merchants/directory-version.ts";
import {
  type EchoedCallback,
  echoedBodyPlace,
  listEchoedCallbacks,
  saveEchoAnswer,
  saveEchoedCallback,
} from "../../../store/sandbox/echoed-callbacks.ts";
import { callbackKeyName, type OpenCallbackKey, openCallbackKey } from "../../callbacks/callback-keys.ts";
import type { DeskDeps } from "./desk-deps.ts";
import { echoUrlOf } from "./echo-token.ts";
import { type ArrivedCallback, type VerifyRules, verifyEcho } from "./verify-echo.ts";

/** Of what Tillgate did not send, the beginning is enough to see what it is. */
const FOREIGN_BYTES_KEPT = 4_096;

/** Verifies what arrived at a test project's echo endpoint, keeps it, and answers the HTTP status to answer. */
export async function takeEcho(deps: DeskDeps, projectId: Id, arrived: ArrivedCallback): Promise<number> {
  const checks = await verify(deps, projectId, arrived);
  const id = newId();
  const kept = isGenuine(checks) ? arrived.rawBody : arrived.rawBody.subarray(0, FOREIGN_BYTES_KEPT);
  return saveEchoedCallback(deps.db, projectId, {
    id,
    receivedAt: new Date(deps.clock.nowMs()),
    headers: arrived.headers,
    body: deps.keyring.seal(echoedBodyPlace(id), kept),
    ...subjectOf(arrived.rawBody),
    checks,
  });
}

function isGenuine(checks: readonly EchoCheck[]): boolean {
  return checks.every((check) => check.ok);
}

async function verify(deps: DeskDeps, projectId: Id, arrived: ArrivedCallback): Promise<readonly EchoCheck[]> {
  const { callbackKeys } = await deps.currentDirectory();
  const known = CALLBACK_KEY_KINDS.flatMap(
    (kind) => callbackKeys.get(callbackKeyName(kind, kind === "rsa" ? null : projectId)) ?? [],
  );
  const rules = (keys: readonly OpenCallbackKey[]): VerifyRules => ({
    ...{ projectId, keys, nowMs: deps.clock.nowMs(), windowS: deps.signatureWindowS },
  });
  const checks = await verifyEcho(arrived, rules(known));
  if (isGenuine(checks)) return checks;
  // The first callback of a project makes its keys, and may be here before the directory has them.
  const stored = await listCallbackKeys(deps.db, [projectId, NO_PROJECT]);
  if (stored.every(({ id }) => known.some((key) => key.id === id))) return checks;
  return verifyEcho(arrived, rules(stored.map((key) => openCallbackKey(deps.keyring, key))));
}

const EVENT = /^(payin|payout)\.(processing|dispute|success|decline)(\.[a-z0-9_]{1,64})?$/;
const PAYMENT_ID_MAX = 255;

/** What it is about, if it has the form of a callback. */
function subjectOf(rawBody: Buffer): Pick<EchoedCallback, "event" | "paymentId"> {
  const parsed = parseStrictJson(rawBody);
  const member = (of: unknown, name: string): unknown => (isObject(of) ? of[name] : undefined);
  const body = parsed.ok ? parsed.value : undefined;
  const [status, subStatus] = ["status", "sub_status"].map((name) => member(member(body, "status"), name));
  const words = [member(member(body, "payment_info"), "type"), status, ...(subStatus === null ? [] : [subStatus])];
  const event = words.join(".");
  const paymentId = member(member(body, "general"), "payment_id");
  const isShown = typeof paymentId === "string" && paymentId !== "" && [...paymentId].length <= PAYMENT_ID_MAX;
  return {
    event: EVENT.test(event) ? event : null,
    paymentId: isShown && !paymentId.includes("\u0000") ? paymentId : null,
  };
}

export async function listEchoes(
  { db, keyring, publicUrl }: DeskDeps,
  projectId: Id,
  after: string | undefined,
): Promise<Result<object, Fault>> {
  const afterId = after === undefined ? undefined : findId(after);
  if (after !== undefined && afterId === undefined)
    return fail(validationFault([{ field: "after", code: "bad_format", message: "must be the id of a callback" }]));
  const rows = await listEchoedCallbacks(db, projectId, afterId);
  return ok({
    echo_url: echoUrlOf(keyring, publicUrl(), projectId),
    callbacks: rows.map((row) => ({
      id: row.id,
      received_at: row.receivedAt.toISOString(),
      headers: row.headers,
      body: keyring.unseal(echoedBodyPlace(row.id), row.body).reveal().toString("utf8"),
      event: row.event,
      payment_id: row.paymentId,
      checks: row.checks,
      genuine: isGenuine(row.checks),
      answered: row.answered,
    })),
  });
}

/** Absent times: once. */
export async function orderEchoAnswer(
  { db }: DeskDeps,
  projectId: Id,
  { status, times = 1 }: { readonly status: number; readonly times?: number | "always" | undefined },
): Promise<Result<object, Fault>> {
  await saveEchoAnswer(db, projectId, { status, times: times === "always" ? null : times });
  return ok({});
}
