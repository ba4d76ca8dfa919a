import type { UpstreamSettings } from "../../core/upstream-settings.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Dial } from "../../platform/http-out/dial.ts";
import type { Resolve } from "../../platform/http-out/resolve.ts";
import type { EgressMode } from "../../platform/http-out/target.ts";
import type { Secret } from "../../platform/secret.ts";
import type { KeyKind } from "../../platform/signing.ts";
import type { UpstreamMemory } from "./memory.ts";

/** A key that we share with the gateway. */
export type UpstreamKey = {
  readonly kind: KeyKind;
  /** A public key (SPKI, base64url), or the id of an HMAC key. */
  readonly token: string;
  /** The RSA private key (PKCS #8), or the secret as it was issued; undefined: a public key, which only verifies. */
  readonly secret: Secret<Buffer> | undefined;
};

/** Our calls are signed with it. */
export type CallKey = UpstreamKey;
/** The gateway's callbacks are verified with it. */
export type VerifyKey = UpstreamKey;

/** The gateway's symbols of banks, and ours. Undefined: the bank has no counterpart. */
export type BankNames = {
  readonly toTheirs: (symbol: string) => string | undefined;
  readonly toOurs: (theirSymbol: string) => string | undefined;
};

export type UpstreamOptions = {
  readonly code: string;
  /** Where the gateway is; a path before `/api` is kept, but not signed. */
  readonly baseUrl: string;
  readonly settings: UpstreamSettings;
  /** Those in force, oldest first: the newest one signs. */
  readonly callKeys: readonly CallKey[];
  readonly callbackKeys: readonly VerifyKey[];
  /** Where the gateway is to send its callbacks: an address of ours. */
  readonly callbackUrl: () => string;
  readonly banks: () => BankNames;
  readonly mode: EgressMode;
  /** Of the connector that this one replaces; see `UpstreamMemory`. */
  readonly memory?: UpstreamMemory;
  readonly clock?: Clock;
  /** Certificates to trust instead of the usual ones. */
  readonly ca?: readonly string[];
  readonly dial?: Dial;
  readonly resolve?: Resolve;
};
