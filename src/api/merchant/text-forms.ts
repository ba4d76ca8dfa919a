import { Type } from "typebox";

/**
 * The forms that texts in a request must have. Each pattern has words that tell a developer what to send, because a
 * pattern by itself explains little; the words never repeat the value, which may be a card number.
 */
const PLAIN = "^[^\\p{Cc}\\p{Cs}\\u202A-\\u202E\\u2066-\\u2069]*$";
const CURRENCY = "^[A-Z]{3}$";
const COUNTRY = "^[A-Z]{2}$";
const LANGUAGE = "^[a-z]{2}$";
/** The shortest numbers that are in use have seven digits; fifteen is the limit of E.164. */
const PHONE = "^\\+[1-9][0-9]{6,14}$";
const PAN = "^[0-9]{12,19}$";
const CVV = "^[0-9]{3,4}$";
const PAN_LAST4 = "^[0-9]{4}$";
/** Dots and dashes are part of the aliases that accounts in Argentina have. */
const ACCOUNT_NUMBER = "^[0-9A-Za-z.-]{1,34}$";
/** One @, a local part of at most 64 characters, and a domain of at least two labels. */
const EMAIL =
  '^[^\\s@\\p{Cc}\\p{Cf}\\p{Cs}"(),:;<>\\[\\]\\\\]{1,64}@' +
  "(?:[\\p{L}\\p{M}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?\\.)+[\\p{L}\\p{M}\\p{N}-]{2,63}$";

const WORDS_OF_PATTERN: Readonly<Record<string, string>> = {
  [PLAIN]: "must not hold control characters, or characters that turn the direction of writing",
  [CURRENCY]: "must be three capital letters, such as RUB",
  [COUNTRY]: "must be the two capital letters of a country, such as RU",
  [LANGUAGE]: "must be the two small letters of a language, such as ru",
  [PHONE]: "must be a phone number with + and the country's code in front and no spaces, such as +79001234567",
  [PAN]: "must be a card number of 12 to 19 digits, without spaces or dashes",
  [CVV]: "must be the 3 or 4 digits of the card's code",
  [PAN_LAST4]: "must be the last four digits of a card",
  [ACCOUNT_NUMBER]: "must be an account number of at most 34 letters, digits, dots and dashes, without spaces",
  [EMAIL]: "must be an e-mail address, such as name@shop.example",
};

/** Undefined for a pattern that has no words. */
export function findPatternWords(pattern: string): string | undefined {
  return Object.hasOwn(WORDS_OF_PATTERN, pattern) ? WORDS_OF_PATTERN[pattern] : undefined;
}

const EMAIL_MAX = 254;

/**
 * A text that people wrote. Lengths count code points. PostgreSQL cannot store NUL, the other control characters spoil
 * logs and lists, and overrides of the writing direction make a list show something else than what was sent.
 */
export function plainText(minLength: number, maxLength: number) {
  return Type.String({ minLength, maxLength, pattern: PLAIN });
}

export const currencyCode = Type.String({ pattern: CURRENCY });
export const countryCode = Type.String({ pattern: COUNTRY });
export const languageCode = Type.String({ pattern: LANGUAGE });
export const phoneNumber = Type.String({ pattern: PHONE });
export const cardNumber = Type.String({ pattern: PAN });
export const cardCode = Type.String({ pattern: CVV });
export const cardNumberEnd = Type.String({ pattern: PAN_LAST4 });
export const accountNumber = Type.String({ pattern: ACCOUNT_NUMBER });
export const emailAddress = Type.String({ maxLength: EMAIL_MAX, pattern: EMAIL });
