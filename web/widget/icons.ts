/** Of ways to pay, drawn by ourselves on a square of 24; see `Icon`. No trade mark is copied. */
const CARD = "M3 6h18v12H3zM3 10.5h18M6.5 14.5h4";
const ARROWS = "M4 8.5h15l-3.5-3.5M20 15.5H5l3.5 3.5";
const BOLT = "M13 3L5.5 13.5H11L10 21l7.5-10.5H12z";
const PHONE = "M8 3h8v18H8zM11 17.5h2";
const GLOBE = "M12 3a9 9 0 1 0 0 18 9 9 0 1 0 0-18zM3.5 12h17M12 3c-5 5-5 13 0 18c5-5 5-13 0-18z";
const CODE = "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h3v3M20 14v.1M20 17.5v2.5h-3M14 20v.1";

const METHOD_ICONS: Readonly<Record<string, string>> = {
  "payin-p2p-card": ARROWS,
  "payin-p2p-sbp": BOLT,
  "payin-p2p-phone": PHONE,
  "payin-p2p-mobile": PHONE,
  "payin-p2p-international": GLOBE,
  "payin-qr-link-p2p": CODE,
  "payin-ecom-card": CARD,
};

/** A method that is not known here is a transfer. */
export function methodIcon(code: string): string {
  return METHOD_ICONS[code] ?? ARROWS;
}
