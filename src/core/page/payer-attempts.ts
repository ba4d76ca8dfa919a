import { type PaymentState, wireStatus } from "../payments/states.ts";

/** As often as a project may let a payer choose how to pay within one payment. */
export const PAYER_ATTEMPTS_MAX = 10;

/** One choice of a hosted page's payer. The last one ends with its payment, and has the payment's decline code. */
export type ShownChoice = {
  readonly number: number;
  readonly method: string;
  readonly bank: string | null;
  readonly mask: string | null;
  readonly brand: string | null;
  /** As text where PostgreSQL wrote it into JSON. */
  readonly chosenAt: Date | string;
  readonly endedAt: Date | string | null;
  readonly declineCode: string | null;
};

/** What merchants see of them. Undefined before the first choice, so that JSON leaves it out. */
export function payerAttempts(
  state: PaymentState,
  choices: readonly ShownChoice[] | null | undefined,
): object[] | undefined {
  if (choices === null || choices === undefined || choices.length === 0) return undefined;
  return choices.map(({ number, method, bank, mask, brand, chosenAt, endedAt, declineCode }) => ({
    number,
    method,
    ...(bank === null ? {} : { bank }),
    ...(mask === null ? {} : { card: { pan: mask, brand } }),
    // A choice that is over brought nothing, or the payment would have ended with it.
    status: declineCode === null ? wireStatus(state).status : "decline",
    decline_code: declineCode,
    created_at: instantText(chosenAt),
    ended_at: endedAt === null ? null : instantText(endedAt),
  }));
}

function instantText(at: Date | string): string {
  return typeof at === "string" ? at : at.toISOString();
}
