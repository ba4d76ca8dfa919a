/** What every request to a provider says of its payment besides; most tests do not care. */
export const CUSTOMER = { customer: { id: "customer-1" } } as const;
export const ASKED_FOR = { ...CUSTOMER, lifetimeS: 900 } as const;
