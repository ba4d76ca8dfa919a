import { createHash } from "node:crypto";
import { type CardBin, readBinFile } from "../../core/cards/card-bins.ts";
import { ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database } from "../../store/db.ts";
import { listBanks } from "../../store/merchants/banks.ts";
import { saveCardBins } from "../../store/merchants/card-bins.ts";

/** Replaces everything that is known of cards' first digits by a file, or refuses the whole file with its faults. */
export async function importBins(
  db: Database,
  text: string,
): Promise<Result<{ readonly bins: readonly CardBin[] }, readonly string[]>> {
  return db.transaction(async (tx) => {
    const symbols = new Set((await listBanks(tx)).map(({ symbol }) => symbol));
    const read = readBinFile(text, (symbol) => symbols.has(symbol));
    if (!read.ok) return read;
    const fileHash = createHash("sha256").update(text).digest("hex");
    await saveCardBins(tx, { id: newId(), prefixCount: read.value.length, fileHash }, read.value);
    return ok({ bins: read.value });
  });
}
