import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createTillgate, credentialsFromSandboxFile, type Tillgate } from "./sdk.ts";

export type Settings = {
  readonly port: number;
  /** Where payers and Tillgate reach the shop. */
  readonly publicUrl: string | undefined;
  readonly orderFile: string;
  readonly reconcileEveryMs: number;
  readonly webhookSecret: string;
  readonly tillgate: Tillgate;
};

/** A live shop takes its credentials from wherever it keeps its other secrets; only this function would change. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const besideTheShop = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const file = env.TILLGATE_SANDBOX ?? besideTheShop("../../../.tillgate/sandbox.json");
  const sandbox = JSON.parse(readFileSync(file, "utf8"));
  return {
    port: Number(env.PORT ?? 3000),
    publicUrl: env.SHOP_URL,
    orderFile: env.SHOP_ORDERS ?? besideTheShop("../orders.json"),
    reconcileEveryMs: Number(env.SHOP_RECONCILE_S ?? 60) * 1_000,
    webhookSecret: sandbox.webhook_secret,
    tillgate: createTillgate({ baseUrl: sandbox.base_url, credentials: credentialsFromSandboxFile(sandbox) }),
  };
}
