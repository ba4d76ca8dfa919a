import { afterAll, beforeAll, expect, vi } from "vitest";
import type { Credentials } from "../../../sdk/src/index.ts";
import { ensureCallbackKey, ensureSigningKey, revealCallbackSecret } from "../../app/callbacks/callback-keys.ts";
import { configureProject } from "../../app/merchants/merchants.ts";
import { addProvider } from "../../app/providers/manage-providers.ts";
import type { ProviderKeyMaterial } from "../../app/providers/provider-key-material.ts";
import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import { listMethodOffers } from "../../core/merchants/methods.ts";
import type { UpstreamSettings } from "../../core/upstream-settings.ts";
import type { KeyKind } from "../../platform/signing.ts";
import { excludeCallbackWriters } from "../../store/callbacks/callback-writers.ts";
import type { Database } from "../../store/db.ts";
import { movePayments } from "../../store/payments/move-clock.ts";
import type { ProcessRole } from "../../store/processes/processes.ts";
import { credit, rsaKeyOf } from "../builders/projects.ts";
import { type TestDatabase, useTestDatabase } from "../database/test-database.ts";
import { aClient, type NewClient } from "../service/merchant-client.ts";
import { serviceKeyring } from "../service/service-keyring.ts";
import { openTestSandbox, type TestSandbox } from "../service/test-sandbox-control.ts";
import { type TestService, useTestService } from "../service/test-service.ts";

/**
 * Two gateways over real HTTP, each with a database of its own. A is an operator's, and stands in front of B: live projects
 * of A send their payments to test projects of B, where the sandbox plays the outside world.
 */
export type Gateway = { readonly database: TestDatabase; readonly service: TestService };

/** A provider of A, the shop that uses it, and A's account at B. Nobody else uses the three, so their clocks are theirs. */
export type Line = {
  /** The provider's code in A. */
  readonly code: string;
  /** A merchant of A. */
  readonly shop: NewClient;
  /** A as a merchant of B. */
  readonly account: NewClient;
  /** What A had there at the beginning, in RUB. */
  readonly fundsAtB: number;
  /** At A, whose payments are a moment older, and then at B. */
  readonly passTime: (seconds: number) => Promise<void>;
};

export type LineOptions = {
  /** How A signs its calls, and B its callbacks. */
  readonly signing?: KeyKind;
  /** A's project and provider. */
  readonly book?: Book;
  readonly settings?: Partial<UpstreamSettings>;
  readonly fundsAtB?: number;
  /** Where A finds B; a test that spoils the network puts a door between them. */
  readonly baseUrl?: string;
};

export type TwoGateways = {
  readonly a: Gateway;
  readonly b: Gateway;
  readonly sandbox: () => TestSandbox;
  readonly openLine: (options?: LineOptions) => Promise<Line>;
};

type GatewayOptions = { readonly env?: Record<string, string>; readonly role?: ProcessRole };

/** What the two take of a payment, in basis points: A's merchants pay more than A pays to B. */
export const FEES_BP = { a: 300, b: 125 } as const;
/** What each project of a line has, so that it can pay out. */
export const FUNDS = 10_000_000_000;

export function useTwoGateways(
  options: { readonly a?: GatewayOptions; readonly b?: GatewayOptions } = {},
): TwoGateways {
  const [a, b] = [useGateway(options.a), useGateway(options.b)];
  let sandbox: TestSandbox | undefined;
  let opened = 0;
  // A process of B that a test starts itself brings the sandbox with it.
  const runsSandbox = options.b?.role !== "api";
  beforeAll(async () => {
    if (runsSandbox) sandbox = await openTestSandbox(b.database.db, b.service);
  });
  afterAll(async () => sandbox?.close());
  const getSandbox = () => {
    if (sandbox === undefined) throw new Error("the sandbox of B does not run here");
    return sandbox;
  };
  return {
    a,
    b,
    sandbox: getSandbox,
    openLine: async (wanted = {}) => {
      opened += 1;
      const line = await openLine({ a, b }, `b-${opened}`, wanted);
      const passTime = async (seconds: number) => {
        await moveLiveClock(a, line.shop.projectId, seconds);
        await getSandbox().passTime(line.account.projectId, seconds);
      };
      return { ...line, passTime };
    },
  };
}

function useGateway({ env = {}, role = "all" }: GatewayOptions = {}): Gateway {
  const database = useTestDatabase();
  return { database, service: useTestService(database, env, role) };
}

/**
 * Time of a live project never moves but for tests: everything that waits in it comes nearer. Returns when the worker has done
 * what fell due, as it would have done before the other gateway's clock came so far.
 */
async function moveLiveClock({ database: { db } }: Gateway, projectId: Id, seconds: number): Promise<void> {
  await db.transaction(async (tx) => {
    await excludeCallbackWriters(tx);
    await movePayments(tx, projectId, seconds);
  });
  await untilNothingIsDue(db, projectId);
}

