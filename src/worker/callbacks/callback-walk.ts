import {
  type Endpoint,
  listEndpointsAfter,
  listWaitingEndpoints,
  type WaitingEndpoint,
} from "../../store/callbacks/callback-queue.ts";
import type { Database } from "../../store/db.ts";

/**
 * Goes over the endpoints that something waits for. A merchant may name a new one with every payment, so of each project a
 * look takes a page: of one with few endpoints all of them, of one with very many the first page and the next one of a walk
 * that goes on with every look. So a look costs the same however many endpoints a project has, and the others of a project
 * wait for those alone.
 */
export type CallbackWalk = { readonly look: () => Promise<CallbackLook> };

type CallbackLook = {
  readonly waiting: readonly WaitingEndpoint[];
  /** Projects of which there are more than were looked at. */
  readonly crowded: ReadonlySet<string>;
  /** Some of them were not looked at since the walk began. */
  readonly isUnderWay: boolean;
};

/** They cost a look 1 to 2 ms; 50,000 of them took 250. */
const PAGE_ENDPOINTS = 256;

export function openCallbackWalk(db: Database, pageMax = PAGE_ENDPOINTS): CallbackWalk {
  /** By project: where its walk goes on. */
  const cursors = new Map<string, Endpoint>();

  async function lookFurther(first: readonly WaitingEndpoint[], crowded: ReadonlySet<string>) {
    const lasts = new Map(first.map((endpoint) => [endpoint.projectId, endpoint]));
    const from = [...lasts.values()].filter(({ projectId }) => crowded.has(projectId));
    const pages = await listEndpointsAfter(
      db,
      from.map((last) => cursors.get(last.projectId) ?? last),
      pageMax,
    );
    cursors.clear();
    for (const projectId of listFull(pages, pageMax)) {
      const last = pages.findLast((endpoint) => endpoint.projectId === projectId);
      if (last !== undefined) cursors.set(projectId, last);
    }
    return pages;
  }

  return {
    look: async () => {
      const first = await listWaitingEndpoints(db, pageMax);
      const crowded = listFull(first, pageMax);
      const further = crowded.size === 0 ? [] : await lookFurther(first, crowded);
      if (crowded.size === 0) cursors.clear();
      return { waiting: distinct([...first, ...further]), crowded, isUnderWay: cursors.size > 0 };
    },
  };
}

/** The projects of which a page is full. */
function listFull(endpoints: readonly Endpoint[], pageMax: number): Set<string> {
  const counts = new Map<string, number>();
  for (const { projectId } of endpoints) counts.set(projectId, (counts.get(projectId) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count >= pageMax).map(([projectId]) => projectId));
}

/** The first page moves on when endpoints before its end have nothing left, and meets the other one then. */
function distinct(endpoints: readonly WaitingEndpoint[]): WaitingEndpoint[] {
  return [...new Map(endpoints.map((endpoint) => [`${endpoint.projectId} ${endpoint.origin}`, endpoint])).values()];
}
