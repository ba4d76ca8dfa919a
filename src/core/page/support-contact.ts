import { findMerchantUrlFault } from "../merchants/merchant-url.ts";
import { findEmail } from "../people/email.ts";

/** How payers reach the shop: each is optional, and shown on every step of the payment page. */
export type SupportContact = {
  readonly supportEmail: string | null;
  readonly supportPhone: string | null;
  readonly supportUrl: string | null;
};

/** What a setting of the contact must be, as the end of a sentence that begins with the setting's name. */
export const SUPPORT_WANTED = {
  supportEmail: "must be an e-mail address, such as help@shop.example",
  supportPhone: "must be a phone number of 3 to 15 digits, such as +7 800 555-01-02",
  supportUrl: "must be the address of a page, such as https://shop.example/help",
} as const satisfies Record<keyof SupportContact, string>;

const PHONE_LENGTH_MAX = 32;
/** Written as the shop writes it; what lies between the digits is left out when it is dialled. */
const PHONE = /^\+?[0-9(][0-9 ()-]*[0-9]$/;
/** ITU-T E.164 allows 15; numbers within a country can be as short as 3. */
const PHONE_DIGITS = { min: 3, max: 15 };

/** The value as it is stored; undefined where it is not what the setting must be. */
export function findSupport(
  name: keyof SupportContact,
  text: string,
  mode: "development" | "production",
): string | undefined {
  const value = text.trim();
  if (name === "supportEmail") return findEmail(value);
  if (name === "supportPhone") return isPhone(value) ? value : undefined;
  return findMerchantUrlFault(value, "redirect", mode) === undefined ? value : undefined;
}

function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, "").length;
  return (
    text.length <= PHONE_LENGTH_MAX && PHONE.test(text) && digits >= PHONE_DIGITS.min && digits <= PHONE_DIGITS.max
  );
}
