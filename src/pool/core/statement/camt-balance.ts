import { readIsoTime } from "./booked-time.ts";
import { readCamtSum } from "./camt-entry.ts";
import type { StatementItem } from "./statement-item.ts";
import { findText, type XmlPart } from "./xml-part.ts";

/** The balances that a statement begins and ends with. Others, such as the available one, say nothing about bookings. */
const KINDS: Readonly<Record<string, "opening" | "closing">> = { OPBD: "opening", PRCD: "opening", CLBD: "closing" };

/** At the break between two pages of one statement. */
const INTERMEDIATE = "INTM";

export function readCamtBalance(part: XmlPart, account: string | undefined, lastEntry: number): StatementItem[] {
  const which = KINDS[findText(part, "Tp", "CdOrPrtry", "Cd") ?? ""];
  if (which === undefined || findText(part, "Tp", "SubTp", "Cd") === INTERMEDIATE) return [];
  const sum = readCamtSum(part);
  const dayText = findText(part, "Dt", "Dt") ?? findText(part, "Dt", "DtTm") ?? "";
  if (!sum.ok || !readIsoTime(dayText).ok) {
    const reason = `the ${which} balance cannot be read: ${sum.ok ? "it has no date" : sum.error}`;
    return [{ kind: "refused", value: { line: lastEntry, reason } }];
  }
  const { direction, currency } = sum.value;
  const amount = direction === "credit" ? sum.value.amount : -sum.value.amount;
  return [{ kind: "balance", value: { account, which, amount, currency, day: dayText.slice(0, 10) } }];
}
