import { type Currency, findCurrency } from "../../../core/currency.ts";
import { cleanPayer, findReference } from "./line-texts.ts";
import { readPlainAmount } from "./statement-amount.ts";
import { findPart, findText, listParts, type XmlPart } from "./xml-part.ts";

/** What is kept of one transaction of an entry, so that a batch of many thousands stays small. */
export type CamtDetail = {
  readonly amount: bigint | undefined;
  readonly currency: Currency | undefined;
  /** Only where the transaction says it itself. */
  readonly direction: "credit" | "debit" | undefined;
  readonly bankReference: string | undefined;
  /** Given by the payer or a bank on the way; it may be used more than once. */
  readonly otherReference: string | undefined;
  readonly payer: string | undefined;
};

const DIRECTIONS: Readonly<Record<string, "credit" | "debit">> = { CRDT: "credit", DBIT: "debit" };

export function readCamtDetail(detail: XmlPart, entry: XmlPart): CamtDetail {
  const amountPart = findPart(detail, "Amt") ?? findPart(detail, "AmtDtls", "TxAmt", "Amt");
  const currency = findCurrency(amountPart?.currency ?? "");
  const amount = currency === undefined ? undefined : readPlainAmount(amountPart?.text.trim() ?? "", currency);
  const indicator = findText(detail, "CdtDbtInd");
  const entryIndicator = indicator ?? findText(entry, "CdtDbtInd");
  return {
    amount: amount?.ok ? amount.value : undefined,
    currency,
    direction: DIRECTIONS[indicator ?? ""],
    bankReference: reference(detail, "AcctSvcrRef"),
    otherReference: reference(detail, "TxId") ?? reference(detail, "EndToEndId"),
    payer: readPayer(detail, (entryIndicator === "CRDT") !== readReversal(entry) ? "Dbtr" : "Cdtr"),
  };
}

/**
 * ISO 20022 keeps CdtDbtInd as the direction of the entry itself: a reversal with CRDT brings money, and what it takes
 * back was a debit. So a reversal does not turn the direction; it only exchanges the parties.
 */
export function readReversal(entry: XmlPart): boolean {
  return ["true", "1"].includes(findText(entry, "RvslInd") ?? "");
}

function reference(detail: XmlPart, name: string): string | undefined {
  return findReference(findText(detail, "Refs", name));
}

/** The other side's name, and what the payer wrote. */
function readPayer(detail: XmlPart, party: "Dbtr" | "Cdtr"): string | undefined {
  const name = findText(detail, "RltdPties", party, "Nm") ?? findText(detail, "RltdPties", party, "Pty", "Nm");
  const purposes = listParts(detail, "RmtInf", "Ustrd").map(({ text }) => text.trim());
  return cleanPayer([name ?? "", purposes.join(" ")].filter((text) => text !== "").join("; "));
}
