import type { Currency } from "../core/currency.ts";
import { groupBy } from "../core/group-by.ts";
import type { Id } from "../core/ids.ts";
import { type Minor, ZERO } from "../core/money.ts";
import type { Database } from "../store/db.ts";
import { type Balance, listBalances } from "../store/read/balances.ts";
import type { DirectoryProject } from "./directory.ts";
import { groupReads } from "./group-reads.ts";

export type ShownBalance = { readonly currency: Currency; readonly available: Minor; readonly locked: Minor };

/** What a project holds, in every currency that it can be paid in or holds something of, by code. */
export type ReadBalances = (project: DirectoryProject) => Promise<readonly ShownBalance[]>;

export function openBalanceReader(db: Database): ReadBalances {
  const read = groupReads<Id, readonly Balance[]>(async (projectIds) =>
    groupBy(await listBalances(db, projectIds), (balance) => balance.projectId),
  );
  return async (project) => shownBalances(project, (await read(project.id)) ?? []);
}

function shownBalances(project: DirectoryProject, balances: readonly Balance[]): ShownBalance[] {
  const shown = new Map<Currency, ShownBalance>();
  for (const method of project.methods) {
    if (method.enabled) shown.set(method.currency, { currency: method.currency, available: ZERO, locked: ZERO });
  }
  for (const { currency, available, locked } of balances) {
    if (shown.has(currency) || available !== 0n || locked !== 0n) shown.set(currency, { currency, available, locked });
  }
  return [...shown.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
}
