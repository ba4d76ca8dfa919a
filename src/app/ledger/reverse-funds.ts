import { journalReversal } from "../../core/ledger/journal.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import { postTransfers } from "../../store/ledger/ledger.ts";
import { freeOperatorReference } from "../../store/ledger/operator-references.ts";
import { insertReversal } from "../../store/ledger/reversals.ts";
import {
  findReversedFunds,
  findWayOfFunds,
  lockProviderFunds,
  markFundsReversed,
  type ProviderFunds,
} from "../../store/providers/provider-funds.ts";
import { findConfiguredProvider } from "../../store/providers/providers.ts";
import type { SuspenseDeps } from "./account-lines.ts";
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
export function reverseFunds({ db, lines }: SuspenseDeps, command: ReverseFunds): Promise<Reversing> {
  const { provider, reference, reason, actor } = command;
  return db.transaction(async (tx): Promise<Reversing> => {
    const configured = await findConfiguredProvider(tx, provider);
    if (configured === undefined) return fail({ kind: "provider_unknown" });
    const through = await findWayOfFunds(tx, provider, reference);
    const account = through === undefined ? undefined : await lines.lockAccountOfWay(tx, through);
    const funds = await lockProviderFunds(tx, provider, reference);
    // Another operator may have reversed it, and recorded it by another way, since the way was read.
    if (funds === undefined || funds.through !== through) {
      const earlier = await findReversedFunds(tx, provider, reference);
      return fail(earlier === undefined ? { kind: "entry_unknown" } : { kind: "reversed_before", earlier });
    }
    const { projectId, id, currency, amount } = funds;
    const entry = { entry: "provider_funds", entryId: id } as const;
    await insertReversal(tx, { projectId, currency, amount, reason, actor, id: newId(), ...entry });
    await markFundsReversed(tx, funds);
    await freeOperatorReference(tx, { book: configured.book, reference, subjectIds: [id] });
    const line = account === undefined ? [] : await lines.takeFundsOut(tx, account, funds, command);
    const { from, to } = sidesOf(funds);
    await postTransfers(tx, [journalReversal(subjectOf(funds), newId(), amount, { from: to, to: from }), ...line]);
    return ok(funds);
  });
}
