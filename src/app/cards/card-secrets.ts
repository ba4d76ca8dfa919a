import { randomBytes } from "node:crypto";
import type { ThreeDsChallenge } from "../../core/card-acquirer.ts";
import { findCardBrand } from "../../core/cards/card.ts";
import { maskPan } from "../../core/cards/luhn.ts";
import type { Id } from "../../core/ids.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { CardPayinRow } from "../../store/cards/card-payins.ts";

/** How page tokens and challenges are sealed, each bound to its payment. A card is not sealed, because it is not stored. */

/** Where the payer goes on, as the provider said. */
export type PayerStep =
  | { readonly kind: "challenge"; readonly challenge: ThreeDsChallenge }
  | { readonly kind: "redirect"; readonly url: string };

const PAGE_TOKEN_BYTES = 20;

/** Forty hex characters from a secure source: they open the payer's page of one payment. */
export function newPageToken(): string {
  return randomBytes(PAGE_TOKEN_BYTES).toString("hex");
}

/** What is stored of a card pay-in. Of the card itself: the mask and the brand. */
export function cardRowOf(
  keyring: Keyring,
  { projectId, requestId }: { readonly projectId: Id; readonly requestId: Id },
  pan: string,
  pageToken: string,
): CardPayinRow {
  return {
    projectId,
    requestId,
    mask: maskPan(pan),
    brand: findCardBrand(pan) ?? "unknown",
    pageToken: keyring.seal(placeOf("page_token", requestId), Buffer.from(pageToken)),
    pageTokenHash: pageTokenHash(keyring, pageToken),
  };
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

type Column = "page_token" | "challenge";

function open(keyring: Keyring, column: Column, requestId: Id, sealed: Buffer): string {
  return keyring.unseal(placeOf(column, requestId), sealed).reveal().toString("utf8");
}

function placeOf(column: Column, row: string) {
  return { table: "card_payins", column, row };
}
