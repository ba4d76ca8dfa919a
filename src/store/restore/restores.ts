import type { Id } from "../../core/ids.ts";
import type { RestoreReason } from "../../core/restore/judge-database.ts";
import type { Database, Transaction } from "../db.ts";

/** A restore of an older backup, as it was noticed or declared. */
export type Restore = {
  readonly id: Id;
  readonly noticedAt: Date;
  /** A process, or an operator. */
  readonly noticedBy: string;
  readonly why: RestoreReason;
  /** What was written after this moment may be lost. */
  readonly knownUntil: Date;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly checkedAt: Date | null;
  readonly checkedBy: string | null;
  readonly passed: boolean | null;
  readonly resumedAt: Date | null;
  readonly resumedBy: string | null;
  readonly despite: string | null;
};

const COLUMNS = `id, noticed_at as "noticedAt", noticed_by as "noticedBy", why, known_until as "knownUntil", facts,
                 checked_at as "checkedAt", checked_by as "checkedBy", passed,
                 resumed_at as "resumedAt", resumed_by as "resumedBy", despite`;

export async function findOpenRestore(db: Pick<Database, "run">): Promise<Restore | undefined> {
  const [row] = await db.run<Restore>({ text: `select ${COLUMNS} from restores where resumed_at is null` });
  return row;
}

/** One at most. */
export async function listOpenRestores(db: Pick<Database, "run">): Promise<Restore[]> {
  const open = await findOpenRestore(db);
  return open === undefined ? [] : [open];
}

/** For a caller that has just written one. */
export async function getOpenRestore(tx: Transaction): Promise<Restore> {
  const open = await findOpenRestore(tx);
  if (open === undefined) throw new Error("the restore that was written is not there");
  return open;
}

export async function lockOpenRestore(tx: Transaction): Promise<Restore | undefined> {
  const [row] = await tx.run<Restore>({ text: `select ${COLUMNS} from restores where resumed_at is null for update` });
  return row;
}

/** The newest first. */
export function listRestores(db: Pick<Database, "run">, countMax: number): Promise<Restore[]> {
  return db.run<Restore>({
    text: `select ${COLUMNS} from restores order by noticed_at desc, id desc limit $1`,
    values: [countMax],
  });
}

export type NoticedRestore = Pick<Restore, "id" | "noticedBy" | "why" | "knownUntil" | "facts">;

/** One that is open already begins again: what was checked before is no proof any more. Never later than it was known to be. */
export async function saveNoticedRestore(tx: Transaction, restore: NoticedRestore): Promise<void> {
  await tx.run({
    text: `insert into restores as r (id, noticed_by, why, known_until, facts) values ($1, $2, $3, $4, $5)
           on conflict ((true)) where resumed_at is null do update
              set noticed_at = now(), noticed_by = excluded.noticed_by, why = excluded.why, facts = excluded.facts,
                  known_until = least(r.known_until, excluded.known_until),
                  checked_at = null, checked_by = null, passed = null, report = null`,
    values: [restore.id, restore.noticedBy, restore.why, restore.knownUntil, JSON.stringify(restore.facts)],
  });
}

export type RestoreCheck = {
  readonly id: Id;
  readonly noticedAt: Date;
  readonly actor: string;
  readonly passed: boolean;
  readonly report: unknown;
};

/** False where it was resumed meanwhile, or noticed again: then the check is of another database. */
export async function saveRestoreCheck(db: Pick<Database, "run">, check: RestoreCheck): Promise<boolean> {
  const rows = await db.run({
    text: `update restores set checked_at = now(), checked_by = $3, passed = $4, report = $5
            where id = $1 and date_trunc('milliseconds', noticed_at) = $2 and resumed_at is null returning id`,
    values: [check.id, check.noticedAt, check.actor, check.passed, JSON.stringify(check.report)],
  });
  return rows.length === 1;
}

/** The row must be locked. */
export async function saveResumed(tx: Transaction, id: Id, actor: string, despite: string | undefined): Promise<void> {
  await tx.run({
    text: "update restores set resumed_at = now(), resumed_by = $2, despite = $3 where id = $1",
    values: [id, actor, despite ?? null],
  });
}

export type Testimony = { readonly actor: string; readonly writtenAt: Date; readonly lostMaxS: number };

/**
 * Ends a restore that was noticed in doubt: since a process that lived through the outage wrote last, and the database has it. False
 * where there is no such one.
 */
export async function withdrawDoubt(tx: Transaction, { actor, writtenAt, lostMaxS }: Testimony): Promise<boolean> {
  const rows = await tx.run({
    text: `update restores set resumed_at = now(), resumed_by = $1, despite = 'this process wrote before the outage, and the database has it'
            where resumed_at is null and why = 'other_timeline' and noticed_at > $2
              and known_until >= $2::timestamptz - make_interval(secs => $3)
           returning id`,
    values: [actor, writtenAt, lostMaxS],
  });
  return rows.length === 1;
}

/** Whether money may leave: no restore is open, and the server's timeline is one that a process has judged. */
export async function mayMoneyLeave(tx: Transaction): Promise<boolean> {
  const [row] = await tx.run<{ may: boolean }>({ text: "select may_money_leave() as may" });
  return row?.may ?? false;
}
