import { BY_HAND } from "../../core/providers.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database } from "../../store/db.ts";
import { findSuspenseMove, listWaysIntoSuspense } from "../../store/ledger/suspense-moves.ts";
import type { PaymentKey } from "../../store/payments/payments.ts";
import type { SuspenseFault, SuspenseTarget, SuspenseWish } from "./suspense-targets.ts";

/**
 * Money goes back the way it came, unless an operator names another. What was assigned from another payment came by hand as
 * far as the books of this payment tell, but was on an account: there the way must be named.
 */
export async function resolveTarget(
  db: Database,
  source: PaymentKey,
  { target, reference }: { readonly target: SuspenseWish; readonly reference: string },
): Promise<Result<SuspenseTarget, SuspenseFault>> {
  if (target.kind !== "return") return ok(target);
  const { kind, through } = target;
  if (through !== undefined) return ok({ kind, through });
  // The same request again is answered as it was, even if more money has come another way since.
  const earlier = await findSuspenseMove(db, source.projectId, reference);
  if (earlier?.kind === "return") return ok({ kind, through: earlier.through });
  const ways = await listWaysIntoSuspense(db, source);
  const [only] = ways;
  if (only === undefined || ways.length > 1 || only === BY_HAND) return fail({ kind: "way_unclear", ways });
  return ok({ kind, through: only });
}
