import { Type } from "typebox";
import { ROLES } from "../../core/people/rights.ts";
import { plainText } from "../merchant/text-forms.ts";

/** The texts that the account's forms send. Whether an address is one is decided where it is used: at sign-in a wrong one is just wrong. */
export const emailText = plainText(1, 254);
/** Longer than any password may be, so that a person hears what the rule is. */
export const passwordText = Type.String({ minLength: 1, maxLength: 512 });
export const nameText = plainText(1, 128);
/** Of an app, or on paper. */
export const codeText = plainText(1, 64);
export const tokenText = Type.String({ minLength: 1, maxLength: 64 });
export const roleText = Type.Enum([...ROLES]);
/** A picture's bytes as base64; what they are is decided by their content. */
export const pictureText = Type.String({ minLength: 1, maxLength: 360_000 });
export const originText = Type.String({ minLength: 1, maxLength: 255 });
export const languageText = Type.Enum(["en", "ru"]);
