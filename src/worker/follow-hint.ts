import { whileAway } from "../app/processes/while-away.ts";
import type { Log } from "../platform/log.ts";
import { warnOfError } from "../platform/log-lines/quiet-log.ts";
import { within } from "../platform/within.ts";
import { isUnavailable } from "../store/faults.ts";
import type { ProviderHint } from "../store/payments/claims.ts";
import type { Hands } from "./hands.ts";
import type { HintedLooks } from "./hinted-looks.ts";
import type { WorkerPlaces } from "./worker-places.ts";

/** Follows a provider's hint. One that meets a database that is away is not lost: it is written as soon as the database is back. */
export type FollowHint = (hint: ProviderHint) => Promise<void>;

export type FollowHintDeps = {
  readonly log: Log;
  readonly hinted: HintedLooks;
  readonly hands: Pick<Hands, "lookAt">;
  readonly inPlace: WorkerPlaces["inPlace"];
  readonly isStopping: () => boolean;
  readonly onDone: () => void;
};

/** So long a hint is kept. Then the schedule of looks makes up for it. */
const KEPT_MS = 60_000;

export function openFollowHint({ log, hinted, hands, inPlace, isStopping, onDone }: FollowHintDeps): FollowHint {
  async function follow(hint: ProviderHint): Promise<void> {
    const prepared = await hinted.prepare(hint);
    if (prepared === undefined) return;
    const begin = async () => {
      await hinted.look(prepared);
      onDone();
    };
    const job = { begin, giveBack: () => hinted.leave(hint) };
    await hands.lookAt(prepared.payment.requestId, () => inPlace(prepared.provider, job));
  }

  return async (hint) => {
    const mayKeep = within(KEPT_MS);
    try {
      await follow(hint);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      warnOfError(log, error, "a provider's hint could not be followed");
      await whileAway(
        () => hinted.leave(hint),
        () => !isStopping() && mayKeep(),
      );
    }
  };
}
