/** The blocks that creates of every product share, as the contract writes them. `general.project_id` comes from the credentials. */
export type General = {
  /** Yours, unique in the project among pay-ins and among payouts, permanently. Keep it before you send it. */
  readonly payment_id: string;
  readonly merchant_callback_url?: string | undefined;
  readonly merchant_success_callback_url?: string | undefined;
  readonly merchant_decline_callback_url?: string | undefined;
  /** Where the payer's browser returns to, for methods that take it elsewhere. */
  readonly redirect_url?: string | undefined;
};

export type Customer = {
  readonly id: string;
  readonly ip_address: string;
  readonly country?: string | undefined;
  readonly language?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
};

export type Terms<Method extends string> = {
  readonly method: Method;
  /** Whole minor units, from 1 to 10,000,000,000,000. */
  readonly amount: number;
  readonly currency: string;
  readonly payment_system?: string | undefined;
  readonly description?: string | undefined;
};
