import type { Secret } from "../../platform/secret.ts";
import type { Keyring } from "../../platform/secrets.ts";
import { type ProviderKey, providerKeyPlace } from "../../store/providers/provider-keys.ts";
import type { ConfiguredProvider } from "../../store/providers/providers.ts";

/** A configured provider with its keys in the clear, as the directory holds it in memory. */
export type OpenProvider = ConfiguredProvider & {
  /** Those in force, oldest first: the newest one of the calls' signs, and any of the callbacks' verifies. */
  readonly keys: readonly OpenProviderKey[];
};

export type OpenProviderKey = Omit<ProviderKey, "secret"> & {
  /** The RSA private key (PKCS #8, PEM) or the secret; undefined: a public key, which only verifies. */
  readonly secret: Secret<Buffer> | undefined;
};

export function openProviderKey(keyring: Keyring, { secret, ...key }: ProviderKey): OpenProviderKey {
  return { ...key, secret: secret === null ? undefined : keyring.unseal(providerKeyPlace(key.id), secret) };
}
