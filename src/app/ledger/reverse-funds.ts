import { journalReversal } from "../../core/ledger/journal.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database } from "../../store/db.ts";
import { postTransfers } from "../../store/ledger/ledger.ts";
import { freeOperatorReference } from "../../store/ledger/operator-references.ts";
import { insertReversal } from "../../store/ledger/reversals.ts";
import {
  findReversedFunds,
  lockProviderFunds,
  markFundsReversed,
  type ProviderFunds,
} from "../../store/providers/provider-funds.ts";
import { findConfiguredProvider } from "../../store/providers/providers.ts";
import { sidesOf, subjectOf } from "./move-funds.ts";
import type { ReverseFault } from "./reverse-fault.ts";

/** An operator takes funds back that were recorded by mistake, named by the provider and the reference. */
export type ReverseFunds = {
  readonly provider: string;
  readonly reference: string;
  readonly reason: string;
  readonly actor: string;
};

type Reversing = Result<ProviderFunds, ReverseFault | { readonly kind: "provider_unknown" }>;

/** One commit: the opposite transfer, the record marked as reversed, and its reference free for the right one. */
export function reverseFunds(db: Database, { provider, reference, reason, actor }: ReverseFunds): Promise<Reversing> {
  return db.transaction(async (tx): Promise<Reversing> => {
    const configured = await findConfiguredProvider(tx, provider);
    if (configured === undefined) return fail({ kind: "provider_unknown" });
    const funds = await lockProviderFunds(tx, provider, reference);
    if (funds === undefined) {
      const earlier = await findReversedFunds(tx, provider, reference);
      return fail(earlier === undefined ? { kind: "entry_unknown" } : { kind: "reversed_before", earlier });
    }
    const { projectId, id, currency, amount } = funds;
    const words = { reason, actor };
    await insertReversal(tx, {
      ...{ projectId, currency, amount, ...words },
      id: newId(),
      entry: "provider_funds",
      entryId: id,
    });
    await markFundsReversed(tx, funds);
    await freeOperatorReference(tx, { book: configured.book, reference, subjectIds: [id] });
    const { from, to } = sidesOf(funds);
    await postTransfers(tx, [journalReversal(subjectOf(funds), newId(), amount, { from: to, to: from })]);
    return ok(funds);
  });
}
