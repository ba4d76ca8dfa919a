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

type KeyReach = { readonly projectId: Id | null; readonly book: Book };
type ReachedProject = { readonly id: Id; readonly book: Book };

/** Of a key and a project of one merchant. A key without a project works for all projects of its book. */
export function worksFor(key: KeyReach, project: ReachedProject): boolean {
  return key.projectId === null ? key.book === project.book : key.projectId === project.id;
}

type MerchantKey = KeyTimes & KeyReach & { readonly id: Id };

/** The projects that could not call any more without this key: it works for them now, and no other key does. */
export function projectsThatNeed<P extends ReachedProject>(
  key: MerchantKey,
  keys: readonly MerchantKey[],
  projects: readonly P[],
  nowMs: number,
): readonly P[] {
  if (keyState(key, nowMs) !== "active") return [];
  const others = keys.filter((each) => each.id !== key.id && keyState(each, nowMs) === "active");
  return projects.filter((project) => worksFor(key, project) && !others.some((other) => worksFor(other, project)));
}
