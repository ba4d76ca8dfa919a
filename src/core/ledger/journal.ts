import type { Currency } from "../currency.ts";
import type { Id } from "../ids.ts";
import type { Minor } from "../money.ts";
import { CLEARING_MANUAL, type ClearingAccount } from "./accounts.ts";
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

export function journalRelease(subject: Subject, transferId: Id, amount: Minor): Transfer {
  return { ...subject, id: transferId, from: "locked", to: "available", amount, kind: "release" };
}

export function journalCapture(
  subject: Subject,
  transferId: Id,
  amount: Minor,
  to: ClearingAccount | "fees",
): Transfer {
  return { ...subject, id: transferId, from: "locked", to, amount, kind: "capture" };
}
