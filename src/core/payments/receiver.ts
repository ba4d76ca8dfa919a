import type { PayoutReceiver } from "../connector.ts";
import { METHODS, type Method, type RequisiteKind } from "../merchants/methods.ts";
import { maskRequisites } from "./requisites-text.ts";
import { readSealedMembers } from "./sealed-members.ts";

/** The receiver of a payout as a request writes it. */
export type ReceiverBlock = {
  readonly pan?: string;
  readonly card_holder?: string;
  readonly phone?: string;
  readonly account_number?: string;
  readonly bank?: string;
  readonly name?: string;
};

export type ReceiverMember = keyof ReceiverBlock;

type ReceiverForm = { readonly required: readonly ReceiverMember[]; readonly optional: readonly ReceiverMember[] };

/** Which members a method needs and takes, by what it pays to. A link can be paid from only. */
const RECEIVER_FORMS = {
  card: { required: ["pan"], optional: ["card_holder"] },
  phone: { required: ["phone"], optional: [] },
  phone_and_bank: { required: ["phone", "bank"], optional: [] },
  account: { required: ["account_number", "bank", "name"], optional: [] },
  link: { required: [], optional: [] },
} as const satisfies Record<RequisiteKind, ReceiverForm>;

export const RECEIVER_MEMBERS = [
  "pan",
  "card_holder",
  "phone",
  "account_number",
  "bank",
  "name",
] as const satisfies readonly ReceiverMember[];

export function receiverForm(method: Method): ReceiverForm {
  return RECEIVER_FORMS[METHODS[method].requisite];
}

/** For a block that the body's rules found nothing against; anything else is a bug. */
export function toPayoutReceiver(method: Method, block: ReceiverBlock): PayoutReceiver {
  const { pan, card_holder: holder, phone, account_number: accountNumber, bank, name } = block;
  switch (METHODS[method].requisite) {
    case "card":
      if (pan !== undefined) return { type: "card", pan, holder };
      break;
    case "phone":
      if (phone !== undefined) return { type: "phone", phone, bank: undefined };
      break;
    case "phone_and_bank":
      if (phone !== undefined && bank !== undefined) return { type: "phone", phone, bank };
      break;
    case "account":
      if (accountNumber !== undefined && bank !== undefined && name !== undefined)
        return { type: "account", accountNumber, bank, name };
      break;
    case "link":
      break;
  }
  throw new Error(`the receiver does not have what ${method} needs`);
}

/** The text that is sealed. */
export function receiverToText(receiver: PayoutReceiver): string {
  return JSON.stringify(receiver);
}

/** Reads what `receiverToText` wrote; anything else is a bug. The error does not repeat the text. */
export function receiverFromText(text: string): PayoutReceiver {
  const read = readSealedMembers(text);
  const [type, pan, phone] = [read("type"), read("pan"), read("phone")];
  const [accountNumber, bank, name] = [read("accountNumber"), read("bank"), read("name")];
  if (type === "card" && pan !== undefined) return { type, pan, holder: read("holder") };
  if (type === "phone" && phone !== undefined) return { type, phone, bank };
  if (type === "account" && accountNumber !== undefined && bank !== undefined && name !== undefined)
    return { type, accountNumber, bank, name };
  throw new Error("the sealed receiver has an unknown form");
}

/** What tells one receiver from another: the text that a manual payout's keyed hash is made of, to recognise a repeated request. */
export function receiverKey(receiver: PayoutReceiver): string {
  switch (receiver.type) {
    case "card":
      return receiver.pan;
    case "phone":
      return receiver.phone;
    case "account":
      return receiver.accountNumber;
  }
}

/** Enough to recognise it, too little to use it. */
export function maskReceiver(receiver: PayoutReceiver): string {
  const { type } = receiver;
  const bare = { type, value: receiverKey(receiver), holder: undefined, bank: undefined, bankName: undefined };
  return maskRequisites(bare).value;
}
