import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Directory } from "../merchants/directory.ts";

/** A project that a person may read reports of. */
export type ScopeProject = { readonly id: Id; readonly name: string; readonly book: Book };

/**
 * All that a person's reports may reach: the projects of one merchant. Every read takes it, and asks the database for the rows
 * of these projects only.
 */
export type ReportScope = { readonly projects: readonly ScopeProject[] };

/** Live projects first, then by name. */
export function scopeOfMerchant(directory: Pick<Directory, "projects">, merchantId: Id): ReportScope {
  const projects = [...directory.projects.values()]
    .filter((project) => project.merchantId === merchantId)
    .map(({ id, name, book }) => ({ id, name, book }))
    .sort((a, b) => compare(a.book, b.book) || compare(a.name, b.name) || compare(a.id, b.id));
  return { projects };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Those that a filter leaves. Another merchant's project is not told from one that does not exist. */
export function projectsInScope(
  { projects }: ReportScope,
  projectId: Id | undefined,
): Result<readonly ScopeProject[], "not_found"> {
  if (projectId === undefined) return ok(projects);
  const project = projects.find(({ id }) => id === projectId);
  return project === undefined ? fail("not_found") : ok([project]);
}

export function idsOf(projects: readonly ScopeProject[]): Id[] {
  return projects.map(({ id }) => id);
}

/** Whose a row is. A row of a project that was not asked for is a bug, and must not be shown. */
export function projectOf(projects: readonly ScopeProject[], { projectId }: { readonly projectId: Id }): ScopeProject {
  const project = projects.find(({ id }) => id === projectId);
  if (project === undefined) throw new Error("a row of a project that was not asked for");
  return project;
}
