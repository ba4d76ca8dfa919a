/** How long things may take, in seconds. */
export const P2P_LIFETIME_S = { min: 300, max: 900, standard: 900 } as const;

/** After the lifetime: money that was sent in time may still arrive. */
export const PAYIN_GRACE_S = 900;

/** After the payer's confirm: then somebody must look. */
export const CONFIRM_TIMEOUT_S = 1_800;

/** After a payout was sent: then somebody must look. People who pay by hand get a day. */
export const PAYOUT_TIMEOUT_S = { provider: 3_600, pool: 86_400 } as const;

export const CARD_LIFETIME_S = { min: 300, max: 600, standard: 600 } as const;

/** The process that took a card sends it on within this time; then the worker asks what became of it. */
export const CARD_SENDING_S = 30;

/** A charge whose outcome nobody could tell for so long is somebody's to look at. */
export const CARD_UNKNOWN_MAX_S = 86_400;
