import { expect } from "vitest";
import type { Id } from "../../src/core/ids.ts";
import type { TestDatabase } from "../../src/testing/database/test-database.ts";
import type { TestService } from "../../src/testing/service/test-service.ts";
import { contractWith } from "../contract/ask-service.ts";

/** A payment as the desk answers it, as far as tests look at it. */
export type DeskView = {
  readonly payment_id: string;
  readonly id: string;
  readonly direction: "payin" | "payout";
  readonly kind: string;
  readonly status: string;
  readonly sub_status: string | null;
  readonly received_amount: number;
  readonly expires_at?: string;
  readonly challenge_url?: string;
  readonly form_url?: string;
  readonly requisites?: Readonly<Record<string, string>>;
  readonly actions: readonly string[];
};

type EchoedView = {
  readonly id: string;
  readonly event: string | null;
  readonly payment_id: string | null;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly checks: readonly { readonly step: string; readonly ok: boolean; readonly detail: string }[];
  readonly genuine: boolean;
  readonly answered: number;
};

const CUSTOMER = { id: "customer-1", ip_address: "192.0.2.1" };
const SOON = { timeout: 60_000, interval: 25 } as const;

/** The desk's signed calls, whose every answer is held to the contract. */
export function useDesk(service: TestService, database: TestDatabase) {
  const { ask } = contractWith(service);
  let counted = 0;
  const projectId = () => service.sandbox().project_id as Id;
  const post = async (path: string, body: object): Promise<{ status: number; json: never }> => {
    const { status, text } = await ask(path, body);
    return { status, json: JSON.parse(text) as never };
  };
  const named = (paymentId: string) => ({ general: { project_id: projectId(), payment_id: paymentId } });

  async function create(path: string, body: object, general: object = {}): Promise<string> {
    counted += 1;
    const paymentId = `desk-${counted}`;
    const whole = { ...named(paymentId), ...body, customer: CUSTOMER };
    const created = await post(path, { ...whole, general: { ...whole.general, ...general } });
    expect(created).toMatchObject({ status: 200 });
    return paymentId;
  }

  async function payment(paymentId: string, direction: "payin" | "payout" = "payin"): Promise<DeskView> {
    const { status, json } = await post("/sandbox/api/payment", { ...named(paymentId), direction });
    expect(status).toBe(200);
    return json;
  }

  /** Until something can be done to it. */
  async function ready(paymentId: string, direction: "payin" | "payout" = "payin"): Promise<string> {
    await expect.poll(async () => (await payment(paymentId, direction)).actions.length, SOON).toBeGreaterThan(0);
    return paymentId;
  }

  const tryAct = (paymentId: string, wish: object) => post("/sandbox/api/act", { ...named(paymentId), ...wish });

  /** `success`, `dispute:no_payment`: as the states are written. */
  async function act(paymentId: string, wish: object): Promise<string> {
    const acted = await tryAct(paymentId, wish);
    expect([acted.status, acted.json]).toEqual([200, expect.anything()]);
    return stateOf(acted.json);
  }

  return {
    ...{ ask, post, named, projectId, payment, ready, act, tryAct },
    transfer: async (order: { amount?: number; method?: string; currency?: string; general?: object } = {}) => {
      const { amount = 250_000, method = "card-p2p", currency = "RUB" } = order;
      const path = "/api/v1/payment/p2p/payin";
      return ready(await create(path, { payment: { method, amount, currency } }, order.general));
    },
    onPage: () => create("/api/v1/widget/payin", { payment: { amount: 250_000, currency: "RUB" } }),
    confirm: (paymentId: string) => post("/api/v1/payment/p2p/payin/confirm", named(paymentId)),
    card: async (pan = "4000000000003220", amount = 250_000) => {
      const card = { pan, cvv: "123", card_holder: "OLGA S", expiry_month: 11, expiry_year: 2041 };
      const payment = { method: "card-ecom", amount, currency: "RUB" };
      return ready(await create("/api/v1/payment/ecom/payin", { payment, card }));
    },
    /** The bank says nothing of it by itself. */
    payout: async () => {
      const payment = { method: "card-p2p", amount: 100_003, currency: "RUB" };
      const receiver = { pan: "4242424242424242" };
      return ready(await create("/api/v1/payment/p2p/payout", { payment, receiver }), "payout");
    },
    callbacks: async (after?: string): Promise<{ echo_url: string; callbacks: readonly EchoedView[] }> => {
      const general = { project_id: projectId() };
      const { status, json } = await post(
        "/sandbox/api/callbacks",
        after === undefined ? { general } : { general, after },
      );
      expect(status).toBe(200);
      return json;
    },
    /** The states that it has had, in their order. */
    statesOf: async (paymentId: string, direction: "payin" | "payout" = "payin"): Promise<string[]> => {
      const { id } = await payment(paymentId, direction);
      const rows = await database.db.run<{ state: string }>({
        text: `select to_state as state from payment_history
                where project_id = $1 and request_id = $2 and from_state is distinct from to_state order by number`,
        values: [projectId(), id],
      });
      return rows.map(({ state }) => state);
    },
  };
}

export function stateOf({ status, sub_status }: DeskView): string {
  return sub_status === null ? status : `${status}:${sub_status}`;
}
