import type { Directory, DirectoryKey, DirectoryProject } from "../../app/merchants/directory.ts";
import type { DirectoryWatch } from "../../app/merchants/watch-directory.ts";
import { type Fault, type FieldFault, fault, validationFault } from "../../core/errors.ts";
import type { Id } from "../../core/ids.ts";
import { callerOf, includesAddress } from "../../core/merchants/network.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Clock } from "../../platform/clock.ts";
import type { FailureGate, Pass } from "../../platform/failure-gate.ts";
import { ALGORITHMS, ambiguousUnderScheme1, findSignedMessage, type Scheme } from "../../platform/signing.ts";
import {
  isObject,
  type JsonObject,
  type JsonValue,
  parseStrictJson,
  REQUEST_SHAPE,
} from "../../platform/strict-json.ts";
import type { BucketSize, TokenBuckets } from "../../platform/token-buckets.ts";
import { type AccessHeaders, checkTimestamp, readAccessHeaders } from "./access-headers.ts";
import { FAULTS_MAX, type Validate } from "./validate.ts";
import { verifyCaller } from "./verify-caller.ts";

/** A request as it came in, before anything about it is believed. */
export type IncomingCall = {
  readonly method: string;
  readonly path: string;
  readonly rawHeaders: readonly string[];
  readonly rawBody: Buffer;
  readonly address: string;
  /** What its answer bears as x-request-id. */
  readonly id: string;
  /** By `performance.now`. */
  readonly startedMs: number;
};

/** A request that may be acted upon: who sent it, for which project, and its body, which fits the schema. */
export type AdmittedCall = {
  readonly project: DirectoryProject;
  /** The one that the caller was known by: what this call is judged by does not change while it runs. */
  readonly directory: Directory;
  readonly scheme: Scheme;
  readonly key: DirectoryKey;
  readonly body: JsonObject;
};

/** What the calls for payments need of it: whose it is and what it says, not how it was signed. */
export type ProjectCall = Pick<AdmittedCall, "project" | "directory" | "body">;

/** Why a request may not be acted upon; and whose it is, where a valid signature says so. */
type RefusedCall = {
  readonly fault: Fault;
  readonly key: DirectoryKey | undefined;
  readonly projectId: Id | undefined;
};

export type AdmitDeps = {
  readonly clock: Clock;
  readonly directory: DirectoryWatch;
  readonly signatureWindowS: number;
  readonly failures: FailureGate;
  readonly failureLimit: BucketSize;
  readonly callsByProject: TokenBuckets;
  readonly liveProcesses: () => number;
};

/** Every member that a body of any call can have at its top, for the ambiguity rule of scheme 1. */
const TOP_LEVEL_MARKERS = ["general", "payment", "sender", "receiver", "customer", "card", "three_ds"].map(
  (name) => `;${name}:`,
);

/** A promise only where a call has to wait. Most have not, and a promise costs more than most checks do. */
type Admission = Result<AdmittedCall, RefusedCall>;
type Soon<T> = T | Promise<T>;

/**
 * The order of checks. Nothing before the signature reveals anything, and failures up to it are limited per address;
 * what comes after it is told only to an authenticated caller.
 */
export function admit(deps: AdmitDeps, incoming: IncomingCall, validate: Validate): Soon<Admission> {
  // Before the gate: while we cannot know who may call, no caller has failed, and none holds a place there.
  const directory = deps.directory.current();
  return directory instanceof Promise
    ? directory.then((current) => admitBy(current, deps, incoming, validate))
    : admitBy(directory, deps, incoming, validate);
}

function admitBy(directory: Directory, deps: AdmitDeps, incoming: IncomingCall, validate: Validate): Soon<Admission> {
  // Read here only to know the caller; what is wrong with them is told behind the gate.
  const headers = readAccessHeaders(incoming.rawHeaders);
  const caller = { address: callerOf(incoming.address), credential: headers.ok ? headers.value.token : undefined };
  const pass = deps.failures.enter(caller, deps.failureLimit, deps.clock.nowMs);
  return pass instanceof Promise
    ? pass.then((passed) => admitThrough(deps, incoming, validate, { directory, headers }, passed))
    : admitThrough(deps, incoming, validate, { directory, headers }, pass);
}

function admitThrough(
  deps: AdmitDeps,
  incoming: IncomingCall,
  validate: Validate,
  { directory, headers }: { readonly directory: Directory; readonly headers: Result<AccessHeaders, Fault> },
  pass: Pass,
): Soon<Admission> {
  if (pass.waitMs > 0) return refuse(rateLimited(pass.waitMs, "too many requests from this address failed"));
  const nowMs = deps.clock.nowMs();
  const settle = (signed: Result<Authenticated, Fault>): Admission => {
    pass.leave(signed.ok ? "good" : "failed");
    return signed.ok ? admitSigned(deps, incoming, validate, signed.value, nowMs) : refuse(signed.error);
  };
  const giveUp = (error: unknown): never => {
    pass.leave("failed");
    throw error;
  };
  let signed: Soon<Result<Authenticated, Fault>>;
  try {
    signed = headers.ok ? authenticate(directory, deps, headers.value, incoming, nowMs) : headers;
  } catch (error) {
    return giveUp(error);
  }
  return signed instanceof Promise ? signed.then(settle, giveUp) : settle(signed);
}

