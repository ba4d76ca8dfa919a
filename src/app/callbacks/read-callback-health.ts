import type { Id } from "../../core/ids.ts";
import { DAY_MS } from "../../core/reports/period.ts";
import { ok, type Result } from "../../core/result.ts";
import {
  type EndpointPast,
  type EndpointPresent,
  listEndpointPasts,
  listEndpointPresents,
} from "../../store/callbacks/callback-health.ts";
import type { Database } from "../../store/db.ts";
import { readReport } from "../../store/reports/read-report.ts";
import { idsOf, projectsInScope, type ReportScope } from "../reports/report-scope.ts";

/** An endpoint is a project's scheme, host and port: one server, whichever of its URLs callbacks go to. */
export type EndpointHealth = EndpointPast & EndpointPresent;

export type CallbackHealth = {
  /** Those with trouble first, then those with the most callbacks. */
  readonly endpoints: readonly EndpointHealth[];
  /** How many endpoints are left out. */
  readonly others: number;
};

/** A merchant may name a URL, and so a host, in each payment: the list is bounded. */
const ENDPOINTS_MAX = 50;

/** How a merchant's servers take callbacks: what was written in the last days, and what stands undelivered now; in one snapshot. */
export async function readCallbackHealth(
  db: Database,
  scope: ReportScope,
  { projectId, days, now }: { readonly projectId: Id | undefined; readonly days: number; readonly now: Date },
): Promise<Result<CallbackHealth, "not_found">> {
  const projects = projectsInScope(scope, projectId);
  if (!projects.ok) return projects;
  const ids = idsOf(projects.value);
  const since = new Date(now.getTime() - days * DAY_MS);
  const [pasts, presents] = await readReport(db, (tx) =>
    Promise.all([listEndpointPasts(tx, ids, since), listEndpointPresents(tx, ids)]),
  );
  const all = joined(pasts, presents).sort(byTrouble);
  return ok({ endpoints: all.slice(0, ENDPOINTS_MAX), others: Math.max(0, all.length - ENDPOINTS_MAX) });
}

const NO_PAST = {
  ...{ written: 0, delivered: 0, attempts: 0, failedAttempts: 0 },
  ...{ averageMs: null, p95Ms: null, lastError: null, lastErrorAt: null },
};
const NO_PRESENT = { waiting: 0, failing: 0, held: 0, dead: 0 };

function joined(pasts: readonly EndpointPast[], presents: readonly EndpointPresent[]): EndpointHealth[] {
  const found = new Map<string, EndpointHealth>();
  const nameOf = ({ projectId, origin }: { readonly projectId: Id; readonly origin: string }) =>
    `${projectId} ${origin}`;
  for (const past of pasts) found.set(nameOf(past), { ...NO_PRESENT, ...past });
  for (const present of presents) found.set(nameOf(present), { ...NO_PAST, ...found.get(nameOf(present)), ...present });
  return [...found.values()];
}

function byTrouble(a: EndpointHealth, b: EndpointHealth): number {
  const trouble = ({ dead, failing, held }: EndpointHealth) => (dead + failing + held > 0 ? 1 : 0);
  const size = ({ written, waiting }: EndpointHealth) => written + waiting;
  return trouble(b) - trouble(a) || size(b) - size(a) || (a.origin < b.origin ? -1 : 1);
}
