import type { Language } from "../kit/language.ts";
import type { DeclineCode, PaymentStatus, Requisites, SubStatus } from "./contract.ts";
import type { PageLanguage } from "./words/page-language.ts";

/** What the server says of the payment; see `PageView` on its side. The page draws it and decides nothing. */
export type Step =
  | "choose"
  | "prepare"
  | "transfer"
  | "overdue"
  | "challenge"
  | "check"
  | "attention"
  | "success"
  | "decline";

type Action = "choose" | "confirm" | "cancel";

export type { Language } from "../kit/language.ts";

/** A bank as the page draws it; names in languages that `nameOfBank` would not find otherwise. */
export type ShownBank = {
  readonly symbol: string;
  readonly name: string;
  readonly names?: Readonly<Partial<Record<PageLanguage, string>>>;
  readonly colour?: string;
  /** The version of the operator's picture in the place of our mark. */
  readonly image?: string;
};

export type OfferedBank = ShownBank & { readonly aliases?: readonly string[]; readonly popular?: true };

export type OfferedMethod = {
  readonly code: string;
  readonly card: boolean;
  readonly banks?: readonly OfferedBank[];
};

export type View = {
  readonly step: Step;
  readonly actions: readonly Action[];
  readonly order: string;
  readonly description?: string;
  readonly amount: number;
  readonly currency: string;
  readonly decimals: number;
  readonly status: PaymentStatus;
  readonly sub_status: SubStatus | null;
  readonly decline_code: DeclineCode | null;
  readonly shop: { readonly name: string; readonly logo: boolean };
  readonly language: Language;
  readonly server_time: string;
  readonly until: string | null;
  readonly method?: string;
  readonly methods?: readonly OfferedMethod[];
  readonly preselected?: string;
  readonly requisites?: Requisites;
  /** The bank that the payer chose, with the scheme of its app's links. */
  readonly payer_bank?: ShownBank & { readonly app?: string };
  readonly receiver_bank?: ShownBank;
  readonly challenge_url?: string;
  readonly challenge_in_frame?: boolean;
  readonly back_url?: string;
  readonly frame_origins: readonly string[];
};
