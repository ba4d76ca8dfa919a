import { afterAll, beforeAll, expect, vi } from "vitest";
import { credentialsFromSandboxFile, signRequest } from "../../sdk/src/index.ts";
import { type Received, startServer } from "../../sdk/test/local-server.ts";
import { moveClock } from "../../src/app/payments/move-clock.ts";
import type { ChargeWish, SandboxControl } from "../../src/connectors/sandbox/control.ts";
import type { Id } from "../../src/core/ids.ts";
import { firstReferenceOf } from "../../src/testing/builders/payments.ts";
import type { TestDatabase } from "../../src/testing/database/test-database.ts";
import { type RawAnswer, sendRaw } from "../../src/testing/http/raw-http.ts";
import { openTestSandbox } from "../../src/testing/service/test-sandbox-control.ts";
import type { TestService } from "../../src/testing/service/test-service.ts";

/** What every answer about a payment says, as far as these tests read it. */
export type ShownPayment = {
  readonly project_id: string;
  readonly payment_id: string;
  readonly type: "payin" | "payout";
  readonly request_id: string;
  readonly status: string;
  readonly sub_status: string | null;
  readonly status_description: string | null;
  readonly decline_code: string | null;
  readonly payment: Readonly<Record<string, unknown>>;
  readonly card: { readonly pan: string; readonly brand: string };
  readonly integration?: { readonly redirect_url: string; readonly three_ds?: Readonly<Record<string, string>> };
};

export type CardOrder = {
  readonly pan?: string;
  readonly cvv?: string;
  readonly paymentId?: string;
  readonly amount?: number;
  readonly currency?: string;
  /** Members that take the place of the usual ones, block by block. */
  readonly general?: object;
  readonly payment?: object;
  readonly card?: object;
  readonly customer?: object;
};

export type ToldStatus = Pick<ShownPayment, "integration"> & {
  readonly general: { readonly payment_id: string };
  readonly status: {
    readonly status: string;
    readonly sub_status: string | null;
    readonly decline_code: string | null;
  };
  readonly event: { readonly sequence: number };
};

/** Sums by account, and what the provider's own books say of the same charge. */
export type Books = {
  readonly available: number;
  readonly fees: number;
  readonly suspense: number;
  readonly clearing: number;
  readonly bank: number;
};

export const AMOUNT = 250_000;
const PAYIN = "/api/v1/payment/ecom/payin";
/** How long whatever is awaited may take on a busy machine, and how often it is looked at. */
export const SOON = { timeout: 60_000, interval: 15 } as const;

/** A shop that takes cards over real HTTP, and whose test can look behind the provider's counter. */
export type CardShop = ReturnType<typeof useCardShop>;

