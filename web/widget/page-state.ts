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

type Action = "choose" | "confirm" | "cancel" | "change";

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
  readonly holder?: "required" | "none";
  readonly banks?: readonly OfferedBank[];
};

/** How payers reach the shop. */
type Support = { readonly email?: string; readonly phone?: string; readonly url?: string };

export type Receipt = {
  readonly paid_at: string;
  readonly amount: number;
  readonly request_id: string;
  /** One of the methods that the page offers. */
  readonly method?: string;
  readonly card?: { readonly brand: string; readonly last4: string };
};

export type TestCard = {
  readonly pan: string;
  readonly does:
    | "approved"
    | "three_ds_2"
    | "three_ds_1"
    | "declined"
    | "insufficient_funds"
    | "card_expired"
    | "processing_error"
    | "answers_late";
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
  readonly shop: { readonly name: string; readonly logo: boolean; readonly support?: Support };
  /** No real money moves. */
  readonly test?: true;
  readonly operator?: { readonly name: string };
  /** A card is being charged: there is no way back to the shop meanwhile. */
  readonly charging?: true;
  readonly receipt?: Receipt;
  readonly language: PageLanguage;
  readonly server_time: string;
  readonly until: string | null;
  readonly method?: string;
  readonly methods?: readonly OfferedMethod[];
  readonly preselected?: string;
  readonly test_cards?: readonly TestCard[];
  readonly chance?: {
    readonly left: number;
    readonly last?: { readonly method: string; readonly decline_code: DeclineCode };
  };
  readonly requisites?: Requisites;
  /** The bank that the payer chose, with the scheme of its app's links. */
  readonly payer_bank?: ShownBank & { readonly app?: string };
  readonly receiver_bank?: ShownBank;
  readonly challenge_url?: string;
  readonly challenge_in_frame?: boolean;
  readonly back_url?: string;
  readonly frame_origins: readonly string[];
};
