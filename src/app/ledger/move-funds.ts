import { journalFund } from "../../core/ledger/journal.ts";
import { BY_HAND, clearingOf } from "../../core/providers.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { postTransfers } from "../../store/ledger/ledger.ts";
import { insertProviderFunds, lockProviderFunds, type ProviderFunds } from "../../store/providers/provider-funds.ts";
import { findConfiguredProvider } from "../../store/providers/providers.ts";
import { ensureHouseProject } from "./house-project.ts";
import { takeReference } from "./take-reference.ts";

/** An operator topped up our balance at a configured provider, or withdrew from it. */
export type MoveFunds = Omit<ProviderFunds, "projectId" | "id" | "through">;

export type MovedFunds = { readonly funds: ProviderFunds; readonly repeated: boolean };

export type FundsFault = "provider_unknown" | "reference_taken";

/** One commit: the record, the bank's reference and the transfer. The same command again changes nothing. */
export async function moveFunds(db: Database, command: MoveFunds): Promise<Result<MovedFunds, FundsFault>> {
  try {
    return await db.transaction((tx) => move(tx, command));
  } catch (error) {
    if (error instanceof ReferenceTaken) return fail("reference_taken");
    throw error;
  }
}

async function move(tx: Transaction, command: MoveFunds): Promise<Result<MovedFunds, FundsFault>> {
  const provider = await findConfiguredProvider(tx, command.provider);
  if (provider === undefined) return fail("provider_unknown");
  const { book } = provider;
  const projectId = await ensureHouseProject(tx, book);
  const funds: ProviderFunds = { ...command, through: BY_HAND, projectId, id: newId() };
  if (!(await insertProviderFunds(tx, funds))) {
    const earlier = await lockProviderFunds(tx, command.provider, command.reference);
    if (earlier === undefined || !isSameMovement(earlier, funds)) throw new ReferenceTaken();
    return ok({ funds: earlier, repeated: true });
  }
  const { reference, id: subjectId } = funds;
  if (!(await takeReference(tx, { book, reference, command: "provider funds", projectId, subjectId })))
    throw new ReferenceTaken();
  await postTransfers(tx, [journalFund(subjectOf(funds), newId(), funds.amount, sidesOf(funds))]);
  return ok({ funds, repeated: false });
}

/** The record is rolled back with everything else. */
class ReferenceTaken extends Error {}

/** The note and the actor may differ when the operator repeats the command; the money may not. */
function isSameMovement(earlier: ProviderFunds, funds: ProviderFunds): boolean {
  const names = ["direction", "amount", "currency", "through"] as const;
  return names.every((name) => earlier[name] === funds[name]);
}

export function subjectOf({ projectId, id, currency }: ProviderFunds) {
  return { projectId, subjectId: id, currency };
}

/** What a provider holds for us is its clearing account below zero, so a top-up leaves that account. */
export function sidesOf({ provider, direction, through }: ProviderFunds) {
  const there = clearingOf(provider);
  const here = clearingOf(through);
  return direction === "in" ? { from: there, to: here } : { from: here, to: there };
}
