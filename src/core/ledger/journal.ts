import type { Currency } from "../currency.ts";
import type { Id } from "../ids.ts";
import type { Minor } from "../money.ts";
import { type Account, CLEARING_MANUAL, type ClearingAccount } from "./accounts.ts";
import type { Transfer } from "./transfers.ts";

/** Which transfers each flow of money makes. `docs/ledger.md` shows the same journals with figures. */

type Subject = { readonly projectId: Id; readonly subjectId: Id; readonly currency: Currency };

export function journalCredit(subject: Subject, transferId: Id, amount: Minor): Transfer {
  return { ...subject, id: transferId, from: CLEARING_MANUAL, to: "available", amount, kind: "credit" };
}

export function journalDebit(subject: Subject, transferId: Id, amount: Minor): Transfer {
  return { ...subject, id: transferId, from: "available", to: CLEARING_MANUAL, amount, kind: "debit" };
}

export function journalHold(subject: Subject, transferId: Id, amount: Minor): Transfer {
  return { ...subject, id: transferId, from: "available", to: "locked", amount, kind: "hold" };
}

/** Money of an ended payment leaves suspense: for its own project's balance, or out of the project. */
export function journalFromSuspense(
  payment: Subject,
  transferId: Id,
  amount: Minor,
  { to, kind }: { readonly to: "available" | ClearingAccount; readonly kind: "assign" | "return" },
): Transfer {
  return { ...payment, id: transferId, from: "suspense", to, amount, kind };
}

/** The other half of money that left suspense for another project: no transfer can cross from one project to another. */
export function journalAssigned(move: Subject, transferId: Id, amount: Minor): Transfer {
  return { ...move, id: transferId, from: CLEARING_MANUAL, to: "available", amount, kind: "assign" };
}

/** An unexplained debit of a receiving account: we are short of it. */
export function journalUnexplained(debit: Subject, transferId: Id, amount: Minor, from: ClearingAccount): Transfer {
  return { ...debit, id: transferId, from: "shortfall", to: from, amount, kind: "unexplained" };
}

/** An operator has explained it, and it is posted again under its own name. */
export function journalExplained(debit: Subject, transferId: Id, amount: Minor, from: ClearingAccount): Transfer {
  return { ...debit, id: transferId, from, to: "shortfall", amount, kind: "explain" };
}

/** It was what the bank charges: our fees bear it. */
export function journalCost(debit: Subject, transferId: Id, amount: Minor): Transfer {
  return { ...debit, id: transferId, from: "fees", to: "shortfall", amount, kind: "cost" };
}

/** Money between our balance at a provider and an account of ours. What a provider holds for us is its account below zero. */
export function journalFund(
  funds: Subject,
  transferId: Id,
  amount: Minor,
  { from, to }: { readonly from: ClearingAccount; readonly to: ClearingAccount },
): Transfer {
  return { ...funds, id: transferId, from, to, amount, kind: "fund" };
}

/** An entry was a mistake: its money goes back to where the entry took it from. */
export function journalReversal(
  subject: Subject,
  transferId: Id,
  amount: Minor,
  { from, to }: { readonly from: Account; readonly to: Account },
): Transfer {
  return { ...subject, id: transferId, from, to, amount, kind: "reversal" };
}