function refuse(fault: Fault, key?: DirectoryKey, projectId?: Id | null): Admission {
  return fail({ fault, key, projectId: projectId ?? undefined });
}

function admitSigned(
  deps: AdmitDeps,
  incoming: IncomingCall,
  validate: Validate,
  { directory, body, key, headers, scheme }: Authenticated,
  nowMs: number,
): Admission {
  const project = findCallersProject(directory, key, headers, body, validate);
  if (!project.ok) return refuse(project.error, key, key.projectId);
  const { id } = project.value;
  const refused = checkProjectRules(project.value, incoming.address, scheme) ?? takeRate(deps, project.value, nowMs);
  if (refused !== undefined) return refuse(refused, key, id);
  const wrong = validate(body);
  const faults = scheme === 1 ? [...wrong, ...ambiguityFaults(body)] : wrong;
  if (faults.length > 0) return refuse(validationFault(faults.slice(0, FAULTS_MAX)), key, id);
  return ok({ project: project.value, directory, scheme, key, body: body as JsonObject });
}

type Authenticated = {
  readonly directory: Directory;
  readonly headers: AccessHeaders;
  readonly body: JsonValue;
  readonly key: DirectoryKey;
  readonly scheme: Scheme;
};

function authenticate(
  directory: Directory,
  deps: AdmitDeps,
  headers: AccessHeaders,
  incoming: IncomingCall,
  nowMs: number,
): Soon<Result<Authenticated, Fault>> {
  const { timestamp, algorithm } = headers;
  const timestampFault = checkTimestamp(timestamp, nowMs, deps.signatureWindowS);
  if (timestampFault !== undefined) return fail(timestampFault);
  const json = parseStrictJson(incoming.rawBody, REQUEST_SHAPE);
  if (!json.ok) {
    const { error } = json;
    return fail(error.kind === "values" ? validationFault(error.fields) : fault("malformed_json", error.message));
  }
  if (algorithm === undefined) return fail(SIGNATURE_INVALID);
  const { scheme } = ALGORITHMS[algorithm];
  const body = json.value;
  const { method, path, rawBody } = incoming;
  const message = findSignedMessage(scheme, { method, path, timestamp, rawBody, body });
  if (message === undefined) {
    return fail(fault("malformed_json", "the body has too many members under long names for scheme 1"));
  }
  const known = (key: DirectoryKey | undefined): Result<Authenticated, Fault> =>
    key === undefined ? fail(SIGNATURE_INVALID) : ok({ directory, headers, body, key, scheme });
  const key = verifyCaller(directory, headers, algorithm, message, nowMs);
  return key instanceof Promise ? key.then(known) : known(key);
}

/** One answer for all of them, so that no merchant and no key can be found out by asking. */
const SIGNATURE_INVALID = fault("signature_invalid", "the merchant, the key or the signature is not valid");

const PROJECT_ID_CHARACTERS_MAX = 32;

function findCallersProject(
  directory: Directory,
  key: DirectoryKey,
  headers: AccessHeaders,
  body: JsonValue,
  validate: Validate,
): Result<DirectoryProject, Fault> {
  const projectId = member(member(body, "general"), "project_id");
  const project = typeof projectId === "string" ? directory.projects.get(projectId) : undefined;
  if (project === undefined && !isProjectIdWellFormed(projectId)) return fail(validationFault(validate(body)));
  const headerNamesProject = headers.merchantId !== key.merchantId;
  const permitted =
    project !== undefined &&
    project.merchantId === key.merchantId &&
    project.book === key.book &&
    (key.projectId === null || key.projectId === project.id) &&
    (!headerNamesProject || headers.merchantId === project.id);
  return permitted ? ok(project) : fail(fault("project_forbidden", "this key may not act for general.project_id"));
}

function isProjectIdWellFormed(projectId: JsonValue | undefined): boolean {
  return typeof projectId === "string" && projectId !== "" && [...projectId].length <= PROJECT_ID_CHARACTERS_MAX;
}

function checkProjectRules(project: DirectoryProject, address: string, scheme: Scheme): Fault | undefined {
  if (project.allowedNetworks.length > 0 && !includesAddress(project.allowedNetworks, address)) {
    return fault("ip_not_allowed", "this address is not on the project's list");
  }
  if (project.scheme2Only && scheme === 1) {
    return fault("scheme_not_allowed", "this project accepts only RSA-SHA256-V2 and HMAC-SHA512-V2");
  }
  return undefined;
}

/** Each process enforces its share of the project's limit. */
function takeRate(deps: AdmitDeps, project: DirectoryProject, nowMs: number): Fault | undefined {
  const parts = deps.liveProcesses();
  const size = { perSecond: project.ratePerSecond / parts, burst: Math.max(1, project.rateBurst / parts) };
  const waitMs = deps.callsByProject.take(project.id, size, nowMs);
  return waitMs === 0 ? undefined : rateLimited(waitMs, "the project's rate limit is reached");
}

function rateLimited(waitMs: number, description: string): Fault {
  return { code: "rate_limited", description, retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)) };
}

function ambiguityFaults(body: JsonValue): FieldFault[] {
  const fields = ambiguousUnderScheme1(body, TOP_LEVEL_MARKERS, FAULTS_MAX);
  return fields.map((field) => ({
    field,
    code: "not_allowed",
    message: "holds ; with a member's name and : behind it, which scheme 1 cannot sign unambiguously; use scheme 2",
  }));
}

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
