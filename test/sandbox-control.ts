import { resolveMasterKeys } from "../src/app/master-keys.ts";
import { openKeyring } from "../src/app/open-keyring.ts";
import { SANDBOX_URL_SETTING, sandboxSecret } from "../src/compose-sandbox.ts";
import { openSandboxControl, type SandboxControl } from "../src/connectors/sandbox/control.ts";
import type { Database } from "../src/store/db.ts";
import { findSetting } from "../src/store/settings.ts";
import type { TestService } from "../src/testing/test-service.ts";

const TIMEOUT_MS = 10_000;

/** The sandbox of a running service of development mode, to be told what it is to do next. The test closes it. */
export async function openControl(db: Database, { stateDir }: TestService): Promise<SandboxControl> {
  const masters = resolveMasterKeys({ masterKey: undefined, previousMasterKey: undefined, stateDir });
  const keyring = masters.ok ? await openKeyring(db, masters.value) : masters;
  const baseUrl = await findSetting(db, SANDBOX_URL_SETTING);
  if (!keyring.ok || baseUrl === undefined) throw new Error("there is no sandbox");
  return openSandboxControl({ baseUrl, secret: sandboxSecret(keyring.value), timeoutMs: TIMEOUT_MS });
}
