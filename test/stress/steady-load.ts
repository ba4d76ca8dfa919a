import { setTimeout as sleep } from "node:timers/promises";
import type { Credentials } from "../../sdk/src/index.ts";
import { type MerchantAnswer, openMerchantClient, payinBody } from "../../src/testing/service/merchant-client.ts";

/** A merchant that creates pay-ins and reads them, at a steady rate, whatever the gateway does. */
export type SteadyLoad = {
  /** As a load balancer: calls go to these addresses in turns. */
  readonly serve: (urls: readonly string[]) => void;
  /** Waits until so many more calls were answered. */
  readonly untilAnswered: (count: number) => Promise<void>;
  /** The payment_ids of those that were acknowledged. */
  readonly created: readonly string[];
  readonly faults: readonly string[];
  readonly answered: () => number;
  readonly longestMs: () => number;
  /** Ends when all calls under way were answered. */
  readonly stop: () => Promise<void>;
};

const CALL_EVERY_MS = 40;
const LOOK_EVERY_MS = 20;

export function startSteadyLoad(credentials: Credentials, first: readonly string[]): SteadyLoad {
  const created: string[] = [];
  const faults: string[] = [];
  const underWay = new Set<Promise<void>>();
  let serving = first;
  let turn = 0;
  let answered = 0;
  let longestMs = 0;
  let stopped = false;

  const clientOf = (url: string) => openMerchantClient(() => url, credentials);

  async function call(what: string, ask: () => Promise<MerchantAnswer>): Promise<boolean> {
    const startMs = performance.now();
    const answer = await ask().catch((error: Error) => error);
    longestMs = Math.max(longestMs, performance.now() - startMs);
    answered += 1;
    if (!(answer instanceof Error) && answer.status === 200) return true;
    faults.push(`${what}: ${answer instanceof Error ? answer.message : `${answer.status} ${answer.json.code}`}`);
    return false;
  }

  async function one(url: string, paymentId: string): Promise<void> {
    const client = clientOf(url);
    const body = payinBody(client.projectId, { general: { payment_id: paymentId } });
    if (!(await call("create", () => client.payin(body)))) return;
    created.push(paymentId);
    // Over another process than the one that created it, where there are several.
    await call("info", () => clientOf(serving[turn % serving.length] ?? url).payinInfo(paymentId));
  }

  const running = (async () => {
    while (!stopped) {
      const url = serving[turn % serving.length] ?? "";
      turn += 1;
      const work: Promise<void> = one(url, `steady-${turn}`).finally(() => underWay.delete(work));
      underWay.add(work);
      await sleep(CALL_EVERY_MS);
    }
  })();
  return {
    serve: (urls) => {
      serving = urls;
    },
    untilAnswered: async (count) => {
      const wanted = answered + count;
      while (answered < wanted) await sleep(LOOK_EVERY_MS);
    },
    ...{ created, faults },
    ...{ answered: () => answered, longestMs: () => longestMs },
    stop: async () => {
      stopped = true;
      await running;
      await Promise.all(underWay);
    },
  };
}
