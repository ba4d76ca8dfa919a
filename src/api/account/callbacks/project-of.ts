import type { ProjectChange } from "../../../app/callbacks/project-callbacks.ts";
import type { ScopeProject } from "../../../app/reports/report-scope.ts";
import { scopeOf } from "../report-query.ts";
import { type AccountDeps, idOf, type MemberCall } from "../route.ts";

export type OwnProject = { readonly project: ScopeProject; readonly change: ProjectChange };

/** The merchant's project that the path names, and who changes it. Another merchant's is not told from one that does not exist. */
export async function findOwnProject(
  deps: AccountDeps,
  { merchantId, params, actor }: MemberCall<unknown, unknown>,
): Promise<OwnProject | undefined> {
  const projectId = idOf(params.project_id);
  const project = (await scopeOf(deps, merchantId)).projects.find(({ id }) => id === projectId);
  return project === undefined ? undefined : { project, change: { merchantId, projectId, actor } };
}
