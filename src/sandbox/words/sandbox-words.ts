/** What the sandbox's bank, issuer and provider say on their pages. */
export type SandboxWords = {
  /** Between thousands, and before the decimals. */
  readonly separators: readonly [thousands: string, decimals: string];
  /** What stands beside the bank's name. */
  readonly rooms: { readonly transfer: string; readonly confirmation: string; readonly card: string };
  readonly note: string;
  readonly details: { readonly merchant: string; readonly amount: string; readonly card: string };
  readonly continue: string;
  readonly cancel: string;
  readonly code: {
    readonly title: string;
    readonly text: string;
    readonly label: string;
    readonly confirm: string;
    readonly hint: (code: string) => string;
    readonly troubles: Readonly<Record<"wrong" | "missing" | "outdated", string>>;
    readonly lastTry: string;
    readonly triesLeft: (count: number) => string;
  };
  readonly returned: Readonly<Record<"passed" | "failed", { readonly title: string; readonly text: string }>>;
  readonly deviceCheck: string;
  readonly checkout: { readonly title: string; readonly text: string; readonly pay: string; readonly note: string };
  readonly ended: {
    readonly title: string;
    readonly texts: Readonly<Record<"approved" | "pending" | "reversed" | "notMade", string>>;
    readonly back: string;
  };
  readonly unknown: { readonly title: string; readonly text: string };
  /** The payer chose another way to pay while the page was open. */
  readonly cancelled: { readonly title: string; readonly text: string };
  readonly bank: {
    readonly titles: Readonly<Record<"confirm" | "paid" | "refused", string>>;
    readonly texts: Readonly<Record<"asked" | "paid" | "refused" | "again" | "late", string>>;
    readonly toPay: string;
    readonly paidSoFar: string;
    readonly payment: string;
    readonly pay: (sum: string) => string;
    readonly payAgain: (sum: string) => string;
    readonly refuse: string;
    readonly otherAmount: (currency: string) => string;
    readonly payOther: string;
    readonly troubles: Readonly<Record<"wrong_amount" | "outdated", string>>;
  };
  readonly noLink: { readonly title: string; readonly text: string };
};
