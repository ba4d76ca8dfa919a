import { Agent, request } from "undici";
import { type Credentials, signRequest } from "../../../sdk/src/index.ts";
import { generateHmacKey } from "../../app/merchants/api-keys.ts";
import { configureProject } from "../../app/merchants/merchants.ts";
import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import { listMethodOffers } from "../../core/merchants/methods.ts";
import { AMOUNT_MAX, AMOUNT_MIN } from "../../core/money.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database } from "../../store/db.ts";
import { aProject, minor } from "../builders/projects.ts";
import { serviceKeyring } from "./service-keyring.ts";
import type { TestService } from "./test-service.ts";

/** The payment object, and the error's body, as far as tests look at them. */
export type MerchantJson = {
  readonly project_id: string;
  readonly type: "payin" | "payout";
  readonly request_id: string;
  readonly payment_id: string;
  readonly status: string;
  readonly sub_status: string | null;
  readonly status_description: string | null;
  readonly decline_code: string | null;
  readonly payment: Readonly<Record<string, string | number>>;
  readonly requisites?: Readonly<Record<string, string | number>>;
  readonly code?: string;
  readonly errors?: readonly { readonly field: string; readonly code: string }[];
  readonly balance?: readonly { readonly currency: string; readonly amount: number; readonly locked_amount: number }[];
} & Readonly<Record<string, unknown>>;

export type MerchantAnswer = {
  readonly status: number;
  readonly replayed: boolean;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly json: MerchantJson;
};

/** A merchant's program: it signs a body, sends it, and takes whatever is answered. */
export type MerchantClient = {
  readonly projectId: Id;
  readonly post: (path: string, body: object) => Promise<MerchantAnswer>;
  readonly payin: (body: object) => Promise<MerchantAnswer>;
  readonly payout: (body: object) => Promise<MerchantAnswer>;
  /** What there is to know and do about a payment by its payment_id. */
  readonly payinInfo: (paymentId: string) => Promise<MerchantAnswer>;
  readonly payinConfirm: (paymentId: string) => Promise<MerchantAnswer>;
  readonly payinCancel: (paymentId: string) => Promise<MerchantAnswer>;
  readonly payoutInfo: (paymentId: string) => Promise<MerchantAnswer>;
  readonly available: (currency?: string) => Promise<{ readonly amount: number; readonly locked: number }>;
};

const P2P = "/api/v1/payment/p2p";
const CONNECTIONS_MAX = 64;
const agent = new Agent({ connections: CONNECTIONS_MAX });

export function openMerchantClient(url: () => string, credentials: Credentials): MerchantClient {
  const projectId = credentials.projectId as Id;
  const post = async (path: string, body: object): Promise<MerchantAnswer> => {
    const rawBody = JSON.stringify(body);
    const signed = signRequest({ credentials, path, rawBody, timestamp: Math.floor(Date.now() / 1000) });
    const answer = await request(url() + path, { method: "POST", headers: signed, body: rawBody, dispatcher: agent });
    const json = (await answer.body.json()) as MerchantJson;
    const replayed = answer.headers["idempotent-replayed"] === "true";
    return { status: answer.statusCode, headers: answer.headers, replayed, json };
  };
  const about = (path: string) => (paymentId: string) =>
    post(P2P + path, { general: { project_id: projectId, payment_id: paymentId } });
  return {
    projectId,
    post,
    payin: (body) => post(`${P2P}/payin`, body),
    payout: (body) => post(`${P2P}/payout`, body),
    payinInfo: about("/payin/info"),
    payinConfirm: about("/payin/confirm"),
    payinCancel: about("/payin/cancel"),
    payoutInfo: about("/payout/info"),
    available: async (currency = "RUB") => {
      const { json } = await post("/api/v1/balance/info", { general: { project_id: projectId } });
      const line = json.balance?.find((each) => each.currency === currency);
      return { amount: line?.amount ?? 0, locked: line?.locked_amount ?? 0 };
    },
  };
}

export type NewClient = MerchantClient & { readonly credentials: Credentials };

/** A project of its own with every method on, and no money; the fee is the same for all. */
export async function aClient(
  db: Database,
  service: TestService,
  options: { readonly feeBp?: number; readonly book?: Book } = {},
): Promise<NewClient> {
  const book = options.book ?? "test";
  const owner = await aProject(db, book);
  const scope = { ...owner, book, label: "test", notBefore: new Date(0), notAfter: null };
  const key = await generateHmacKey(db, await serviceKeyring(db, service), scope);
  if (!key.ok) throw new Error(key.error);
  await configureProject(db, owner.projectId, {
    settings: { ratePerSecond: 1_000_000, rateBurst: 1_000_000 },
    offers: listMethodOffers(),
    methods: {
      enabled: true,
      minAmount: AMOUNT_MIN,
      maxAmount: AMOUNT_MAX,
      feeBp: options.feeBp ?? 0,
      feeFixed: minor(0),
    },
  });
  await service.settled();
  const { token, secret } = key.value;
  const credentials = { ...owner, kind: "hmac" as const, keyId: token, secret: secret.reveal() };
  return { ...openMerchantClient(service.url, credentials), credentials };
}

type Change = {
  readonly general?: object;
  readonly payment?: object;
  readonly sender?: object;
  readonly receiver?: object;
  readonly customer?: object;
};

const CUSTOMER = { id: "customer-1", ip_address: "203.0.113.7" };

/** A pay-in that is right in every respect but those that are changed. */
export function payinBody(projectId: string, change: Change = {}): object {
  const { general, payment, sender, customer } = change;
  return {
    general: { project_id: projectId, payment_id: newId(), ...general },
    payment: { method: "card-p2p", amount: 250_000, currency: "RUB", ...payment },
    ...(sender === undefined ? {} : { sender }),
    customer: { ...CUSTOMER, ...customer },
  };
}

export const TEST_PAN = "4242424242424242";

export function payoutBody(projectId: string, change: Change = {}): object {
  const { general, payment, receiver, customer } = change;
  return {
    general: { project_id: projectId, payment_id: newId(), ...general },
    payment: { method: "card-p2p", amount: 100_000, currency: "RUB", ...payment },
    receiver: receiver ?? { pan: TEST_PAN },
    customer: { ...CUSTOMER, ...customer },
  };
}
