import type { Id } from "../../core/ids.ts";
import { newId } from "../../platform/new-id.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";
import { insertPayerReveals, listSealedPayers, type PayerReveal, type SealedPayer } from "../store/payer-reveals.ts";
import { payerPlace, unsealText } from "./pool-secrets.ts";

/** `none`: the bank said nothing; `unreadable`: it was changed in the database, moved, or sealed under a lost key. */
export type RevealedPayer =
  | { readonly kind: "shown"; readonly payer: string }
  | { readonly kind: "none" | "unreadable" };

/**
 * What the bank says of the other side of these lines, by the lines' ids. Who sees it and why is committed before
 * any name is returned, so that no name is seen without a row that says so.
 */
export function revealPayers(
  { db, keyring }: { readonly db: Database; readonly keyring: Keyring },
  lineIds: readonly Id[],
  reveal: PayerReveal,
): Promise<ReadonlyMap<Id, RevealedPayer>> {
  return db.transaction(async (tx) => {
    const sealed = await listSealedPayers(tx, lineIds);
    const opened = sealed.map((line) => ({ transfer: line, revealed: openPayer(keyring, line) }));
    const shown = opened.filter(({ revealed }) => revealed.kind === "shown");
    const rows = shown.map(({ transfer: line }) => ({ ...line, revealId: newId() }));
    if (rows.length > 0) await insertPayerReveals(tx, rows, reveal);
    return new Map(opened.map(({ transfer: line, revealed }) => [line.id, revealed]));
  });
}

function openPayer(keyring: Keyring, line: SealedPayer): RevealedPayer {
  if (line.payer === null) return { kind: "none" };
  try {
    return {
      kind: "shown",
      payer: unsealText(keyring, payerPlace(line.accountId, line.reference), line.payer),
    };
  } catch {
    return { kind: "unreadable" };
  }
}
