import type { Id } from "../../core/ids.ts";
import type { Database } from "../../store/db.ts";
import { listProjectsOfMerchant } from "../../store/merchants/projects.ts";
import type { Directory } from "../merchants/directory.ts";
import type { ScopeProject } from "./report-scope.ts";

/** With every currency that its methods have or had: what a list can be filtered by does not depend on the filter. */
export type ReportProject = ScopeProject & { readonly currencies: readonly string[] };

type Deps = { readonly db: Database; readonly currentDirectory: () => Directory | Promise<Directory> };

/** As the database has them: a person reads this right after a change, which may not be in this process's memory yet. */
export async function listReportProjects(deps: Deps, merchantId: Id): Promise<ReportProject[]> {
  const directory = await deps.currentDirectory();
  const projects = await listProjectsOfMerchant(deps.db, merchantId);
  return projects.map(({ id, name, book }) => {
    const methods = directory.projects.get(id)?.methods ?? [];
    return { id, name, book, currencies: [...new Set(methods.map(({ currency }) => currency))].sort() };
  });
}
