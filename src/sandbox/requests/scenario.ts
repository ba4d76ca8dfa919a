/** The values that make something happen: the last two digits of an amount. */
export type PayinScenario = {
  readonly requisites: boolean;
  /** What sets the money on its way. `release`: the payment is over on the other side, and then it comes. */
  readonly arrivesOn: "requisites" | "confirm" | "expiry" | "release" | "never";
  readonly arrivesAfterS: number;
  /** How much more than was asked for. */
  readonly extraMinor: bigint;
};

export type PayoutScenario = {
  readonly status: "accepted" | "rejected";
  readonly reason: string | null;
  readonly later: { readonly status: "paid" | "failed"; readonly afterS: number } | null;
};

const DIGITS = 100n;
const ARRIVAL_S = 2;
const AFTER_EXPIRY_S = 60;
const AFTER_RELEASE_S = 5;
const EXTRA_MINOR = 100n;
const PAYOUT_S = 2;

const USUAL: PayinScenario = { requisites: true, arrivesOn: "confirm", arrivesAfterS: ARRIVAL_S, extraMinor: 0n };

const PAYINS: Readonly<Record<string, PayinScenario>> = {
  "1": { ...USUAL, arrivesOn: "requisites" },
  "2": { ...USUAL, arrivesOn: "never" },
  "3": { ...USUAL, extraMinor: EXTRA_MINOR },
  "4": { ...USUAL, arrivesOn: "expiry", arrivesAfterS: AFTER_EXPIRY_S },
  "5": { ...USUAL, requisites: false, arrivesOn: "never" },
  "6": { ...USUAL, arrivesOn: "release", arrivesAfterS: AFTER_RELEASE_S },
};

const PAID: PayoutScenario = { status: "accepted", reason: null, later: { status: "paid", afterS: PAYOUT_S } };

const PAYOUTS: Readonly<Record<string, PayoutScenario>> = {
  "1": { status: "rejected", reason: "bank_refused", later: null },
  // The bank cannot say whether it went; in truth it did not, and the books show that nothing left.
  "2": { ...PAID, later: { status: "failed", afterS: PAYOUT_S } },
  "3": { ...PAID, later: null },
};

export function payinScenario(amount: bigint): PayinScenario {
  return PAYINS[String(amount % DIGITS)] ?? USUAL;
}

export function payoutScenario(amount: bigint): PayoutScenario {
  return PAYOUTS[String(amount % DIGITS)] ?? PAID;
}