export function useCardShop(database: TestDatabase, service: TestService, apiUrl: () => string = service.url) {
  const { db } = database;
  let server: Awaited<ReturnType<typeof startServer>>;
  let control: SandboxControl;
  let counted = 0;
  const answers: string[] = [];

  beforeAll(async () => {
    server = await startServer((response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>Shop</h1>"),
    );
    control = await openTestSandbox(db, service);
  });
  afterAll(async () => {
    await control.close();
    await server.close();
  });

  const projectId = () => service.sandbox().project_id as Id;

  async function askRaw(path: string, rawBody: string, url = apiUrl()): Promise<RawAnswer> {
    const credentials = credentialsFromSandboxFile(service.sandbox());
    const timestamp = Math.floor(Date.now() / 1000);
    const headers = Object.entries(signRequest({ credentials, path, rawBody, timestamp }));
    const answer = await sendRaw({ url: url + path, headers, body: rawBody });
    answers.push(JSON.stringify(answer.headers), answer.text);
    return answer;
  }

  const ask = (path: string, body: object, url?: string) => askRaw(path, JSON.stringify(body), url);

  function bodyOf(order: CardOrder): object {
    counted += 1;
    const { pan = "4242424242424242", cvv = "987", paymentId = `card-${counted}`, amount = AMOUNT } = order;
    const urls = { merchant_callback_url: `${server.url}/callbacks`, redirect_url: `${server.url}/return?shop=1` };
    return {
      general: { project_id: projectId(), payment_id: paymentId, ...urls, ...order.general },
      payment: { method: "card-ecom", amount, currency: order.currency ?? "RUB", ...order.payment },
      card: { pan, cvv, card_holder: "OLGA SERGEEVA", expiry_month: 11, expiry_year: 2041, ...order.card },
      customer: { id: "customer-1", ip_address: "192.0.2.1", ...order.customer },
    };
  }

  const named = (paymentId: string) => ({ general: { project_id: projectId(), payment_id: paymentId } });

  async function create(order: CardOrder = {}): Promise<ShownPayment> {
    const answer = await ask(PAYIN, bodyOf(order));
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"sub_status":"new"')]);
    return shown(answer);
  }

  async function info({ payment_id }: Pick<ShownPayment, "payment_id">): Promise<ShownPayment> {
    return shown(await ask(`${PAYIN}/info`, named(payment_id)));
  }

  /** Waits for `success`, `decline:expired`, `processing:paid`: status, and decline code or sub_status. */
  async function until(payment: ShownPayment, state: string): Promise<ShownPayment> {
    return vi.waitFor(async () => {
      const found = await info(payment);
      expect(stateOf(found)).toBe(state);
      return found;
    }, SOON);
  }

  async function booksOf(payment: ShownPayment): Promise<Books> {
    const rows = await db.run<{ account: string; amount: bigint }>({
      text: "select account, sum(amount)::bigint as amount from entries where subject_id = $1 group by account",
      values: [payment.request_id],
    });
    const sumOf = (account: string) => Number(rows.find((row) => row.account === account)?.amount ?? 0);
    const names = { available: sumOf("available"), fees: sumOf("fees"), suspense: sumOf("suspense") };
    return { ...names, clearing: sumOf("clearing:sandbox"), bank: await bankSumOf(firstReferenceOf(payment)) };
  }

  async function bankSumOf(charge: string): Promise<number> {
    const page = await control.listEntries({ projectId: projectId(), limit: 1_000 });
    if (page === undefined || page.next !== null) throw new Error("the sandbox's books could not be read at once");
    return page.entries
      .filter(({ reference }) => reference === charge)
      .reduce((sum, { direction, amount }) => sum + (direction === "arrived" ? amount : -amount), 0);
  }

  function told({ payment_id }: Pick<ShownPayment, "payment_id">): ToldStatus[] {
    return server.received
      .filter(({ path }) => path === "/callbacks")
      .map(({ rawBody }): ToldStatus => JSON.parse(rawBody.toString("utf8")))
      .filter(({ general }) => general.payment_id === payment_id);
  }

  /** Until the provider has charged the card, whether its answer came or not. */
  const charged = (payment: ShownPayment) =>
    expect.poll(async () => (await booksOf(payment)).bank, SOON).toBe(Number(payment.payment.requested_amount));

  /** Until the worker has asked, and been answered nothing that helps. */
  async function askedAbout(payment: ShownPayment): Promise<void> {
    const text = "select from payments where request_id = $1 and unknown_since is not null and lease_until is null";
    await expect.poll(() => db.run({ text, values: [payment.request_id] }), SOON).toHaveLength(1);
  }

  return {
    ask,
    askRaw,
    askedAbout,
    bodyOf,
    named,
    create,
    info,
    until,
    booksOf,
    charged,
    told,
    projectId,
    /** Headers and bodies of everything that the service answered. */
    answers: (): readonly string[] => answers,
    url: () => server.url,
    /** Everything that reached the shop's server: callbacks, and payers who came back. */
    received: (): readonly Received[] => server.received,
    /** Payers who came back. */
    returns: (): readonly Received[] => server.received.filter(({ path }) => path.startsWith("/return")),
    control: () => control,
    repeat: (body: object) => ask(PAYIN, body),
    confirm: (payment: Pick<ShownPayment, "payment_id">, threeDs: object) =>
      ask(`${PAYIN}/confirm-3ds-result`, { ...named(payment.payment_id), three_ds: threeDs }),
    /** What the next charge does otherwise than its card says. */
    wish: async (kind: ChargeWish, ms?: number) => {
      const fault = { projectId: projectId(), kind, ...(ms === undefined ? {} : { ms }) };
      expect(await control.addFault(fault)).toBe(true);
    },
    /** Makes the provider's answers to one kind of call bad; `clearFaults` makes them good again. */
    spoil: async (
      call: "create" | "authenticate" | "reverse" | "state",
      kind: "error500_before" | "error500_after_success" | "garbage" | "reset" | "slow",
      { times = 1, ms = 0 }: { times?: number | "always"; ms?: number } = {},
    ) => {
      expect(await control.addFault({ projectId: projectId(), call, kind, times, ms })).toBe(true);
    },
    clearFaults: () => control.clearFaults(projectId()),
    moveClock: async (seconds: number) => {
      expect(await moveClock({ db, moveSandboxClock: control.moveClock }, projectId(), seconds)).toMatchObject({
        ok: true,
      });
    },
    /** Waits until the merchant heard of these states, in this order and of no others. */
    hears: async (payment: ShownPayment, states: readonly string[]): Promise<ToldStatus[]> =>
      vi.waitFor(() => {
        const heard = told(payment);
        expect(heard.map(({ status }) => stateOf(status))).toEqual(states);
        return heard;
      }, SOON),
  };
}

/** In one word: `success`, `decline:expired`, `processing:awaiting_3ds_result`. */
export function stateOf({ status, sub_status, decline_code }: ToldStatus["status"]): string {
  const detail = decline_code ?? sub_status;
  return detail === null ? status : `${status}:${detail}`;
}

export function shown(answer: RawAnswer): ShownPayment {
  return answer.json as unknown as ShownPayment;
}
