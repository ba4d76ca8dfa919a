import type { Id } from "../../core/ids.ts";
import { receiverKey } from "../../core/payments/receiver.ts";
import { type AccountFault, accountFault } from "../../core/people/account-fault.ts";
import type { Actor } from "../../core/people/actor.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";
import { type DetailedPayment, findDetailedPayment } from "../../store/reports/payment-detail.ts";
import { unsealReceiver, unsealRequisites } from "../payments/payment-secrets.ts";
import { audit } from "../people/audit.ts";
import { idsOf, type ReportScope } from "./report-scope.ts";

/** Where the money of a payment was to go, in full. */
export type RevealedPlace = {
  readonly type: string;
  readonly value: string;
  readonly holder: string | undefined;
  readonly bank: string | undefined;
};

const NO_PAYMENT = accountFault("not_found", "there is no such payment");
const NOTHING_KEPT = accountFault("wrong_state", "this payment has no requisites that could be shown");
const ONLY_MASK = accountFault("only_mask_kept", "of a payer's card only the mask is stored");

/**
 * Opens the sealed requisites of one payment for a person. Who looked at which payment is committed to the audit log before the
 * answer leaves; a value that cannot be opened was not looked at, and is no line.
 */
export function revealRequisites(
  { db, keyring }: { readonly db: Database; readonly keyring: Keyring },
  scope: ReportScope,
  { requestId, actor }: { readonly requestId: Id; readonly actor: Actor },
): Promise<Result<RevealedPlace, AccountFault>> {
  return db.transaction(async (tx) => {
    const found = await findDetailedPayment(tx, idsOf(scope.projects), requestId);
    if (found === undefined) return fail(NO_PAYMENT);
    if (found.mask !== null) return fail(ONLY_MASK);
    const place = openPlace(keyring, found);
    if (place === undefined) return fail(NOTHING_KEPT);
    await audit(tx, {
      merchantId: scope.merchantId,
      actor,
      action: "requisites.reveal",
      subject: requestId,
      after: { payment_id: found.paymentId, type: place.type },
    });
    return ok(place);
  });
}

/** Undefined where nothing is stored, or where the key that sealed it is gone. */
function openPlace(keyring: Keyring, { requestId, requisites, receiver }: DetailedPayment): RevealedPlace | undefined {
  try {
    if (requisites !== null) {
      const { type, value, holder, bank, bankName } = unsealRequisites(keyring, requestId, requisites);
      return { type, value, holder, bank: bankName ?? bank };
    }
    if (receiver === null) return undefined;
    const opened = unsealReceiver(keyring, requestId, receiver);
    const value = receiverKey(opened);
    const { type } = opened;
    switch (opened.type) {
      case "card":
        return { type, value, holder: opened.holder, bank: undefined };
      case "phone":
        return { type, value, holder: undefined, bank: opened.bank };
      case "account":
        return { type, value, holder: opened.name, bank: opened.bank };
    }
  } catch {
    return undefined;
  }
}
