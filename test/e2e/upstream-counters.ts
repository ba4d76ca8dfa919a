import { afterAll, beforeAll, expect, vi } from "vitest";
import { verifyCallback } from "../../sdk/src/index.ts";
import { type Received, startServer } from "../../sdk/test/local-server.ts";
import { attemptReference } from "../../src/app/payments/attempt-reference.ts";
import { firstReferenceOf } from "../../src/testing/builders/payments.ts";
import { credit } from "../../src/testing/builders/projects.ts";
import { FEES_BP, FUNDS, type Gateway, type Line, type TwoGateways } from "../../src/testing/rigs/two-gateways.ts";
import { aClient, type MerchantClient, type MerchantJson } from "../../src/testing/service/merchant-client.ts";
import { stateOf } from "./card-shop.ts";

/** Where payments are made: at B itself, or at A, which sends them on to B. The same is done at both, and the ends compared. */
export type Counter = {
  readonly gateway: Gateway;
  readonly client: MerchantClient;
  readonly passTime: (seconds: number) => Promise<void>;
  /** What the sandbox of B knows the payment by. */
  readonly referenceAtBank: (payment: MerchantJson) => string;
  /** The project of B that the sandbox keeps its books for. */
  readonly projectAtBank: string;
};

export async function openDirectCounter({ b, sandbox }: TwoGateways): Promise<Counter> {
  const client = await aClient(b.database.db, b.service, { feeBp: FEES_BP.b });
  await credit(b.database.db, client.projectId, FUNDS);
  return {
    gateway: b,
    client,
    passTime: (seconds) => sandbox().passTime(client.projectId, seconds),
    referenceAtBank: firstReferenceOf,
    projectAtBank: client.projectId,
  };
}

export function counterOf({ a }: TwoGateways, { shop, account, passTime }: Line): Counter {
  return {
    gateway: a,
    client: shop,
    passTime,
    referenceAtBank: (payment) => {
      const { projectId } = account;
      return attemptReference({ projectId, direction: payment.type, paymentId: firstReferenceOf(payment) }, 1);
    },
    projectAtBank: account.projectId,
  };
}

const WAIT = { timeout: 90_000, interval: 100 };

type InfoPath = "/api/v1/payment/p2p/payin" | "/api/v1/payment/ecom/payin" | "/api/v1/widget/payin" | PayoutPath;
type PayoutPath = "/api/v1/payment/p2p/payout" | "/api/v1/payment/ecom/payout";

/** A payment at one of the counters, as its merchant follows it. */
export function follow({ client }: Counter, path: InfoPath, created: MerchantJson) {
  const about = { general: { project_id: client.projectId, payment_id: created.payment_id } };
  const info = async () => (await client.post(`${path}/info`, about)).json;
  return {
    created,
    info,
    confirm: async () => (await client.post(`${path}/confirm`, about)).json,
    cancel: async () => (await client.post(`${path}/cancel`, about)).json,
    /** Waits for `success`, `decline:expired`, `processing:paid`: status, and decline code or sub_status. */
    reaches: (state: string): Promise<MerchantJson> =>
      vi.waitFor(async () => {
        const found = await info();
        expect(stateOf(found)).toBe(state);
        return found;
      }, WAIT),
  };
}

export type Followed = ReturnType<typeof follow>;

/** What is the same wherever the payment was made: its end, and the sums. */
export function endOf({ status, sub_status, decline_code, payment }: MerchantJson): object {
  const { amount, requested_amount, received_amount, currency, method } = payment;
  return { status, sub_status, decline_code, amount, requested_amount, received_amount, currency, method };
}

/** A shop's server: it takes callbacks, and payers who come back. */
export function useShopServer() {
  let server: Awaited<ReturnType<typeof startServer>>;
  beforeAll(async () => {
    server = await startServer((response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>Shop</h1>"),
    );
  });
  afterAll(() => server.close());
  const callbacks = (): Received[] => server.received.filter(({ path }) => path === "/callbacks");

  /** The states that the shop was told, in the order of their arrival, each verified by the gateway's own key. */
  async function heardOf({ gateway, client }: Counter, payment: MerchantJson): Promise<readonly string[]> {
    const publicKeyPem = await publicKeysOf(gateway);
    const heard = callbacks()
      .filter(({ rawBody }) => rawBody.includes(payment.request_id))
      .map(({ headers, rawBody }) => verifyCallback({ headers, rawBody, publicKeyPem, projectId: client.projectId }));
    const sequences = heard.map(({ event }) => event.sequence);
    expect(sequences).toEqual(sequences.toSorted((one, other) => one - other));
    return heard.map(({ status }) => stateOf({ ...status, sub_status: status.sub_status ?? null }));
  }

  return {
    url: () => server.url,
    urls: () => ({ merchant_callback_url: `${server.url}/callbacks`, redirect_url: `${server.url}/return?shop=1` }),
    returns: (): readonly Received[] => server.received.filter(({ path }) => path.startsWith("/return")),
    received: (): readonly Received[] => server.received,
    heardOf,
    /** Until the last callback of the payment has come; answers all of them. */
    hears: (counter: Counter, payment: MerchantJson, last: string): Promise<readonly string[]> =>
      vi.waitFor(async () => {
        const heard = await heardOf(counter, payment);
        expect(heard.at(-1)).toBe(last);
        return heard;
      }, WAIT),
  };
}

async function publicKeysOf({ service }: Gateway): Promise<string[]> {
  const answer = await fetch(`${service.url()}/.well-known/tillgate-keys.json`);
  const { keys } = (await answer.json()) as { keys: { pem: string }[] };
  return keys.map(({ pem }) => pem);
}
