import type { Id } from "../../core/ids.ts";
import { type AccountFault, accountFault } from "../../core/people/account-fault.ts";
import type { Actor } from "../../core/people/actor.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { lockProject, type Project, type ProjectSettings, updateProject } from "../../store/merchants/projects.ts";
import { audit } from "../people/audit.ts";

export type ProjectChange = {
  readonly merchantId: Id;
  readonly projectId: Id;
  readonly actor: Actor;
  /** What the audit log calls it, such as `project.rules`. */
  readonly action: string;
  /** Or a function that decides on them while the project is locked. */
  readonly settings: Partial<ProjectSettings> | ((present: Project) => Result<Partial<ProjectSettings>, AccountFault>);
  /** What the person saw. A setting that another person changed meanwhile is not written over. */
  readonly seen?: Partial<ProjectSettings>;
  /** How the audit log names it; by itself with its name and id. */
  readonly subject?: string;
};

/** Changes settings of a merchant's own project, as one of the merchant's people. What is not named stays as it is. */
export function changeProject(db: Database, change: ProjectChange): Promise<Result<null, AccountFault>> {
  return db.transaction((tx) => changeProjectIn(tx, change));
}

export async function changeProjectIn(tx: Transaction, change: ProjectChange): Promise<Result<null, AccountFault>> {
  const { merchantId, projectId, actor, action, seen = {} } = change;
  const project = await lockProject(tx, projectId);
  if (project?.merchantId !== merchantId) return fail(NO_PROJECT);
  if (namesThatDiffer(project, seen).length > 0)
    return fail(accountFault("wrong_state", "the settings were changed meanwhile"));
  const wanted = typeof change.settings === "function" ? change.settings(project) : ok(change.settings);
  if (!wanted.ok) return wanted;
  const settings = wanted.value;
  const changed = namesThatDiffer(project, settings);
  if (changed.length === 0) return ok(null);
  await updateProject(tx, projectId, { ...project, ...settings });
  const valuesOf = (from: Partial<ProjectSettings>) =>
    Object.fromEntries(changed.map((name) => [columnOf(name), from[name]]));
  await audit(tx, {
    merchantId,
    actor,
    action,
    subject: change.subject ?? subjectOf(project),
    before: valuesOf(project),
    after: valuesOf(settings),
  });
  return ok(null);
}

function namesThatDiffer(project: ProjectSettings, wanted: Partial<ProjectSettings>): (keyof ProjectSettings)[] {
  const names = Object.keys(wanted) as (keyof ProjectSettings)[];
  return names.filter((name) => JSON.stringify(project[name]) !== JSON.stringify(wanted[name]));
}

export const NO_PROJECT = accountFault("not_found", "there is no such project");

/** How the audit log names a project. */
export function subjectOf({ name, id }: Pick<Project, "name" | "id">): string {
  return `${name} ${id}`;
}

/** As an operator's changes are written down: `allowedIps` is `allowed_ips`. */
function columnOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
