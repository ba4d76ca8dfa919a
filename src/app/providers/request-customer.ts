import type { RequestCustomer } from "../../core/request-customer.ts";
import type { StoredPayment } from "../../store/payments/payments.ts";

type Asked = Pick<StoredPayment, "customerId" | "request">;

/** What a provider learns about the payer or the receiver: what the merchant said, and nothing else. */
export function customerOf({ customerId, request: { customer = {} } }: Asked): RequestCustomer {
  const textOf = (name: string): string | undefined => {
    const value = customer[name];
    return typeof value === "string" ? value : undefined;
  };
  return {
    id: customerId,
    ipAddress: textOf("ip_address"),
    country: textOf("country"),
    language: textOf("language"),
    email: textOf("email"),
    phone: textOf("phone"),
    firstName: textOf("first_name"),
    lastName: textOf("last_name"),
  };
}

/** From its creation to its end, in seconds: the same however often it is asked for. */
export function lifetimeOf({ createdAt, expiresAt }: Pick<StoredPayment, "createdAt" | "expiresAt">): number {
  return expiresAt === null ? 0 : Math.round((expiresAt.getTime() - createdAt.getTime()) / 1000);
}
