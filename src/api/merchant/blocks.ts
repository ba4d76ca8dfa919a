import { type Static, Type } from "typebox";
import { BANK_SYMBOL_MAX } from "../../core/merchants/bank.ts";
import { MERCHANT_URL_MAX } from "../../core/merchants/merchant-url.ts";
import { AMOUNT_MAX, AMOUNT_MIN, minorToJson } from "../../core/money.ts";
import { CARD_LIFETIME_S, P2P_LIFETIME_S } from "../../core/payments/timers.ts";
import {
  accountNumber,
  cardCode,
  cardNumber,
  cardNumberEnd,
  countryCode,
  currencyCode,
  emailAddress,
  languageCode,
  phoneNumber,
  plainText,
} from "./text-forms.ts";

/** The parts that request bodies are made of. Unknown members are always refused. */
export const CLOSED = { additionalProperties: false } as const;

const PAYMENT_ID_MAX = 255;
const CODE_MAX = 32;
const DESCRIPTION_MAX = 255;
const NAME_MAX = 64;
const CUSTOMER_ID_MAX = 64;
const BROWSER_TEXT_MAX = 2048;
const THREE_DS_TEXT_MAX = 60_000;
/** An IPv6 address with an IPv4 address as its end, fully written out. */
const IP_ADDRESS_MAX = 45;

const projectId = Type.String({ minLength: 1, maxLength: 32 });
const paymentId = plainText(1, PAYMENT_ID_MAX);
const merchantUrl = Type.Optional(plainText(0, MERCHANT_URL_MAX));
const name = plainText(0, NAME_MAX);
const bankSymbol = plainText(1, BANK_SYMBOL_MAX);

const generalOfProject = Type.Object({ project_id: projectId }, CLOSED);

const generalOfPayment = Type.Object({ project_id: projectId, payment_id: paymentId }, CLOSED);

/** On creates. Whether the URLs may be used is for the body's rules to say. */
const general = Type.Object(
  {
    project_id: projectId,
    payment_id: paymentId,
    merchant_callback_url: merchantUrl,
    merchant_success_callback_url: merchantUrl,
    merchant_decline_callback_url: merchantUrl,
    redirect_url: merchantUrl,
  },
  CLOSED,
);

const paymentTerms = {
  method: plainText(0, CODE_MAX),
  payment_system: Type.Optional(plainText(0, CODE_MAX)),
  amount: Type.Integer({ minimum: minorToJson(AMOUNT_MIN), maximum: minorToJson(AMOUNT_MAX) }),
  currency: currencyCode,
  type: Type.Optional(Type.Enum(["payin", "payout"])),
  description: Type.Optional(plainText(0, DESCRIPTION_MAX)),
};

function lifetime(bounds: { readonly min: number; readonly max: number }) {
  return Type.Optional(Type.Integer({ minimum: bounds.min, maximum: bounds.max }));
}

const { method: _chosenByThePayer, ...widgetTerms } = paymentTerms;
const widgetPayment = Type.Object(
  { ...widgetTerms, widget_method: Type.Optional(plainText(0, CODE_MAX)), lifetime: lifetime(CARD_LIFETIME_S) },
  CLOSED,
);
const p2pPayinPayment = Type.Object({ ...paymentTerms, lifetime: lifetime(P2P_LIFETIME_S) }, CLOSED);
const ecomPayinPayment = Type.Object({ ...paymentTerms, lifetime: lifetime(CARD_LIFETIME_S) }, CLOSED);
const payoutPayment = Type.Object(paymentTerms, CLOSED);

const sender = Type.Object(
  {
    bank: Type.Optional(bankSymbol),
    pan_last4: Type.Optional(cardNumberEnd),
    name: Type.Optional(name),
    phone: Type.Optional(phoneNumber),
  },
  CLOSED,
);

