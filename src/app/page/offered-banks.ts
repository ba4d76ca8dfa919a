import type { BankLanguage, BankNames } from "../../core/merchants/bank-look.ts";
import type { MethodOffer } from "../../core/merchants/methods.ts";
import { takesBank } from "../../core/payments/create-rules.ts";
import type { StoredBank } from "../../store/merchants/banks.ts";
import type { StoredPayment } from "../../store/payments/payments.ts";
import type { Directory } from "../merchants/directory.ts";

/** A bank as the payment page draws it. Members that do not apply are absent. */
type ShownBank = {
  readonly symbol: string;
  readonly name: string;
  /** In languages whose name is another than the one that `nearest` would give. */
  readonly names?: BankNames;
  readonly colour?: string;
  /** The version of the operator's picture, at `/pay/banks/SYMBOL`. */
  readonly image?: string;
};

export type OfferedBank = ShownBank & { readonly aliases?: readonly string[]; readonly popular?: true };

/** The banks that a method takes: popular ones first, then by name. */
export function offeredBanks({ banks }: Pick<Directory, "banks">, offer: MethodOffer): readonly OfferedBank[] {
  return banks
    .filter((bank) => takesBank(offer, bank))
    .toSorted((a, b) => rankOf(a) - rankOf(b) || a.name.localeCompare(b.name))
    .map((bank) => ({
      ...shownBank(bank),
      ...(bank.aliases.length === 0 ? {} : { aliases: bank.aliases }),
      ...(bank.popularity === null ? {} : { popular: true }),
    }));
}

function rankOf({ popularity }: StoredBank): number {
  return popularity ?? Number.MAX_SAFE_INTEGER;
}

/** Both banks of a transfer, where they are known: the one that the payer chose, and the receiver's. */
export type TransferBanks = {
  readonly payer_bank?: ShownBank & { readonly app?: string };
  readonly receiver_bank?: ShownBank;
};

export function transferBanks(
  { banks }: Pick<Directory, "banks">,
  { request }: Pick<StoredPayment, "request">,
  receiver: unknown,
): TransferBanks {
  const find = (symbol: unknown) => banks.find((bank) => bank.symbol === symbol);
  const payers = find(request.sender?.bank);
  const receivers = find(receiver);
  return {
    ...(payers === undefined ? {} : { payer_bank: { ...shownBank(payers), ...appOf(payers) } }),
    ...(receivers === undefined ? {} : { receiver_bank: shownBank(receivers) }),
  };
}

/** Apps of the fast payment system's members open links of a scheme that is made of the member's code. */
function appOf({ isSbpBank, sbpCode }: StoredBank): { readonly app?: string } {
  return isSbpBank ? { app: `bank${sbpCode}` } : {};
}

function shownBank({ symbol, name, names, colour, imageVersion }: StoredBank): ShownBank {
  const told = Object.entries(names).filter(([language, text]) => text !== nearest(language, names, name));
  return {
    symbol,
    name,
    ...(told.length === 0 ? {} : { names: Object.fromEntries(told) }),
    ...(colour === null ? {} : { colour }),
    ...(imageVersion === null ? {} : { image: imageVersion }),
  };
}

/** Whose name the page takes for a language that has none: the one in the same alphabet, which is left out where it is `name`. */
function nearest(language: string, names: BankNames, name: string): string {
  if (language === "en" || language === "ru") return name;
  const other: BankLanguage = language === "kk" || language === "ky" || language === "tg" ? "ru" : "en";
  return names[other] ?? name;
}
