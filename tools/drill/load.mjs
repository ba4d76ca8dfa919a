// The steady load: pay-ins that are confirmed and paid, payouts, and reads of the balance. Calls begin at their time, whether or not
// earlier ones were answered.
import { randomUUID } from "node:crypto";
import { sleep } from "./wait.mjs";

const P2P = "/api/v1/payment/p2p";
const PAYIN_PATH = `${P2P}/payin`;
export const PAYOUT_PATH = `${P2P}/payout`;
const CUSTOMER = { id: "customer-1", ip_address: "203.0.113.7" };
const RECEIVER = { pan: "4242424242424242" };
const TICK_MS = 10;
/** In the sandbox, sums that end in 00 are paid two seconds after the confirm, and payouts two seconds after they were sent. */
const STEP_MINOR = 100;
const PAYIN_FROM_MINOR = 100_000;
const PAYOUT_FROM_MINOR = 10_000;
/** Of a rate of 60: 20 pay-ins with a confirm each, 15 payouts, and 5 reads. */
const PAYINS_SHARE = 1 / 3;
const PAYOUTS_SHARE = 1 / 4;
const READS_SHARE = 1 / 12;

/** Every payment of a drill has an amount of its own, so that the provider's books alone show a payout that was paid twice. */
let made = 0;

function newBody(projectId, fromMinor) {
  made += 1;
  return {
    general: { project_id: projectId, payment_id: `drill-${made}-${randomUUID()}` },
    payment: { method: "card-p2p", amount: fromMinor + made * STEP_MINOR, currency: "RUB" },
    customer: CUSTOMER,
  };
}

function payinBody(projectId) {
  return newBody(projectId, PAYIN_FROM_MINOR);
}

export function payoutBody(projectId) {
  return { ...newBody(projectId, PAYOUT_FROM_MINOR), receiver: RECEIVER };
}

export function openLoad({ merchant, projectId, rate, book }) {
  const kinds = [
    { perMs: (rate * PAYINS_SHARE) / 1000, begin: () => create("payin", PAYIN_PATH, payinBody(projectId)) },
    { perMs: (rate * PAYOUTS_SHARE) / 1000, begin: () => create("payout", PAYOUT_PATH, payoutBody(projectId)) },
    { perMs: (rate * READS_SHARE) / 1000, begin: readBalance },
  ];
  const underWay = new Set();
  let stopped = false;

  async function create(direction, path, body) {
    const { acknowledged, refused } = book();
    const { payment_id: paymentId } = body.general;
    const answer = await merchant.untilAnswered("create", path, body);
    if (answer?.status !== 200)
      refused.push(`${direction}: ${answer?.status ?? "never answered"} ${answer?.json?.code ?? ""}`);
    else {
      const { request_id: requestId } = answer.json;
      acknowledged.set(paymentId, { requestId, direction, amount: body.payment.amount, atMs: Date.now() });
    }
  }

  async function readBalance() {
    await merchant.call("read", "/api/v1/balance/info", { general: { project_id: projectId } });
  }

  async function run() {
    const beganMs = performance.now();
    const begun = kinds.map(() => 0);
    while (!stopped) {
      const elapsedMs = performance.now() - beganMs;
      for (const [place, { perMs, begin }] of kinds.entries()) {
        for (; begun[place] < elapsedMs * perMs; begun[place] += 1) track(begin());
      }
      await sleep(TICK_MS);
    }
  }

  function track(work) {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  }

  const running = run();
  return {
    /** Begins nothing more, and ends when all that was begun was answered. */
    stop: async () => {
      stopped = true;
      await running;
      await Promise.all(underWay);
    },
  };
}

/** What the merchant does when it is told that a payer may send the money. */
export function confirmPayin(merchant, projectId, paymentId) {
  const general = { project_id: projectId, payment_id: paymentId };
  return merchant.untilAnswered("confirm", `${P2P}/payin/confirm`, { general });
}
