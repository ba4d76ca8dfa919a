/** Who pays or is paid, as far as the merchant or the payment page knows. */
export type RequestCustomer = {
  readonly id: string;
  readonly ipAddress?: string | undefined;
  readonly country?: string | undefined;
  readonly language?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
};