/** Everything that any method needs; which of it this method needs is for the body's rules to say. */
const receiver = Type.Object(
  {
    pan: Type.Optional(cardNumber),
    card_holder: Type.Optional(plainText(1, NAME_MAX)),
    phone: Type.Optional(phoneNumber),
    account_number: Type.Optional(accountNumber),
    bank: Type.Optional(bankSymbol),
    name: Type.Optional(plainText(1, NAME_MAX)),
  },
  CLOSED,
);

const customerMembers = {
  id: plainText(1, CUSTOMER_ID_MAX),
  ip_address: plainText(1, IP_ADDRESS_MAX),
  country: Type.Optional(countryCode),
  language: Type.Optional(languageCode),
  email: Type.Optional(emailAddress),
  phone: Type.Optional(phoneNumber),
  first_name: Type.Optional(name),
  last_name: Type.Optional(name),
};

const customer = Type.Object(customerMembers, CLOSED);

/** On the hosted page the payer comes to us, so the address need not be told. */
const widgetCustomer = Type.Object(
  { ...customerMembers, ip_address: Type.Optional(customerMembers.ip_address) },
  CLOSED,
);

const wholeNumber = Type.Optional(Type.Integer({ minimum: -100_000, maximum: 100_000 }));

/** What an issuer judges the payer's browser by. */
const browser = Type.Object(
  {
    accept_header: Type.Optional(plainText(0, BROWSER_TEXT_MAX)),
    user_agent: Type.Optional(plainText(0, BROWSER_TEXT_MAX)),
    language: Type.Optional(plainText(0, CODE_MAX)),
    color_depth: wholeNumber,
    screen_width: wholeNumber,
    screen_height: wholeNumber,
    timezone_offset: wholeNumber,
    java_enabled: Type.Optional(Type.Boolean()),
  },
  CLOSED,
);

const cardCustomer = Type.Object({ ...customerMembers, browser: Type.Optional(browser) }, CLOSED);

/** Whether the card can be one is for the rules to say; its CVV is read once and kept nowhere. */
const card = Type.Object(
  {
    pan: cardNumber,
    cvv: cardCode,
    card_holder: plainText(2, NAME_MAX),
    expiry_month: Type.Integer({ minimum: 1, maximum: 12 }),
    expiry_year: Type.Integer({ minimum: 1000, maximum: 9999 }),
  },
  CLOSED,
);

const threeDsText = plainText(1, THREE_DS_TEXT_MAX);
/** Of 3-D Secure 2, or of 3-D Secure 1. Which members go together is for the rules to say. */
const threeDs = Type.Object(
  { cres: Type.Optional(threeDsText), pa_res: Type.Optional(threeDsText), md: Type.Optional(threeDsText) },
  CLOSED,
);

export const bodyOfProject = Type.Object({ general: generalOfProject }, CLOSED);

/** Of every info, confirm and cancel. */
export const bodyOfPayment = Type.Object({ general: generalOfPayment }, CLOSED);

export const p2pPayinBody = Type.Object(
  { general, payment: p2pPayinPayment, sender: Type.Optional(sender), customer },
  CLOSED,
);

export const payoutBody = Type.Object({ general, payment: payoutPayment, receiver, customer }, CLOSED);

export const ecomPayinBody = Type.Object({ general, payment: ecomPayinPayment, card, customer: cardCustomer }, CLOSED);

export const widgetBody = Type.Object({ general, payment: widgetPayment, customer: widgetCustomer }, CLOSED);

export type WidgetBody = Static<typeof widgetBody>;

export const threeDsBody = Type.Object({ general: generalOfPayment, three_ds: threeDs }, CLOSED);

export type EcomPayinBody = Static<typeof ecomPayinBody>;
export type ThreeDsBody = {
  readonly general: { readonly payment_id: string };
  readonly three_ds: { readonly cres: string } | { readonly pa_res: string; readonly md: string };
};
export type BodyOfPayment = Static<typeof bodyOfPayment>;
export type P2pPayinBody = Static<typeof p2pPayinBody>;
export type PayoutBody = Static<typeof payoutBody>;
