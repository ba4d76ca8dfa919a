import {
  type Keyring,
  openKeyring as keyringOf,
  type MasterKey,
  newDataKey,
  unwrapDataKey,
  wrapDataKey,
} from "../platform/secrets.ts";
import { insertDataKey, listDataKeys, lockDataKeys, rewrapDataKey } from "../store/data-keys.ts";
import type { Database } from "../store/db.ts";

/** The current master key, and while rotating the one before it. */
export type MasterKeys = { readonly current: MasterKey; readonly previous: MasterKey | undefined };

/** Opens the data keys of this installation, making them at its first start. Throws if the master key does not fit. */
export async function openKeyring(db: Database, masters: MasterKeys): Promise<Keyring> {
  const known = await listDataKeys(db);
  const wrapped = known.length > 0 ? known : await makeFirstDataKeys(db, masters);
  return keyringOf(wrapped.map((key) => unwrapDataKey(allMasters(masters), key)));
}

function makeFirstDataKeys(db: Database, masters: MasterKeys) {
  return db.transaction(async (tx) => {
    const known = await lockDataKeys(tx);
    if (known.length > 0) return known;
    const made = (["encrypt", "lookup"] as const).map((purpose) => wrapDataKey(masters.current, newDataKey(purpose)));
    for (const key of made) await insertDataKey(tx, key);
    return made;
  });
}

/** Wraps every data key under the current master key, so that the previous one can be thrown away. */
export async function rewrapDataKeys(db: Database, masters: MasterKeys): Promise<{ rewrapped: number; total: number }> {
  return db.transaction(async (tx) => {
    const known = await lockDataKeys(tx);
    const old = known.filter((key) => key.wrappedBy !== masters.current.fingerprint);
    for (const key of old) {
      await rewrapDataKey(tx, wrapDataKey(masters.current, unwrapDataKey(allMasters(masters), key)));
    }
    return { rewrapped: old.length, total: known.length };
  });
}

function allMasters(masters: MasterKeys): MasterKey[] {
  return masters.previous === undefined ? [masters.current] : [masters.current, masters.previous];
}
