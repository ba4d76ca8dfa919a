import type { Id } from "../../core/ids.ts";
import type { Role } from "../../core/people/rights.ts";
import type { Transaction } from "../db.ts";

/** A browser that signed in. */
export type Session = {
  readonly id: Id;
  readonly personId: Id;
  readonly merchantId: Id | null;
  /** The password was right, and the second factor is still to come. */
  readonly awaitsFactor: boolean;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  readonly seenAt: Date;
  readonly expiresAt: Date;
  readonly steppedUpAt: Date | null;
  readonly challenge: Buffer | null;
  readonly challengeAt: Date | null;
  readonly endedAt: Date | null;
};

/** A session with all that a request needs to know of its person, read by one statement. */
export type SessionInUse = Session & {
  readonly email: string;
  readonly name: string;
  readonly language: "en" | "ru";
  readonly merchantName: string | null;
  /** Of the chosen merchant; null where the membership has ended. */
  readonly role: Role | null;
  readonly hasTotp: boolean;
  readonly passkeys: number;
  readonly requireSecondFactor: boolean;
};

const COLUMNS = `e.id, e.person_id as "personId", e.merchant_id as "merchantId", e.awaits_factor as "awaitsFactor", e.address,
  e.user_agent as "userAgent", e.created_at as "createdAt", e.seen_at as "seenAt", e.expires_at as "expiresAt",
  e.stepped_up_at as "steppedUpAt", e.challenge, e.challenge_at as "challengeAt", e.ended_at as "endedAt"`;

export async function findSessionByToken(tx: Transaction, tokenHash: Buffer): Promise<SessionInUse | undefined> {
  const rows = await tx.run<SessionInUse>({
    name: "find_session_by_token",
    text: `select ${COLUMNS}, p.email, p.name, p.language, m.name as "merchantName", s.role,
                  exists (select from totp_factors f
                           where f.person_id = p.id and f.removed_at is null and f.confirmed_at is not null) as "hasTotp",
                  (select count(*)::int from passkeys k where k.person_id = p.id and k.removed_at is null) as passkeys,
                  coalesce(r.require_second_factor, false) as "requireSecondFactor"
             from sessions e
             join people p on p.id = e.person_id
             left join memberships s on s.person_id = e.person_id and s.merchant_id = e.merchant_id and s.ended_at is null
             left join merchants m on m.id = s.merchant_id
             left join merchant_security r on r.merchant_id = s.merchant_id
            where e.token_hash = $1`,
    values: [tokenHash],
  });
  return rows[0];
}

export type NewSession = Pick<
  Session,
  "id" | "personId" | "merchantId" | "awaitsFactor" | "address" | "userAgent" | "expiresAt"
> & { readonly tokenHash: Buffer; readonly now: Date };

export async function insertSession(tx: Transaction, session: NewSession): Promise<void> {
  await tx.run({
    text: `insert into sessions (id, person_id, token_hash, merchant_id, awaits_factor, address, user_agent, created_at, seen_at, expires_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)`,
    values: [
      session.id,
      session.personId,
      session.tokenHash,
      session.merchantId,
      session.awaitsFactor,
      session.address,
      session.userAgent,
      session.now,
      session.expiresAt,
    ],
  });
}

export async function touchSession(tx: Transaction, id: Id, now: Date): Promise<void> {
  await tx.run({
    name: "touch_session",
    text: "update sessions set seen_at = greatest(seen_at, $2) where id = $1 and ended_at is null",
    values: [id, now],
  });
}

/** False when it had ended already: of two callers one ends it. */
export async function endSession(tx: Transaction, id: Id, now: Date): Promise<boolean> {
  const rows = await tx.run({
    text: "update sessions set ended_at = $2, challenge = null where id = $1 and ended_at is null returning id",
    values: [id, now],
  });
  return rows.length === 1;
}

/** All of a person's, but one that goes on. Answers how many it ended. */
export async function endSessionsOf(tx: Transaction, personId: Id, now: Date, but: Id | null): Promise<number> {
  const rows = await tx.run({
    text: `update sessions set ended_at = $2, challenge = null
            where person_id = $1 and ended_at is null and id is distinct from $3 returning id`,
    values: [personId, now, but],
  });
  return rows.length;
}

/** Those that are not ended, the latest first; some may be past their time. */
export function listSessionsOf(tx: Transaction, personId: Id): Promise<Session[]> {
  return tx.run<Session>({
    text: `select ${COLUMNS} from sessions e where e.person_id = $1 and e.ended_at is null order by e.seen_at desc, e.id desc limit 100`,
    values: [personId],
  });
}

export async function saveStepUp(tx: Transaction, id: Id, now: Date): Promise<void> {
  await tx.run({ text: "update sessions set stepped_up_at = $2 where id = $1", values: [id, now] });
}

export async function saveChosenMerchant(tx: Transaction, id: Id, merchantId: Id): Promise<void> {
  // What was proved for one merchant's sake does not open another's.
  await tx.run({
    text: "update sessions set merchant_id = $2, stepped_up_at = null where id = $1",
    values: [id, merchantId],
  });
}
