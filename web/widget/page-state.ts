import type { Language } from "../kit/language.ts";
import type { DeclineCode, PaymentStatus, Requisites, SubStatus } from "./contract.ts";

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

export type OfferedBank = { readonly symbol: string; readonly name: string };

export type OfferedMethod = {
  readonly code: string;
  readonly card: boolean;
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
  readonly language: Language;
  readonly server_time: string;
  readonly until: string | null;
  readonly method?: string;
  readonly methods?: readonly OfferedMethod[];
  readonly preselected?: string;
  readonly requisites?: Requisites;
  readonly challenge_url?: string;
  readonly challenge_in_frame?: boolean;
  readonly back_url?: string;
  readonly frame_origins: readonly string[];
};
