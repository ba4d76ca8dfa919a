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

export type OfferedBank = { readonly symbol: string; readonly name: string };

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
  readonly language: PageLanguage;
  readonly server_time: string;
  readonly until: string | null;
  readonly method?: string;
  readonly methods?: readonly OfferedMethod[];
  readonly preselected?: string;
  readonly chance?: {
    readonly left: number;
    readonly last?: { readonly method: string; readonly decline_code: DeclineCode };
  };
  readonly requisites?: Requisites;
  readonly challenge_url?: string;
  readonly challenge_in_frame?: boolean;
  readonly back_url?: string;
  readonly frame_origins: readonly string[];
};
