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

export type Action = "choose" | "confirm" | "cancel";
export type Language = "en" | "ru";

export type OfferedBank = { readonly symbol: string; readonly name: string };

export type OfferedMethod = {
  readonly code: string;
  readonly card: boolean;
  readonly banks?: readonly OfferedBank[];
};

export type Requisites = {
  readonly type: "card" | "phone" | "account" | "link";
  readonly pan?: string;
  readonly phone?: string;
  readonly account_number?: string;
  readonly url?: string;
  readonly holder?: string;
  readonly bank?: string;
  readonly bank_name?: string;
};

export type View = {
  readonly step: Step;
  readonly actions: readonly Action[];
  readonly order: string;
  readonly description?: string;
  readonly amount: number;
  readonly currency: string;
  readonly decimals: number;
  readonly status: string;
  readonly sub_status: string | null;
  readonly decline_code: string | null;
  readonly shop: { readonly name: string; readonly logo: boolean };
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

export function isOver({ step }: View): boolean {
  return step === "success" || step === "decline";
}

/** The server puts it into the page, so that there is something to draw at once. */
export function readFirstView(): View {
  return JSON.parse(document.getElementById("view")?.textContent ?? "");
}