/** The next look at each payment comes so much sooner, while its lifetime stays as B was told it. */
export async function hastenLooks({ database: { db } }: Gateway, projectId: Id, seconds: number): Promise<void> {
  await db.run({
    text: `with sooner as (
             update payments set due_at = due_at - make_interval(secs => $2),
                    unknown_since = unknown_since - make_interval(secs => $2), hinted = true
              where project_id = $1 and due_at is not null returning request_id)
           select count(*), pg_notify('tillgate_due', '') from sooner`,
    values: [projectId, seconds],
  });
  await untilNothingIsDue(db, projectId);
}

async function untilNothingIsDue(db: Database, projectId: Id): Promise<void> {
  const due = {
    text: "select from payments where project_id = $1 and (due_at <= now() or lease_until > now())",
    values: [projectId],
  };
  await vi.waitFor(async () => expect(await db.run(due)).toEqual([]), { timeout: 60_000, interval: 10 });
}

async function openLine(
  { a, b }: Pick<TwoGateways, "a" | "b">,
  code: string,
  options: LineOptions,
): Promise<Omit<Line, "passTime">> {
  const { signing = "hmac", book = "live", fundsAtB = FUNDS } = options;
  const account = await aClient(b.database.db, b.service, { feeBp: FEES_BP.b });
  await credit(b.database.db, account.projectId, fundsAtB);
  const credentials = signing === "hmac" ? account.credentials : await rsaCredentials(b, account);
  await addLineProvider(
    a,
    { code, book, credentials, callbackKey: await callbackKeyOf(b, account, signing) },
    b,
    options,
  );
  const shop = await aClient(a.database.db, a.service, { feeBp: FEES_BP.a, book });
  await credit(a.database.db, shop.projectId, FUNDS);
  const routes = listMethodOffers().map(({ direction, method }) => ({ direction, method, providers: [code] }));
  expect(await configureProject(a.database.db, shop.projectId, { routes })).toMatchObject({ ok: true });
  await Promise.all([a.service.settled(), b.service.settled()]);
  return { code, shop, account, fundsAtB };
}

async function rsaCredentials(b: Gateway, { credentials }: NewClient): Promise<Credentials> {
  const { merchantId, projectId } = credentials;
  const scope = { merchantId: merchantId as Id, projectId: projectId as Id, book: "test" } as const;
  const { token, privateKeyPem } = await rsaKeyOf(b.database.db, scope);
  return { merchantId, projectId, kind: "rsa", accessToken: token, privateKeyPem: privateKeyPem.reveal() };
}

type NamedKey = { readonly kind: KeyKind; readonly token: string; readonly secret: string | undefined };

/** What B gives to A, so that A can verify its callbacks. */
async function callbackKeyOf(b: Gateway, { projectId }: NewClient, kind: KeyKind): Promise<NamedKey> {
  const { db } = b.database;
  const deps = { db, keyring: await serviceKeyring(db, b.service) };
  if (kind === "rsa") {
    const { publicKey } = await ensureSigningKey(deps, "rsa", null);
    return { kind, token: publicKey ?? "", secret: undefined };
  }
  await configureProject(db, projectId, { settings: { callbackSigning: "hmac" } });
  const key = await ensureCallbackKey(deps, "hmac", projectId);
  return { kind, token: `ck_${key.id}`, secret: revealCallbackSecret(deps.keyring, key) };
}

type NewProvider = {
  readonly code: string;
  readonly book: Book;
  readonly credentials: Credentials;
  readonly callbackKey: NamedKey;
};

async function addLineProvider(a: Gateway, provider: NewProvider, b: Gateway, options: LineOptions): Promise<void> {
  const { code, book, credentials, callbackKey } = provider;
  const { merchantId, projectId } = credentials;
  const settings = { merchantId, projectId, testCards: true, ...options.settings };
  const callKey: NamedKey =
    credentials.kind === "rsa"
      ? { kind: "rsa", token: credentials.accessToken ?? "", secret: credentials.privateKeyPem }
      : { kind: "hmac", token: credentials.keyId, secret: credentials.secret };
  const { db } = a.database;
  const baseUrl = options.baseUrl ?? b.service.url();
  const keys = [
    { purpose: "call", material: materialOf(callKey) },
    { purpose: "callback", material: materialOf(callbackKey) },
  ] as const;
  const wish = { code, kind: "upstream", book, baseUrl, settings, keys } as const;
  expect(await addProvider({ db, keyring: await serviceKeyring(db, a.service) }, wish)).toMatchObject({ ok: true });
}

function materialOf({ secret, ...key }: NamedKey): ProviderKeyMaterial {
  return { ...key, secret: secret === undefined ? undefined : Buffer.from(secret, "utf8") };
}
