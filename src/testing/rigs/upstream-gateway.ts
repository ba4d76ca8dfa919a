import { createPublicKey } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import {
  openUpstreamConnector,
  type UpstreamConnector,
  type UpstreamOptions,
} from "../../connectors/upstream/connector.ts";
import type { Direction } from "../../core/merchants/methods.ts";
import { UPSTREAM_DEFAULTS } from "../../core/upstream-settings.ts";
import { Secret } from "../../platform/secret.ts";
import { firstReferenceOf } from "../builders/payments.ts";
import { credit } from "../builders/projects.ts";
import type { TestDatabase } from "../database/test-database.ts";
import { type CallbackReceiver, openCallbackReceiver } from "../http/callback-receiver.ts";
import { type LossyProxy, openLossyProxy } from "../http/lossy-proxy.ts";
import { aClient, type NewClient } from "../service/merchant-client.ts";
import { openTestSandbox, type TestSandbox } from "../service/test-sandbox-control.ts";
import type { TestService } from "../service/test-service.ts";

/** A whole service as the gateway behind a connector, with a project of its own there and a proxy that loses things. */
export type UpstreamGateway = {
  readonly client: () => NewClient;
  readonly sandbox: () => TestSandbox;
  readonly proxy: () => LossyProxy;
  readonly callbacks: () => CallbackReceiver;
  /** A connector to it; what is given takes the place of the usual. Closed with the gateway. */
  readonly connect: (change?: GatewayChange) => UpstreamConnector;
  /** What the gateway calls the request at its own provider. */
  readonly sandboxReference: (direction: Direction, paymentId: string) => string;
};

export type GatewayChange = Partial<Omit<UpstreamOptions, "settings">> & {
  readonly settings?: Partial<UpstreamOptions["settings"]>;
};

/** 2.5 %. */
export const GATEWAY_FEE_BP = 250;
const CREDITED = 1_000_000_000_000n;
const CODE = "behind";

/** `target`: where its calls go; the service itself, unless another process on the same database answers them. */
export function useUpstreamGateway(
  database: TestDatabase,
  service: TestService,
  target: () => string = service.url,
): UpstreamGateway {
  let client: NewClient | undefined;
  let sandbox: TestSandbox | undefined;
  let proxy: LossyProxy | undefined;
  let callbacks: CallbackReceiver | undefined;
  const opened: UpstreamConnector[] = [];

  beforeAll(async () => {
    client = await aClient(database.db, service, { feeBp: GATEWAY_FEE_BP });
    await credit(database.db, client.projectId, CREDITED);
    sandbox = await openTestSandbox(database.db, service);
    proxy = await openLossyProxy(target);
    callbacks = await openCallbackReceiver();
  });
  afterAll(async () => {
    await Promise.all(opened.map((connector) => connector.close()));
    await sandbox?.close();
    await proxy?.close();
    await callbacks?.close();
  });

  const gateway: UpstreamGateway = {
    client: () => get(client),
    sandbox: () => get(sandbox),
    proxy: () => get(proxy),
    callbacks: () => get(callbacks),
    connect: ({ settings, ...change } = {}) => {
      const connector = openUpstreamConnector({
        ...usualOptions(gateway, service),
        ...change,
        settings: { ...usualSettings(gateway), ...settings },
      });
      opened.push(connector);
      return connector;
    },
    sandboxReference: (type, payment_id) => firstReferenceOf({ project_id: get(client).projectId, type, payment_id }),
  };
  return gateway;
}

function usualSettings(gateway: UpstreamGateway): UpstreamOptions["settings"] {
  const { projectId, credentials } = gateway.client();
  return { ...UPSTREAM_DEFAULTS, merchantId: credentials.merchantId, projectId };
}

function usualOptions(gateway: UpstreamGateway, service: TestService): Omit<UpstreamOptions, "settings"> {
  const { credentials } = gateway.client();
  if (credentials.kind !== "hmac") throw new Error("the client of a test has an HMAC key");
  const callbackUrl = `${gateway.callbacks().url}/callbacks`;
  return {
    code: CODE,
    baseUrl: gateway.proxy().url,
    callKeys: [{ kind: "hmac", token: credentials.keyId, secret: new Secret(Buffer.from(credentials.secret)) }],
    callbackKeys: [{ kind: "rsa", token: callbackToken(service), secret: undefined }],
    callbackUrl: () => callbackUrl,
    // One seed made the banks of both sides, so a bank has one name.
    banks: () => ({ toTheirs: (symbol) => symbol, toOurs: (symbol) => symbol }),
    mode: "development",
  };
}

/** The key that the service signs the callbacks of all its projects with. */
export function callbackToken(service: TestService): string {
  const key = createPublicKey(service.sandbox().callback_public_key_pem);
  return key.export({ type: "spki", format: "der" }).toString("base64url");
}

function get<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("opened before the tests");
  return value;
}
