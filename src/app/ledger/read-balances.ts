import type { Currency } from "../../core/currency.ts";
import { groupBy } from "../../core/group-by.ts";
import { type Minor, ZERO } from "../../core/money.ts";
import type { Database } from "../../store/db.ts";
import { type Balance, listBalances } from "../../store/ledger/balances.ts";
import type { DirectoryProject } from "../merchants/directory.ts";
import { groupReads } from "../processes/group-reads.ts";

export type ShownBalance = { readonly currency: Currency; readonly available: Minor; readonly locked: Minor };

/** What a project holds, in every currency that it can be paid in or holds something of, by code. */
export type ReadBalances = (project: DirectoryProject) => Promise<readonly ShownBalance[]>;

export function openBalanceReader(db: Database): ReadBalances {
  const read = groupReads<DirectoryProject, readonly ShownBalance[]>(async (projects) => {
    const balances = await listBalances(
      db,
      projects.map((project) => project.id),
    );
    const byProject = groupBy(balances, (balance) => balance.projectId);
    return new Map(projects.map((project) => [project, shownBalances(project, byProject.get(project.id) ?? [])]));
  });
  return async (project) => (await read(project)) ?? [];
}

function shownBalances(project: DirectoryProject, balances: readonly Balance[]): ShownBalance[] {
  const shown = new Map<Currency, ShownBalance>();
  for (const currency of project.currencies) shown.set(currency, { currency, available: ZERO, locked: ZERO });
  for (const { currency, available, locked } of balances) {
    if (shown.has(currency) || available !== 0n || locked !== 0n) shown.set(currency, { currency, available, locked });
  }
  return [...shown.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
}
