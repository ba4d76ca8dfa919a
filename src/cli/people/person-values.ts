import { findEmail } from "../../core/people/email.ts";
import { ROLES, type Role } from "../../core/people/rights.ts";
import { quote, readChoice, wrongUsage } from "../kit/option-values.ts";

export function readEmail(text: string, name: string): string {
  const email = findEmail(text);
  if (email === undefined)
    throw wrongUsage(`${name} must be an e-mail address, such as name@shop.example. It is ${quote(text)}.`);
  return email;
}

export function readRole(text: string, name: string): Role {
  return readChoice(text, name, ROLES);
}
