import type { Id } from "../../core/ids.ts";
import type { Direction, Method } from "../../core/merchants/methods.ts";
import type { Transaction } from "../db.ts";

/** The providers that a method of a project goes through, in the order in which they are asked. */
export type ProjectRoute = {
  readonly projectId: Id;
  readonly direction: Direction;
  readonly method: Method;
  /** Empty: the default. */
  readonly providers: readonly string[];
  /** Weights and conditions, as `core/merchants/route-text.ts` writes them; null: the providers in their order. */
  readonly rules?: string | null;
};

/** Those that an operator chose, of all projects or of those that are named: a route without providers is the default again. */
export function listProjectRoutes(tx: Transaction, projectIds?: readonly Id[]): Promise<ProjectRoute[]> {
  return tx.run<ProjectRoute>({
    text: `select project_id as "projectId", direction, method, providers, rules from project_routes
            where cardinality(providers) > 0 and ($1::uuid[] is null or project_id = any($1))
            order by project_id, direction, method`,
    values: [projectIds],
  });
}

export async function saveProjectRoute(tx: Transaction, route: ProjectRoute): Promise<void> {
  await tx.run({
    text: `insert into project_routes (project_id, direction, method, providers, rules) values ($1, $2, $3, $4, $5)
           on conflict (project_id, direction, method) do update set providers = excluded.providers, rules = excluded.rules`,
    values: [route.projectId, route.direction, route.method, route.providers, route.rules ?? null],
  });
}
