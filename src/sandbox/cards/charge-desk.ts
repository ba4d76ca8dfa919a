import type { SandboxDatabase } from "../database.ts";
import { openLots } from "../lots.ts";
import { type Charge, cancelCharges, findCharges, insertCharges, type NewCharge } from "./charges.ts";

/** Charges that arrive together are written together, and so are questions about them. */
export type ChargeDesk = {
  readonly find: (reference: string) => Promise<Charge | undefined>;
  /** Answers whether a charge of that reference was made. */
  readonly insert: (charge: NewCharge) => Promise<boolean>;
  /** Declines a charge that still waits for its payer; one that is decided stays what it is. */
  readonly cancel: (reference: string) => Promise<void>;
};

export function openChargeDesk(db: SandboxDatabase): ChargeDesk {
  return {
    find: openLots(async (references: readonly string[]) => {
      const charges = new Map((await findCharges(db, references)).map((charge) => [charge.reference, charge]));
      return references.map((reference) => charges.get(reference));
    }),
    insert: openLots(async (charges: readonly NewCharge[]) => {
      const made = await insertCharges(db, charges, []);
      return charges.map(({ reference }) => made.has(reference));
    }),
    cancel: openLots(async (references: readonly string[]) => {
      await cancelCharges(db, references);
      return references.map(() => undefined);
    }),
  };
}
