import type { Id } from "../../core/ids.ts";
import type { PauseKind } from "../../core/merchants/pause-kind.ts";
import type { Transaction } from "../db.ts";

export type { PauseKind } from "../../core/merchants/pause-kind.ts";

/** What an operator stopped for a while. */
export type Pause = {
  readonly id: Id;
  readonly kind: PauseKind;
  /** A project's id, or of payouts empty for all of them; a method; a provider. */
  readonly name: string;
  readonly reason: string;
  readonly actor: string;
  readonly createdAt: Date;
};

export type NewPause = Omit<Pause, "createdAt">;

/** Those in force. */
export function listPauses(tx: Transaction): Promise<Pause[]> {
  return tx.run<Pause>({
    text: `select id, kind, name, reason, actor, created_at as "createdAt" from pauses where ended_at is null order by created_at, id`,
  });
}

/** False when it is in force already. */
export async function insertPause(tx: Transaction, pause: NewPause): Promise<boolean> {
  const rows = await tx.run({
    text: `insert into pauses (id, kind, name, reason, actor) values ($1, $2, $3, $4, $5)
           on conflict (kind, name) where ended_at is null do nothing
           returning id`,
    values: [pause.id, pause.kind, pause.name, pause.reason, pause.actor],
  });
  return rows.length === 1;
}

/** False when none was in force. */
export async function endPause(tx: Transaction, kind: PauseKind, name: string, actor: string): Promise<boolean> {
  const rows = await tx.run({
    text: `update pauses set ended_at = now(), ended_by = $3 where kind = $1 and name = $2 and ended_at is null returning id`,
    values: [kind, name, actor],
  });
  return rows.length === 1;
}
