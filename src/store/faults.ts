import pg from "pg";
import { OutOfTime } from "../platform/deadlines.ts";

/** What PostgreSQL says went wrong, in the few ways that the service acts upon. */

/** The constraint that a statement broke, if that is what happened. */
export function brokenConstraint(error: unknown): string | undefined {
  const broken = error instanceof pg.DatabaseError && error.code?.startsWith("23") === true;
  return broken ? error.constraint : undefined;
}

const UNREACHABLE_CLASSES = ["08", "53", "57"];
const UNREACHABLE_CODES = [
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
  "ENOTFOUND",
  // None of several servers can be used now, and a commit that its standby may lack: see Unreplicated.
  "08001",
  "08007",
];
/** A lock that did not come, a transaction that idled too long, and the two codes of a lost race with another transaction. */
const TRY_AGAIN = ["55P03", "25P03", "40001", "40P01"];
/** What a server says to a write while it is a standby: it was the primary, and another one has taken over. */
const READ_ONLY = "25006";
const CONTENTION = ["55P03", "40001", "40P01"];
/** What pg says of a connection that did not come, fell silent, or ended before the statement could be sent. */
const SILENCE =
  /^(Connection terminated|timeout (exceeded when trying to connect|expired)|Query read timeout|Client (was closed|has encountered a connection error) and is not queryable)/;

const raisedByDatabase = new WeakSet<Error>();

/** A commit that the primary has and its standby may lack: it was told not to wait any longer. SQLSTATE "resolution unknown". */
export class Unreplicated extends Error {
  readonly code = "08007";
  constructor() {
    super("the commit was not confirmed by a standby");
    raisedByDatabase.add(this);
  }
}

/**
 * A broken connection to the database has the same codes as any other broken connection, such as that of a client which
 * cut off its upload. So errors are marked where statements are sent, and only marked ones count as the database's.
 */
export function markAsDatabases(error: unknown): void {
  if (error instanceof Error) raisedByDatabase.add(error);
}

/** True when the database could not do its work now, or not in time, and the same call may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof OutOfTime) return true;
  if (!(error instanceof Error && raisedByDatabase.has(error))) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (error instanceof pg.DatabaseError) {
    return (
      UNREACHABLE_CLASSES.some((prefix) => code.startsWith(prefix)) || TRY_AGAIN.includes(code) || code === READ_ONLY
    );
  }
  const refused =
    UNREACHABLE_CODES.includes(code) || (code === "ENOENT" && "syscall" in error && error.syscall === "connect");
  return refused || SILENCE.test(error.message);
}

/** True when the server takes no writes: this connection leads to a standby, and a new one may lead to the primary. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === READ_ONLY;
}

/** True when a transaction was rolled back because others were in its way: the same again may well succeed at once. */
export function isContention(error: unknown): boolean {
  return error instanceof pg.DatabaseError && CONTENTION.includes(error.code ?? "");
}

/** The second is what PostgreSQL says about a schema that the user may not even look into. */
const LACK_OF_RIGHTS = ["42501", "3F000"];

/** True when the database's user was not granted what a statement needs. */
export function lacksRight(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && LACK_OF_RIGHTS.includes(error.code ?? "");
}

/** For the person who can grant it. */
export function explainLack(error: pg.DatabaseError): string {
  return `The database's user lacks a right: ${error.message}. See "Database roles" in docs/operations.md for what it needs.`;
}

export const DISK_FULL = "53100";

/** Out of range, a broken constraint, and longer than an index or a row can hold. */
const DATA_FAULT = /^(22|23|54000)/;

/** True when a statement was refused for what it was given. */
export function isDataFault(error: unknown): boolean {
  return error instanceof pg.DatabaseError && DATA_FAULT.test(error.code ?? "");
}

const UNIQUE_VIOLATION = "23505";

/** True when a row is there already that another transaction has just written: a second read will see it. */
export function isTaken(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION;
}

const AFTER_FAILURE = "25P02";

/** True when a statement was refused only because one before it in the same transaction failed. */
export function isAfterFailure(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === AFTER_FAILURE;
}
