import type { Id } from "../../core/ids.ts";
import { FACTOR_WAIT_S, isSessionOpen, SESSION_AGE_MAX_S } from "../../core/people/session-rules.ts";
import { newId } from "../../platform/new-id.ts";
import type { Secret } from "../../platform/secret.ts";
import { hashToken, newToken } from "../../platform/token.ts";
import type { Transaction } from "../../store/db.ts";
import { listMembershipsOfPerson } from "../../store/people/memberships.ts";
import { findSessionByToken, insertSession, type SessionInUse, touchSession } from "../../store/people/sessions.ts";
import type { Caller, PeopleDeps } from "./people-deps.ts";

export type { SessionInUse } from "../../store/people/sessions.ts";

/** Seen is written once a minute at most, so that a page that asks often costs no writes; a session idles out that much sooner. */
const SEEN_EVERY_MS = 60_000;
const TOKEN_LENGTH_MAX = 64;

/** The open session of a cookie, including one that still awaits its second factor. */
export async function findOpenSession(
  { db, clock }: Pick<PeopleDeps, "db" | "clock">,
  token: string,
): Promise<SessionInUse | undefined> {
  if (token.length > TOKEN_LENGTH_MAX) return undefined;
  const session = await findSessionByToken(db, hashToken(token));
  const nowMs = clock.nowMs();
  if (session === undefined || !isSessionOpen(session, nowMs)) return undefined;
  if (nowMs - session.seenAt.getTime() >= SEEN_EVERY_MS) await touchSession(db, session.id, new Date(nowMs));
  return session;
}

export type StartedSession = { readonly token: Secret<string>; readonly sessionId: Id; readonly merchantId: Id | null };

/** A new session has a new token, so that a token from before the sign-in is worth nothing after it. */
export async function startSession(
  tx: Transaction,
  now: Date,
  start: {
    readonly personId: Id;
    readonly caller: Caller;
    readonly awaitsFactor: boolean;
    /** Which of the person's merchants it is about; the first, where it is not said. */
    readonly merchantId?: Id | null;
  },
): Promise<StartedSession> {
  const { token, hash } = newToken();
  const [first] = await listMembershipsOfPerson(tx, start.personId);
  const lastsS = start.awaitsFactor ? FACTOR_WAIT_S : SESSION_AGE_MAX_S;
  const merchantId = start.merchantId ?? first?.merchantId ?? null;
  const id = newId();
  await insertSession(tx, {
    id,
    personId: start.personId,
    tokenHash: hash,
    merchantId,
    awaitsFactor: start.awaitsFactor,
    address: start.caller.address,
    userAgent: start.caller.userAgent,
    expiresAt: new Date(now.getTime() + lastsS * 1000),
    now,
  });
  return { token, sessionId: id, merchantId };
}
