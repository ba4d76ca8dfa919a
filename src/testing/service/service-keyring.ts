import { resolveMasterKeys } from "../../app/processes/master-keys.ts";
import { openKeyring } from "../../app/processes/open-keyring.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";
import type { TestService } from "./test-service.ts";

/** The keys that a running service of development mode seals with. */
export async function serviceKeyring(db: Database, { stateDir }: Pick<TestService, "stateDir">): Promise<Keyring> {
  const masters = resolveMasterKeys({ masterKey: undefined, previousMasterKey: undefined, stateDir });
  if (!masters.ok) throw new Error(masters.error);
  const keyring = await openKeyring(db, masters.value);
  if (!keyring.ok) throw new Error(keyring.error);
  return keyring.value;
}
