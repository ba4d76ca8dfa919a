import type { Id } from "../../core/ids.ts";
import { isSessionOpen } from "../../core/people/session-rules.ts";
import { listMembershipsOfPerson } from "../../store/people/memberships.ts";
import { endSession, listSessionsOf, type SessionInUse, saveChosenMerchant } from "../../store/people/sessions.ts";
import type { PeopleDeps } from "./people-deps.ts";

/** A person's own sessions. */
export async function viewSessions({ db, clock }: PeopleDeps, current: SessionInUse) {
  const sessions = await listSessionsOf(db, current.personId);
  return sessions
    .filter((session) => isSessionOpen(session, clock.nowMs()) && !session.awaitsFactor)
    .map(({ id, address, userAgent, createdAt, seenAt, expiresAt }) => ({
      id,
      current: id === current.id,
      address,
      browser: userAgent,
      created_at: createdAt.toISOString(),
      seen_at: seenAt.toISOString(),
      expires_at: expiresAt.toISOString(),
    }));
}

/** False when the person has no such session. */
export async function revokeSession({ db, clock }: PeopleDeps, current: SessionInUse, id: string): Promise<boolean> {
  const mine = (await listSessionsOf(db, current.personId)).find((session) => session.id === id);
  return mine !== undefined && (await endSession(db, mine.id, new Date(clock.nowMs())));
}

/** False when the person is not in that merchant's team. */
export async function chooseMerchant({ db }: PeopleDeps, session: SessionInUse, merchantId: string): Promise<boolean> {
  const memberships = await listMembershipsOfPerson(db, session.personId);
  const chosen = memberships.find((membership) => membership.merchantId === merchantId);
  if (chosen === undefined) return false;
  await saveChosenMerchant(db, session.id, chosen.merchantId as Id);
  return true;
}
