import { RIGHTS_OF_ROLE } from "../../core/people/rights.ts";
import { steppedUpUntil } from "../../core/people/session-rules.ts";
import { listMembershipsOfPerson } from "../../store/people/memberships.ts";
import { countFactors } from "../../store/people/second-factors.ts";
import type { SessionInUse } from "../../store/people/sessions.ts";
import type { PeopleDeps } from "./people-deps.ts";

/** The merchant demands a second factor, and this person has none: nothing else is open until there is one. */
export function mustSetSecondFactor({ requireSecondFactor, hasTotp, passkeys }: SessionInUse): boolean {
  return requireSecondFactor && !hasTotp && passkeys === 0;
}

/** What the account's pages know of the person who is signed in. */
export async function viewSession({ db, clock }: Pick<PeopleDeps, "db" | "clock">, session: SessionInUse) {
  const { role, merchantId, merchantName } = session;
  const [memberships, factors] = await db.transaction(
    async (tx) =>
      [await listMembershipsOfPerson(tx, session.personId), await countFactors(tx, session.personId)] as const,
    "snapshot",
  );
  return {
    person: { id: session.personId, name: session.name, email: session.email, language: session.language },
    merchant: role === null ? null : { id: merchantId, name: merchantName },
    memberships: memberships.map((each) => ({
      merchant_id: each.merchantId,
      merchant_name: each.merchantName,
      role: each.role,
    })),
    role,
    rights: role === null ? [] : RIGHTS_OF_ROLE[role],
    second_factor: {
      totp: factors.totp,
      passkeys: factors.passkeys,
      recovery_codes_left: factors.recoveryCodes,
    },
    must_set_second_factor: mustSetSecondFactor(session),
    stepped_up_until: steppedUpUntil(session.steppedUpAt, clock.nowMs())?.toISOString() ?? null,
  };
}
