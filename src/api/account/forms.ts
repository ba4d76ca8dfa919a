import { Type } from "typebox";
import { plainText } from "../merchant/text-forms.ts";

/** The texts that the account's forms send. Whether an address is one is decided where it is used: at sign-in a wrong one is just wrong. */
export const emailText = plainText(1, 254);
/** Longer than any password may be, so that a person hears what the rule is. */
export const passwordText = Type.String({ minLength: 1, maxLength: 512 });
