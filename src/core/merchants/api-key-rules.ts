import { groupBy } from "../group-by.ts";
import type { Id } from "../ids.ts";
import type { Book } from "./book.ts";

/** When a key works, and for which projects. */
export type KeyState = "active" | "not yet" | "expired" | "revoked";

type KeyTimes = { readonly notBefore: Date; readonly notAfter: Date | null; readonly revokedAt: Date | null };

export function keyState(key: KeyTimes, nowMs: number): KeyState {
  if (key.revokedAt !== null) return "revoked";
  if (key.notAfter !== null && nowMs >= key.notAfter.getTime()) return "expired";
  return nowMs < key.notBefore.getTime() ? "not yet" : "active";
}

type MerchantKey = KeyTimes & { readonly id: Id; readonly projectId: Id | null; readonly book: Book };

/** For each project of a merchant the keys that work for it now: its own, and those of all projects of its book. */
export function keysAtWork<K extends MerchantKey>(
  keys: readonly K[],
  projects: readonly { readonly id: Id; readonly book: Book }[],
  nowMs: number,
): ReadonlyMap<Id, readonly K[]> {
  const active = keys.filter((key) => keyState(key, nowMs) === "active");
  const byReach = groupBy(active, ({ projectId, book }): string => projectId ?? book);
  return new Map(projects.map(({ id, book }) => [id, [...(byReach.get(id) ?? []), ...(byReach.get(book) ?? [])]]));
}

/** The projects that could not call any more without this key: it works for them now, and no other key does. */
export function projectsThatNeed(keyId: Id, atWork: ReadonlyMap<Id, readonly { readonly id: Id }[]>): readonly Id[] {
  const alone = [...atWork].filter(([, keys]) => keys.length === 1 && keys[0]?.id === keyId);
  return alone.map(([projectId]) => projectId);
}
