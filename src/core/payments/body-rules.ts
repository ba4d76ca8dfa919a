import { findCurrency } from "../currency.ts";
import type { FieldFault } from "../errors.ts";
import { findMerchantUrlFault, type MerchantUrlUse } from "../merchants/merchant-url.ts";
import { type Direction, findMethod, METHODS, type Method, type Product } from "../merchants/methods.ts";
import { isAddress } from "../merchants/network.ts";
import { WIDGET_CODES } from "../page/widget-offers.ts";
import type { ProviderCodes } from "../providers.ts";
import { RECEIVER_MEMBERS, receiverForm } from "./receiver.ts";

/** What the body of a create is judged by, besides itself. None of it changes while the service runs. */
export type BodySituation = {
  readonly product: Product | "widget";
  readonly direction: Direction;
  readonly mode: "development" | "production";
  /** The codes that payment_system may name. */
  readonly providerCodes: ProviderCodes;
};

/**
 * Everything about the body of a create that a schema cannot say, every fault listed. What is absent or of another type
 * is the schema's to refuse and is passed over here, so that both lists can be answered at once.
 */
export function findBodyFaults(body: unknown, situation: BodySituation): readonly FieldFault[] {
  const method = readMethod(body, situation);
  return [
    ...findUrlFaults(body, situation),
    ...findPaymentFaults(body, situation),
    ...(method === undefined || situation.direction === "payin" ? [] : findReceiverFaults(body, method)),
    ...findCustomerFaults(body),
  ];
}

const URL_USES = {
  merchant_callback_url: "callback",
  merchant_success_callback_url: "callback",
  merchant_decline_callback_url: "callback",
  redirect_url: "redirect",
} as const satisfies Record<string, MerchantUrlUse>;

function findUrlFaults(body: unknown, { mode }: BodySituation): FieldFault[] {
  return Object.entries(URL_USES).flatMap(([name, use]) => {
    const url = textAt(body, "general", name);
    const found = url === undefined ? undefined : findMerchantUrlFault(url, use, mode);
    return found === undefined ? [] : [{ field: `general.${name}`, ...found }];
  });
}

function findPaymentFaults(body: unknown, situation: BodySituation): FieldFault[] {
  const { direction, providerCodes } = situation;
  const type = textAt(body, "payment", "type");
  const method = textAt(body, "payment", "method");
  const currency = textAt(body, "payment", "currency");
  const provider = textAt(body, "payment", "payment_system");
  const faults: FieldFault[] = [];
  if (type !== undefined && type !== direction) {
    faults.push(notAllowed("payment.type", `must be ${direction} on this path`));
  }
  if (method !== undefined && readMethod(body, situation) === undefined) {
    faults.push(notAllowed("payment.method", `must be one of ${listMethods(situation).join(", ")} on this path`));
  }
  if (currency !== undefined && findCurrency(currency) === undefined) {
    faults.push(notAllowed("payment.currency", "must be a currency code of ISO 4217, such as RUB"));
  }
  if (provider !== undefined && !providerCodes.has(provider)) {
    faults.push(notAllowed("payment.payment_system", "is not the code of a provider of this service"));
  }
  const widgetMethod = textAt(body, "payment", "widget_method");
  if (widgetMethod !== undefined && !WIDGET_CODES.includes(widgetMethod)) {
    faults.push(notAllowed("payment.widget_method", `must be one of ${WIDGET_CODES.join(", ")}`));
  }
  return faults;
}

function readMethod(body: unknown, { product, direction }: BodySituation): Method | undefined {
  const method = findMethod(textAt(body, "payment", "method") ?? "");
  return method !== undefined && servesPath(method, product, direction) ? method : undefined;
}

function listMethods({ product, direction }: BodySituation): Method[] {
  const codes = Object.keys(METHODS) as Method[];
  return codes.filter((method) => servesPath(method, product, direction));
}

function servesPath(method: Method, product: BodySituation["product"], direction: Direction): boolean {
  const row = METHODS[method];
  return row.product === product && row.directions.some((each) => each === direction);
}

function findReceiverFaults(body: unknown, method: Method): FieldFault[] {
  const receiver = memberOf(body, "receiver");
  if (typeof receiver !== "object" || receiver === null) return [];
  const { required, optional } = receiverForm(method);
  return RECEIVER_MEMBERS.flatMap((name): FieldFault[] => {
    const field = `receiver.${name}`;
    const given = memberOf(receiver, name) !== undefined;
    if (required.includes(name)) {
      return given ? [] : [{ field, code: "required", message: `is required for ${method}` }];
    }
    if (!given || optional.includes(name)) return [];
    return [{ field, code: "unknown_member", message: `is not used by ${method}` }];
  });
}

function findCustomerFaults(body: unknown): FieldFault[] {
  const address = textAt(body, "customer", "ip_address");
  if (address === undefined || isAddress(address)) return [];
  return [{ field: "customer.ip_address", code: "bad_format", message: "must be an IPv4 or IPv6 address" }];
}

function notAllowed(field: string, message: string): FieldFault {
  return { field, code: "not_allowed", message };
}

function textAt(body: unknown, block: string, name: string): string | undefined {
  const member = memberOf(memberOf(body, block), name);
  return typeof member === "string" ? member : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
