import type { SandboxDatabase } from "../database.ts";

const BATCH = 500;

/** Approves what was pending, or was declined and is to be approved later, and whose time has come. */
export async function approveCharges(db: SandboxDatabase): Promise<number> {
  const rows = await db.run(
    `with due as (
       select reference from sandbox.charges where approves_at <= now() order by approves_at limit $1
       for update skip locked
     )
     update sandbox.charges c set status = 'approved', reason = null
     from due where c.reference = due.reference
     returning c.reference`,
    [BATCH],
  );
  return rows.length;
}

/** Declines what its payer did not finish in time. */
export async function expireCharges(db: SandboxDatabase): Promise<number> {
  const rows = await db.run(
    `with due as (
       select reference from sandbox.charges where status in ('challenge', 'redirect') and expires_at <= now()
       order by expires_at limit $1 for update skip locked
     )
     update sandbox.charges c set status = 'declined', reason = 'expired'
     from due where c.reference = due.reference
     returning c.reference`,
    [BATCH],
  );
  return rows.length;
}
