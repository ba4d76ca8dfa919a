import type { Brand, BrandCode } from "./number.ts";

/** Letters of our own on a plain tile: the brands' own marks are theirs. */
const LETTERS: Readonly<Record<BrandCode, string>> = {
  visa: "VISA",
  mastercard: "MC",
  mir: "МИР",
  unionpay: "UP",
  amex: "AMEX",
  maestro: "MAE",
  humo: "HUMO",
  uzcard: "UZ",
};

/** The card's brand, as a tile to see and as a name to hear; a plain card while the number tells none. */
export function BrandMark({ brand }: { readonly brand: Brand | undefined }) {
  return (
    <span class="brand-place">
      {brand === undefined ? (
        <svg class="no-brand" viewBox="0 0 24 24" aria-hidden="true">
          <path d="M3 6h18v12H3zM3 10h18" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" />
        </svg>
      ) : (
        <span class={`brand ${brand.code}`} aria-hidden="true">
          {LETTERS[brand.code]}
        </span>
      )}
      <span class="unseen" role="status">
        {brand?.name}
      </span>
    </span>
  );
}
