import { fail, ok, type Result } from "../../core/result.ts";
import {
  type Keyring,
  openKeyring as keyringOf,
  type MasterKey,
  newDataKey,
  unwrapDataKey,
  type WrappedDataKey,
  wrapDataKey,
} from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";
import { insertDataKey, listDataKeys, lockDataKeys, rewrapDataKey } from "../../store/merchants/data-keys.ts";

/** The current master key, and while rotating the one before it. */
export type MasterKeys = { readonly current: MasterKey; readonly previous: MasterKey | undefined };

/** Opens the data keys of this installation, making them at its first start. The error is a sentence for the operator. */
export async function openKeyring(db: Database, masters: MasterKeys): Promise<Result<Keyring, string>> {
  const known = await listDataKeys(db);
  const wrapped = known.length > 0 ? known : await makeFirstDataKeys(db, masters);
  const misfit = explainMisfit(wrapped, masters);
  return misfit === undefined
    ? ok(keyringOf(wrapped.map((key) => unwrapDataKey(allMasters(masters), key))))
    : fail(misfit);
}

/** A fingerprint gives nothing of its key away. */
function explainMisfit(wrapped: readonly WrappedDataKey[], masters: MasterKeys): string | undefined {
  const given = allMasters(masters).map((master) => master.fingerprint);
  const foreign = wrapped.find((key) => !given.includes(key.wrappedBy));
  if (foreign === undefined) return undefined;
  return (
    `The secrets in this database are under the master key with the fingerprint ${foreign.wrappedBy}, which was not ` +
    "given: TILLGATE_MASTER_KEY or TILLGATE_MASTER_KEY_PREVIOUS must be that key."
  );
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
export async function rewrapDataKeys(
  db: Database,
  masters: MasterKeys,
): Promise<Result<{ rewrapped: number; total: number }, string>> {
  return db.transaction(async (tx) => {
    const known = await lockDataKeys(tx);
    const misfit = explainMisfit(known, masters);
    if (misfit !== undefined) return fail(misfit);
    const old = known.filter((key) => key.wrappedBy !== masters.current.fingerprint);
    for (const key of old) {
      await rewrapDataKey(tx, wrapDataKey(masters.current, unwrapDataKey(allMasters(masters), key)));
    }
    return ok({ rewrapped: old.length, total: known.length });
  });
}

function allMasters(masters: MasterKeys): MasterKey[] {
  return masters.previous === undefined ? [masters.current] : [masters.current, masters.previous];
}
