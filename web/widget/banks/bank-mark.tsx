import { textColourOn } from "../../kit/accent.ts";
import type { ShownBank } from "../page-state.ts";
import { colourOf, initialsOf } from "./mark.ts";

const SIDE = 40;
/** Of one, two and three letters. */
const LETTER_SIZES = [20, 17, 13] as const;

/** A mark of our own making, or the operator's picture. It tells a reader nothing that the name beside it does not. */
export function BankMark({ bank, name }: { readonly bank: ShownBank; readonly name: string }) {
  if (bank.image !== undefined) {
    // Beside the page's own address, so that it also holds where a proxy serves us below a path of its own.
    const src = `banks/${bank.symbol}?v=${bank.image}`;
    return <img class="bank-mark" src={src} alt="" width={SIDE} height={SIDE} loading="lazy" decoding="async" />;
  }
  const colour = bank.colour ?? colourOf(bank.symbol);
  const letters = initialsOf(name);
  return (
    <svg class="bank-mark" viewBox={`0 0 ${SIDE} ${SIDE}`} width={SIDE} height={SIDE} aria-hidden="true">
      <rect width={SIDE} height={SIDE} rx="10" fill={colour} />
      <text
        x={SIDE / 2}
        y={SIDE / 2}
        dy="0.35em"
        text-anchor="middle"
        font-weight="600"
        font-size={LETTER_SIZES[Array.from(letters).length - 1] ?? LETTER_SIZES[0]}
        fill={textColourOn(colour)}
      >
        {letters}
      </text>
    </svg>
  );
}
