import { type Fault, validationFault } from "../errors.ts";
import { findId, type Id, lowestIdAt } from "../ids.ts";
import { readPeriod } from "../reports/period.ts";
import { openQuery, type ReportQuery } from "../reports/query-values.ts";
import { fail, ok, type Result } from "../result.ts";
import type { ChunkKind, LoggedCall } from "./logged-call.ts";

const CALL_STATUSES = ["ok", "error", "4xx", "5xx"] as const;
type CallStatus = (typeof CALL_STATUSES)[number];

/** Which calls a person asked for. */
export type CallFilter = {
  readonly projectId: Id | undefined;
  readonly status: CallStatus | undefined;
  /** A part of the path. */
  readonly path: string | undefined;
  /** A part of any id, of the code or message of an error, or of the address. */
  readonly search: string | undefined;
  /** The first id that may be shown, and the first that may not: ids begin with the time. */
  readonly from: Id;
  readonly below: Id;
};

const LOWEST_ID = "0".repeat(32) as Id;
export const HIGHEST_ID = "f".repeat(32) as Id;

export const CALL_FILTERS = ["project", "status", "path", "q", "from", "to", "cursor"] as const;

export function readCallFilter(parameters: ReportQuery): Result<CallFilter, Fault> {
  const query = openQuery(parameters, CALL_FILTERS);
  const { from, to } = readPeriod(query);
  const end = to === undefined ? HIGHEST_ID : lowestIdAt(to.getTime());
  const cursor = query.read("cursor", findId, "is not one that this list answered") ?? HIGHEST_ID;
  const filter: CallFilter = {
    projectId: query.id("project"),
    status: query.oneOf("status", CALL_STATUSES),
    path: query.text("path")?.toLowerCase(),
    search: query.text("q")?.toLowerCase(),
    from: from === undefined ? LOWEST_ID : lowestIdAt(from.getTime()),
    below: cursor < end ? cursor : end,
  };
  return query.faults.length > 0 ? fail(validationFault(query.faults)) : ok(filter);
}

/** The rows that can have such calls. */
export function kindsOf({ status }: Pick<CallFilter, "status">): readonly ChunkKind[] {
  if (status === undefined) return ["calls", "errors", "unsigned"];
  return status === "ok" ? ["calls"] : ["errors", "unsigned"];
}

export function isWanted(call: LoggedCall, { status, path, search, from, below }: CallFilter): boolean {
  if (call.id < from || call.id >= below) return false;
  if (status === "4xx" && (call.status < 400 || call.status > 499)) return false;
  if (status === "5xx" && call.status < 500) return false;
  if (path !== undefined && !call.path.includes(path)) return false;
  return search === undefined || textsOf(call).some((text) => text?.toLowerCase().includes(search) === true);
}

function textsOf({ id, paymentId, requestId, code, message, address, keyId }: LoggedCall): (string | null)[] {
  return [id, paymentId, requestId, code, message, address, keyId];
}

/** The id right above: a list that begins below it begins with `id`. */
export function idAbove(id: Id): Id {
  return (BigInt(`0x${id}`) + 1n).toString(16).padStart(32, "0") as Id;
}
