import type { AuthenticationResult } from "../../core/card-acquirer.ts";
import { isFinal } from "../../core/payments/states.ts";
import type { Keyring } from "../../platform/secrets.ts";
import { findCardPayinOfPage, markPageOpened, type StoredCardPayin } from "../../store/cards/card-payins.ts";
import type { Database } from "../../store/db.ts";
import { findPayment, type StoredPayment } from "../../store/payments/payments.ts";
import { type PayerStep, pageTokenHash, unsealStep } from "../cards/card-secrets.ts";
import type { CardDesk } from "../cards/charge-card.ts";

export type PayerPageDeps = {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly cardDesk: CardDesk;
  readonly publicUrl: () => string;
  /** Where the payer's browser goes in the end: the request's own address, or the project's. */
  readonly redirectUrlOf: (payment: StoredPayment) => string | undefined;
};

export type PagePayment = StoredPayment;

const PAGE_TOKEN = /^[0-9a-f]{40}$/;

export type OpenedPage = {
  readonly payment: StoredPayment;
  readonly step: PayerStep | undefined;
  /** Of the card that the token belongs to. */
  readonly number: number;
};

/** The payment that a page token opens, and where its payer goes on now; undefined: there is no such payment. */
export async function findPayerPage(deps: PayerPageDeps, token: string): Promise<OpenedPage | undefined> {
  const found = await findByToken(deps, token);
  if (found === undefined) return undefined;
  const { payment, row } = found;
  const isAwaited =
    isPresent(found) &&
    (payment.state === "processing:awaiting_3ds_result" || payment.state === "processing:awaiting_redirect_result");
  const step = isAwaited && row.challenge !== null ? unsealStep(deps.keyring, row.requestId, row.challenge) : undefined;
  return { payment, step, number: row.number };
}

/** A hosted page's payer may have left this card, and chosen again: then its page only shows where the payment stands. */
function isPresent({ payment, row }: { readonly payment: StoredPayment; readonly row: StoredCardPayin }): boolean {
  return payment.method !== null && row.number === (payment.choiceCount ?? 1);
}

export function markOpened(
  { db }: PayerPageDeps,
  { projectId, requestId }: StoredPayment,
  number: number,
): Promise<void> {
  return markPageOpened(db, { projectId, requestId, number });
}

/** The browser is back. What it brings only makes us ask the provider; a result that is not true changes nothing. */
export async function takeReturn(
  deps: PayerPageDeps,
  token: string,
  result: AuthenticationResult | undefined,
): Promise<{ readonly payment: StoredPayment; readonly cameThroughPage: boolean } | undefined> {
  const found = await findByToken(deps, token);
  if (found === undefined) return undefined;
  const { payment, row } = found;
  const cameThroughPage = row.pageOpenedAt !== null;
  if (isFinal(payment.state) || !isPresent(found)) return { payment, cameThroughPage };
  if (result === undefined) return { payment: await deps.cardDesk.ask(payment), cameThroughPage };
  if (payment.state !== "processing:awaiting_3ds_result") return { payment, cameThroughPage };
  const passed = await deps.cardDesk.passResult(payment, result);
  return { payment: passed.kind === "payment" ? passed.payment : payment, cameThroughPage };
}

async function findByToken(
  { db, keyring }: PayerPageDeps,
  token: string,
): Promise<{ payment: StoredPayment; row: StoredCardPayin } | undefined> {
  if (!PAGE_TOKEN.test(token)) return undefined;
  const row = await findCardPayinOfPage(db, pageTokenHash(keyring, token));
  const payment = row && (await findPayment(db, row.projectId, row.requestId));
  return row === undefined || payment === undefined ? undefined : { payment, row };
}
