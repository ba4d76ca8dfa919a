import { setTimeout as sleep } from "node:timers/promises";
import { configureProject } from "../../src/app/merchants/merchants.ts";
import type { Database } from "../../src/store/db.ts";
import { credit } from "../../src/testing/builders/projects.ts";
import {
  type CallbackReceiver,
  openCallbackReceiver,
  type ReceivedCallback,
} from "../../src/testing/http/callback-receiver.ts";
import {
  type MerchantAnswer,
  type NewClient,
  payinBody,
  payoutBody,
  TEST_PAN,
} from "../../src/testing/service/merchant-client.ts";

/** A shop whose gateway dies now and then: it repeats what was not answered, and confirms what it is told to confirm. */
export type KilledShop = {
  /** Pay-ins, payouts and card pay-ins in turns, one every few milliseconds. Ends when all were answered. */
  readonly create: (count: number) => Promise<void>;
  readonly created: () => number;
  /** How many payments it was told the end of. */
  readonly ended: () => number;
  readonly receiver: CallbackReceiver;
  /** Answers that no repeat explains. */
  readonly faults: readonly string[];
};

const CREDITED = 10_000_000_000;
const CREATE_EVERY_MS = 10;
const REPEAT_AFTER_MS = 50;
/** So many that the time of the test is over first: a breaker that opens again and again takes minutes to close. */
const REPEATS_MAX = 10_000;
/** So that callbacks are under way when the process dies. */
const ANSWER_AFTER_MS = 20;
const CARD = { pan: TEST_PAN, cvv: "123", card_holder: "IVAN IVANOV", expiry_month: 12, expiry_year: 2039 };

const CALLS: readonly ((client: NewClient) => () => Promise<MerchantAnswer>)[] = [
  (client) => {
    const body = payinBody(client.projectId);
    return () => client.payin(body);
  },
  (client) => {
    const body = payoutBody(client.projectId);
    return () => client.payout(body);
  },
  (client) => {
    const body = { ...payinBody(client.projectId, { payment: { method: "card-ecom" } }), card: CARD };
    return () => client.post("/api/v1/payment/ecom/payin", body);
  },
];

/** A card is refused while no provider answers, since it cannot wait: the shop tries again. */
function isForNow({ status, json }: MerchantAnswer): boolean {
  return status >= 500 || json.code === "no_provider";
}

export async function openKilledShop(db: Database, client: NewClient): Promise<KilledShop> {
  const ended = new Set<string>();
  const faults: string[] = [];
  let created = 0;

  async function untilAnswered(call: () => Promise<MerchantAnswer>): Promise<MerchantAnswer | undefined> {
    for (let tries = 0; tries < REPEATS_MAX; tries += 1) {
      const answer = await call().catch(() => undefined);
      if (answer !== undefined && !isForNow(answer)) return answer;
      await sleep(REPEAT_AFTER_MS);
    }
    faults.push("a call was never answered");
    return undefined;
  }

  async function createOne(call: () => Promise<MerchantAnswer>): Promise<void> {
    const answer = await untilAnswered(call);
    if (answer?.status !== 200) faults.push(`a create was answered ${answer?.status} ${answer?.json.code}`);
    created += 1;
  }

  /** A repeat of a confirm that was taken, and not answered, is told so: that is no fault. */
  async function hear({ body }: ReceivedCallback): Promise<{ status: number }> {
    const { payment_id: paymentId, request_id: requestId } = body.general;
    if (body.status.sub_status === "awaiting_confirm") void untilAnswered(() => client.payinConfirm(paymentId));
    if (body.status.status !== "processing") ended.add(requestId);
    await sleep(ANSWER_AFTER_MS);
    return { status: 200 };
  }

  const receiver = await openCallbackReceiver(hear);
  const settings = { callbackUrl: `${receiver.url}/callbacks`, callbackSigning: "hmac" } as const;
  await configureProject(db, client.projectId, { settings });
  await credit(db, client.projectId, CREDITED);
  return {
    create: async (count) => {
      const creates: Promise<void>[] = [];
      for (let place = 0; place < count; place += 1) {
        const callOf = CALLS[place % CALLS.length];
        if (callOf !== undefined) creates.push(createOne(callOf(client)));
        await sleep(CREATE_EVERY_MS);
      }
      await Promise.all(creates);
    },
    created: () => created,
    ended: () => ended.size,
    receiver,
    faults,
  };
}
