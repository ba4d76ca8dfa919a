/** How long things may take, in seconds. */
export const P2P_LIFETIME_S = { min: 300, max: 900, standard: 900 } as const;

/** After the lifetime: money that was sent in time may still arrive. */
export const PAYIN_GRACE_S = 900;

/** After the payer's confirm: then the pay-in becomes a dispute. */
export const CONFIRM_TIMEOUT_S = 1_800;

/** After a payout was sent: then it becomes a dispute. Manual payouts get a day. */
export const PAYOUT_TIMEOUT_S = { provider: 3_600, pool: 86_400 } as const;

export const CARD_LIFETIME_S = { min: 300, max: 600, standard: 600 } as const;

/**
 * A worker that died keeps a payment for so long at most. A look that takes longer has its lease renewed while its process lives
 * (`worker/lease-keeper.ts`). The lease is the same where it is written with the change that makes a payment due.
 */
export const LEASE_S = 10;

/** A worker that failed for a reason that will not pass by itself takes the payment up again after so long. */
export const FAILED_LOOK_S = 60;

/** The process that took a card sends it on within this time; then the worker asks for the result. */
export const CARD_SENDING_S = 30;

/** A charge whose outcome is unknown for this long becomes a dispute for an operator. */
export const CARD_UNKNOWN_MAX_S = 86_400;
