import { groupBy } from "../../core/group-by.ts";
import { type Log, reasonOf } from "../../platform/log.ts";
import type { Secret } from "../../platform/secret.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";
import { listKeysOfProvider, type ProviderKey, providerKeyPlace } from "../../store/providers/provider-keys.ts";
import { type ConfiguredProvider, findConfiguredProvider } from "../../store/providers/providers.ts";

/** A configured provider with its keys in the clear, as the directory holds it in memory. */
export type OpenProvider = ConfiguredProvider & {
  /** Those in force when they were read, oldest first: the newest one of the calls' signs, and any of the callbacks' verifies. */
  readonly keys: readonly OpenProviderKey[];
};

export type OpenProviderKey = Omit<ProviderKey, "secret"> & {
  /** The RSA private key (PKCS #8, PEM) or the secret; undefined: a public key, which only verifies. */
  readonly secret: Secret<Buffer> | undefined;
};

function openProviderKey(keyring: Keyring, { secret, ...key }: ProviderKey): OpenProviderKey {
  return { ...key, secret: secret === null ? undefined : keyring.unseal(providerKeyPlace(key.id), secret) };
}

/** One provider as it is now. Throws where a key in force cannot be unsealed: the master key is not the one it was sealed with. */
export async function findOpenProvider(
  db: Database,
  keyring: Keyring,
  code: string,
): Promise<OpenProvider | undefined> {
  const provider = await findConfiguredProvider(db, code);
  if (provider === undefined) return undefined;
  const keys = (await listKeysOfProvider(db, code)).filter(({ inForce }) => inForce);
  return { ...provider, keys: keys.map(({ inForce: _, ...key }) => openProviderKey(keyring, key)) };
}

type ReadProviders = {
  readonly configured: readonly ConfiguredProvider[];
  readonly keys: readonly ProviderKey[];
  /** As they were opened before. */
  readonly previous: readonly OpenProvider[] | undefined;
};

/** What an opened provider was made from, to tell whether it changed; kept beside it, so that its type stays plain. */
const MADE_FROM = new WeakMap<OpenProvider, string>();

/**
 * Opens the keys of those that changed. A provider that did not change stays the very same object, so that its connector
 * stays open and a key that cannot be read is logged once.
 */
export function openProviders(
  { keyring, log }: { readonly keyring: Keyring; readonly log: Log },
  { configured, keys, previous }: ReadProviders,
): readonly OpenProvider[] {
  const keysOf = groupBy(keys, (key) => key.provider);
  const opened = configured.map((provider) => {
    const own = keysOf.get(provider.code) ?? [];
    const madeFrom = JSON.stringify([provider, own]);
    const known = previous?.find((each) => each.code === provider.code);
    if (known !== undefined && MADE_FROM.get(known) === madeFrom) return known;
    const open = { ...provider, keys: own.flatMap((key) => openKeyOrNone(key, keyring, log)) };
    MADE_FROM.set(open, madeFrom);
    return open;
  });
  const isSame = previous?.length === opened.length && opened.every((each, index) => each === previous[index]);
  return isSame ? previous : opened;
}

/** One damaged row must not stop the others. */
function openKeyOrNone(row: ProviderKey, keyring: Keyring, log: Log): OpenProviderKey[] {
  try {
    return [openProviderKey(keyring, row)];
  } catch (error) {
    const named = { provider: row.provider, key_id: row.id, reason: reasonOf(error) };
    log.error(named, "a provider's key cannot be read");
    return [];
  }
}
