/** What the tester's desk asks of the service, and what it is answered: `docs/sandbox.md`. */

/** As the merchant API shows them: the number is in the member of its type. */
type Requisites = {
  readonly pan?: string;
  readonly phone?: string;
  readonly account_number?: string;
  readonly url?: string;
  readonly holder?: string;
  readonly bank_name?: string;
};

export type DeskPayment = {
  readonly direction: "payin" | "payout";
  readonly payment_id: string;
  readonly id: string;
  readonly kind: "transfer" | "card" | "payout";
  readonly method: string | null;
  readonly status: string;
  readonly sub_status: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly received_amount: number;
  readonly requisites?: Requisites;
  /** When the time of its present state is up. */
  readonly expires_at?: string;
  readonly created_at: string;
  readonly challenge_url?: string;
  readonly form_url?: string;
  /** What the outside world can do to it now. */
  readonly actions: readonly string[];
};

/** One step of the verification, in the order in which a merchant's server takes them. */
type CheckStep = { readonly step: string; readonly ok: boolean; readonly detail: string };

export type EchoedCallback = {
  readonly id: string;
  readonly received_at: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly event: string | null;
  readonly payment_id: string | null;
  readonly checks: readonly CheckStep[];
  readonly answered: number;
};

export type EchoedCallbacks = { readonly echo_url: string; readonly callbacks: readonly EchoedCallback[] };

export type OrderedFault = {
  readonly kind: string;
  readonly call: string;
  readonly ms: number;
  readonly times: number | "always";
};

export type MovedClock = { readonly moved: number; readonly seconds: number };

/** What the merchant API answered to a call that the desk made. */
export type ApiAnswer = {
  readonly status: number;
  readonly answer: { readonly code?: string; readonly status_description?: string | null };
};
