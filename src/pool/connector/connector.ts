import type { Connector } from "../../core/connector.ts";
import { POOL_PROVIDER, PROVIDERS } from "../../core/providers.ts";
import { fail } from "../../core/result.ts";
import type { PoolDesk } from "./desk.ts";

const UNKNOWN = { kind: "unknown" } as const;
const DONE = { kind: "done" } as const;

/** Pay-ins to the operator's own accounts, and payouts that people make by hand. */
export function openPoolConnector(desk: PoolDesk): Connector {
  /** What the database did not answer is unknown; anything else that goes wrong is a bug, and is heard. */
  async function ask<T>(question: () => Promise<T>): Promise<T | typeof UNKNOWN> {
    try {
      return await question();
    } catch (error) {
      if (desk.isUnavailable(error)) return UNKNOWN;
      throw error;
    }
  }

  return {
    code: POOL_PROVIDER,
    // Whether an account can take it is seen when one is asked for.
    offers: PROVIDERS[POOL_PROVIDER].serves,
    askForRequisites: (request) =>
      ask(async () => {
        const answer = await desk.lend(request);
        return answer === "other_request" ? UNKNOWN : answer;
      }),
    reportConfirm: (reference) => ask(async () => ((await desk.noteConfirm(reference)) ? DONE : UNKNOWN)),
    releaseRequisites: (reference) =>
      ask(async () => {
        await desk.endLending(reference);
        return DONE;
      }),
    freePlace: (reference) =>
      ask(async () => {
        await desk.endLending(reference);
        return DONE;
      }),
    askPayinState: (reference) => ask(() => desk.findPayin(reference)),
    sendPayout: (request) =>
      ask(async () => {
        const outcome = await desk.takePayout(request);
        return outcome === "other_request" ? { kind: "conflict" } : outcome;
      }),
    askPayoutState: (reference) => ask(() => desk.findPayout(reference)),
    // There are no notifications of our own accounts.
    readNotification: () => fail("not_authentic"),
  };
}
