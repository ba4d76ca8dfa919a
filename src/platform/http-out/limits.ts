/** Everything that bounds an exchange, as data. */
export type EgressLimits = {
  /** From the call to the last byte, whatever the receiver does in between. */
  readonly totalTimeoutMs: number;
  readonly lookupTimeoutMs: number;
  /** How long a request waits while all connections to its origin are in use. */
  readonly freeConnectionTimeoutMs: number;
  /** For TCP and TLS together, over all addresses that are tried. */
  readonly connectTimeoutMs: number;
  readonly idleTimeoutMs: number;
  /** How long checked addresses are used before the name is resolved and checked again. */
  readonly addressesKeptMs: number;
  readonly connectionsPerOriginMax: number;
  /** At most so much of a body is read. */
  readonly answerBytesMax: number;
  /** At most so much is read in all: a body can be wrapped in any amount of framing, and headers can be endless. */
  readonly wireBytesMax: number;
  readonly answerHeaderBytesMax: number;
  /** So much of a body is handed to the caller. */
  readonly keepBytes: number;
};

export const EGRESS_LIMITS: EgressLimits = {
  totalTimeoutMs: 10_000,
  lookupTimeoutMs: 3_000,
  freeConnectionTimeoutMs: 3_000,
  connectTimeoutMs: 3_000,
  idleTimeoutMs: 4_000,
  addressesKeptMs: 30_000,
  connectionsPerOriginMax: 32,
  answerBytesMax: 64 * 1024,
  wireBytesMax: 128 * 1024,
  answerHeaderBytesMax: 16 * 1024,
  keepBytes: 2048,
};
