import type { PayoutReceiver } from "../../core/connector.ts";
import { writeCsvRecord } from "../../core/csv-writer.ts";
import type { Currency } from "../../core/currency.ts";
import { type Minor, majorText } from "../../core/money.ts";
import { receiverKey } from "../../core/payments/receiver.ts";

/** A payout as a bank's form for many payments takes it. */
export type SheetLine = {
  readonly code: string;
  readonly requestId: string;
  readonly receiver: PayoutReceiver;
  readonly bank: { readonly name: string; readonly sbpCode: string; readonly isSbpBank: boolean } | undefined;
  readonly amount: Minor;
  readonly currency: Currency;
};

const HEADER = ["purpose", "receiver_type", "receiver", "bank", "sbp_code", "name", "amount", "currency", "request_id"];

/** CSV: the purpose is the code that the bank's statement will name the payout by. */
export function writePayoutSheet(lines: readonly SheetLine[]): string {
  return [HEADER, ...lines.map(cellsOf)].map(writeCsvRecord).join("");
}

function cellsOf({ code, requestId, receiver, bank, amount, currency }: SheetLine): readonly string[] {
  return [
    code,
    receiver.type,
    // A phone without its plus: banks' forms take the digits, and with it the cell would be a formula.
    receiverKey(receiver).replace(/^\+/, ""),
    bank?.name ?? "",
    bank?.isSbpBank === true ? bank.sbpCode : "",
    nameOf(receiver),
    majorText(amount, currency),
    currency,
    requestId,
  ];
}

function nameOf(receiver: PayoutReceiver): string {
  if (receiver.type === "card") return receiver.holder ?? "";
  return receiver.type === "account" ? receiver.name : "";
}
