import { resolveMasterKeys } from "../src/app/master-keys.ts";
import { openKeyring } from "../src/app/open-keyring.ts";
import { SANDBOX_URL_SETTING, sandboxSecret } from "../src/compose-sandbox.ts";
import { openSandboxControl, type SandboxControl } from "../src/connectors/sandbox/control.ts";
import type { Keyring } from "../src/platform/secrets.ts";
import type { Database } from "../src/store/db.ts";
import { findSetting } from "../src/store/settings.ts";
import type { TestService } from "../src/testing/test-service.ts";

const TIMEOUT_MS = 10_000;

/** What the service seals with. */
export async function openServiceKeyring(db: Database, { stateDir }: TestService): Promise<Keyring> {
  const masters = resolveMasterKeys({ masterKey: undefined, previousMasterKey: undefined, stateDir });
  const keyring = masters.ok ? await openKeyring(db, masters.value) : masters;
  if (!keyring.ok) throw new Error(keyring.error);
  return keyring.value;
}

/** The sandbox of a running service of development mode, to be told what it is to do next. The test closes it. */
export async function openControl(db: Database, service: TestService): Promise<SandboxControl> {
  const keyring = await openServiceKeyring(db, service);
  const baseUrl = await findSetting(db, SANDBOX_URL_SETTING);
  if (baseUrl === undefined) throw new Error("there is no sandbox");
  return openSandboxControl({ baseUrl, secret: sandboxSecret(keyring), timeoutMs: TIMEOUT_MS });
}
