import { randomBytes } from "node:crypto";
import type { ChargedCard, ThreeDsChallenge } from "../../core/card-acquirer.ts";
import { findCardBrand } from "../../core/cards/card.ts";
import { maskPan } from "../../core/cards/luhn.ts";
import type { Id } from "../../core/ids.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { CardPayinRow } from "../../store/cards/card-payins.ts";

/** How cards, page tokens and challenges are sealed, each bound to its payment. */

/** A card as it is kept: without its CVV. */
export type KeptCard = Omit<ChargedCard, "cvv">;

/** Where the payer goes on, as the provider said. */
export type PayerStep =
  | { readonly kind: "challenge"; readonly challenge: ThreeDsChallenge }
  | { readonly kind: "redirect"; readonly url: string };

const PAGE_TOKEN_BYTES = 20;

/** Forty hex characters from a secure source: they open the payer's page of one payment. */
export function newPageToken(): string {
  return randomBytes(PAGE_TOKEN_BYTES).toString("hex");
}

export function sealCard(
  keyring: Keyring,
  key: { readonly projectId: Id; readonly requestId: Id },
  card: KeptCard,
  pageToken: string,
): CardPayinRow {
  const { pan, holder, expiryMonth, expiryYear } = card;
  const kept = JSON.stringify({ pan, holder, expiryMonth, expiryYear } satisfies KeptCard);
  return {
    ...key,
    card: keyring.seal(placeOf("card", key.requestId), Buffer.from(kept)),
    cardHash: keyring.lookupHash("card_payins.card", pan),
    mask: maskPan(pan),
    brand: findCardBrand(pan) ?? "unknown",
    pageToken: keyring.seal(placeOf("page_token", key.requestId), Buffer.from(pageToken)),
    pageTokenHash: pageTokenHash(keyring, pageToken),
  };
}

/** For operators' tools and tests; nothing on the payment's way needs the number again. */
export function unsealCard(keyring: Keyring, requestId: Id, sealed: Buffer): KeptCard {
  return JSON.parse(open(keyring, "card", requestId, sealed)) as KeptCard;
}

export function pageTokenHash(keyring: Keyring, pageToken: string): Buffer {
  return keyring.lookupHash("card_payins.page_token", pageToken);
}

export function unsealPageToken(keyring: Keyring, requestId: Id, sealed: Buffer): string {
  return open(keyring, "page_token", requestId, sealed);
}

export function sealStep(keyring: Keyring, requestId: Id, step: PayerStep): Buffer {
  return keyring.seal(placeOf("challenge", requestId), Buffer.from(JSON.stringify(step)));
}

export function unsealStep(keyring: Keyring, requestId: Id, sealed: Buffer): PayerStep {
  return JSON.parse(open(keyring, "challenge", requestId, sealed)) as PayerStep;
}

type Column = "card" | "page_token" | "challenge";

function open(keyring: Keyring, column: Column, requestId: Id, sealed: Buffer): string {
  return keyring.unseal(placeOf(column, requestId), sealed).reveal().toString("utf8");
}

function placeOf(column: Column, row: string) {
  return { table: "card_payins", column, row };
}
