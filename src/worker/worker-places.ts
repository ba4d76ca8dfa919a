import type { JobDeps } from "../app/payments/look.ts";
import { openProviderPlaces } from "./provider-places.ts";

/** Something to do that needs a place of its provider. */
export type PlaceJob = {
  readonly begin: () => Promise<void>;
  /** There was no place for it: it is to come again after so long. */
  readonly giveBack: (afterS: number) => Promise<void>;
};

/** The places of a worker, where each job is waited for. */
export type WorkerPlaces = {
  /** Until it was done, or given back. */
  readonly inPlace: (provider: string, job: PlaceJob) => Promise<void>;
  readonly waitingCount: () => number;
  readonly close: () => void;
};

export type WorkerPlacesOptions = { readonly placesMax: number; readonly waitMs: number };

export function openWorkerPlaces(
  { findConnector }: Pick<JobDeps, "findConnector">,
  { placesMax, waitMs }: WorkerPlacesOptions,
): WorkerPlaces {
  const places = openProviderPlaces<PlaceJob & { readonly onEnd: () => void }>({
    placesMax,
    waitMs,
    callsMaxOf: (provider) => findConnector(provider)?.health?.callsMax,
    begin: (job) => job.begin().finally(job.onEnd),
    giveBack: (job, afterS) => void job.giveBack(afterS).finally(job.onEnd),
  });
  return {
    waitingCount: places.waitingCount,
    close: places.close,
    inPlace: (provider, { begin, giveBack }) =>
      new Promise((resolve, reject) => {
        const job = {
          begin: () => begin().catch(reject),
          giveBack: (afterS: number) => giveBack(afterS).catch(reject),
        };
        places.add(provider, { ...job, onEnd: resolve });
      }),
  };
}
