import type { Requisites } from "../../core/connector.ts";
import { holdsUser, parseMerchantUrl } from "../../core/merchants/merchant-url.ts";
import type { EgressMode } from "../../platform/http-out/target.ts";

/**
 * What a gateway says that payers and merchants will see. A gateway that was taken over must be able to name a wrong account,
 * which no check can find, and nothing worse: no program, no advice to the payer in place of a number, no text in disguise.
 */

/** Numbers as people write them, or masked. An account may be an alias of letters. */
const VALUES = {
  card: /^[0-9*][0-9* -]{3,39}$/,
  phone: /^\+?[0-9*][0-9*() -]{3,31}$/,
  account: /^[A-Za-z0-9*][A-Za-z0-9*@./_ -]{1,63}$/,
} as const satisfies Record<Exclude<Requisites["type"], "link">, RegExp>;

export function isRequisiteValue(type: Requisites["type"], value: string, mode: EgressMode): boolean {
  return type === "link" ? isLink(value, mode) : VALUES[type].test(value);
}

function isLink(text: string, mode: EgressMode): boolean {
  if (readsTwoWays(text)) return false;
  return isWebAddress(text, mode) || /^tel:[0-9*#+%]+$/i.test(text);
}

/** Our callbacks carry it, signed by scheme 1, under which `;name:` inside a text looks like a member of its own. */
function readsTwoWays(text: string): boolean {
  return /;[a-z_]+:/i.test(text);
}

/** A message to or from the issuer. It is opaque, but it is one line of a form and a member of a callback. */
export function isMessage(text: string | undefined): text is string {
  // Only the line breaks of base64 may be in it.
  return text !== undefined && !readsTwoWays(text) && !/\p{Cc}/u.test(text.replaceAll(/[\r\n]/g, ""));
}

/** The payer's browser will be sent there: over https, except to a program of this machine in development. */
export function isWebAddress(text: string | undefined, mode: EgressMode): text is string {
  const url = text === undefined ? undefined : parseMerchantUrl(text);
  if (text === undefined || url === undefined || holdsUser(text)) return false;
  return url.protocol === "https:" || mode === "development";
}

/** Control characters, halves of characters, line breaks of every kind, and what turns the direction of writing. */
const DISGUISE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;
const NAME_MAX = 128;

/** A name on one line. Undefined: nothing is left of it. */
export function toName(text: string | null | undefined): string | undefined {
  const line = (text ?? "").replaceAll(DISGUISE, " ").replaceAll(";", ",").replaceAll(/\s+/g, " ").trim();
  const name = [...line].slice(0, NAME_MAX).join("");
  return name === "" ? undefined : name;
}
