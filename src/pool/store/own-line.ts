import type { Transaction } from "../../store/db.ts";
import { type BankLine, insertBankLines, resolveBookedTimes } from "./bank-lines.ts";

type OwnLine = Omit<BankLine, "bookedFrom" | "bookedTo" | "bookedDay" | "payer" | "countedAs">;

/** A line that an operator knows of before the bank reports it: the bank's own word of it later changes nothing. */
export async function insertOwnLine(tx: Transaction, line: OwnLine, now: Date): Promise<void> {
  const booked = { kind: "instant", from: now, to: now } as const;
  const [span] = await resolveBookedTimes(tx, [{ accountId: line.accountId, booked }]);
  if (span === undefined) throw new Error("every line has its time");
  const times = { bookedFrom: span.from, bookedTo: span.to, bookedDay: span.day };
  await insertBankLines(tx, [{ ...line, ...times, payer: null }]);
}
