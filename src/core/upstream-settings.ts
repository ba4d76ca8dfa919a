import type { Direction, Method } from "./merchants/methods.ts";

/** What an operator says of a gateway that speaks our protocol, besides where it is. Stored as JSON under these names. */
export type UpstreamSettings = {
  /** Our merchant there, or our project, as `x-access-merchant-id` carries it. */
  readonly merchantId: string;
  readonly projectId: string;
  /** How calls are signed; it must fit the kind of the key. Scheme 2 is for those that have it, as Tillgate does. */
  readonly scheme: 1 | 2;
  /** `challenge`: we take the payer to the issuer ourselves. `redirect`: the gateway's page does. */
  readonly threeDs: "challenge" | "redirect";
  /** What may go through it, as `payin:card-p2p`; undefined: everything that the protocol has. */
  readonly serves: readonly string[] | undefined;
  readonly needsHolder: boolean;
  /** For rehearsals only: our project there is a test project, so live projects of ours may send the sandbox's cards to it. */
  readonly testCards: boolean;
  /** SHA-256 of its certificate's public key, base64; one of them must fit. Undefined: any certificate that is valid. */
  readonly pins: readonly string[] | undefined;
  /** Calls at the same time, and how long one may take. */
  readonly callsMax: number;
  readonly timeoutMs: number;
};

export const UPSTREAM_DEFAULTS = {
  scheme: 2,
  threeDs: "challenge",
  serves: undefined,
  needsHolder: true,
  testCards: false,
  pins: undefined,
  callsMax: 64,
  timeoutMs: 10_000,
} as const satisfies Partial<UpstreamSettings>;

/** A row that was written by another version of the program may lack what this one knows: then the default holds. */
export function readUpstreamSettings(stored: Readonly<Record<string, unknown>>): UpstreamSettings {
  return { ...UPSTREAM_DEFAULTS, ...(stored as Pick<UpstreamSettings, "merchantId" | "projectId">) };
}

export function upstreamServes({ serves }: UpstreamSettings, direction: Direction, method: Method): boolean {
  return serves === undefined || serves.includes(`${direction}:${method}`);
}
