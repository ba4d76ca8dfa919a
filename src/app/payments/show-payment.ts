import type { Id } from "../../core/ids.ts";
import { kindOf } from "../../core/payments/kinds.ts";
import { type PaymentParts, paymentObject } from "../../core/payments/view.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";
import { listShownPayments, type PaymentName, type ShownPaymentRow } from "../../store/payments/shown-payments.ts";
import type { Directory } from "../merchants/directory.ts";
import { formUrlOf } from "../page/page-secrets.ts";
import { integrationOf } from "../page/payer-step.ts";
import { groupReads } from "../processes/group-reads.ts";
import { withBankName } from "./payment-answers.ts";
import { unsealRequisites } from "./payment-secrets.ts";

/** A payment as its merchant may see it now. Calls that ask together share a statement, each one that began after it asked. */
export type ReadShownPayment = (name: PaymentName) => Promise<ShownPaymentRow | undefined>;

export function openShownPayments(db: Database): ReadShownPayment {
  const read = groupReads<PaymentName, ShownPaymentRow | undefined>(async (names) => {
    const rows = await listShownPayments(db, names);
    return new Map(names.map((name, index) => [name, rows[index]]));
  });
  // Each call's name is an object of its own, so that two calls for one payment are two keys.
  return (name) => read(name);
}

type ShowDeps = { readonly keyring: Keyring; readonly directory: Directory; readonly publicUrl: () => string };

/** The payment object as text. What is sealed is opened here, for its own merchant. */
export function renderShown(deps: ShowDeps, row: ShownPaymentRow): string {
  const { requisites, requestId } = row;
  const opened = requisites === null ? undefined : unsealRequisites(deps.keyring, requestId, requisites);
  const parts: PaymentParts = {
    requisites: opened && withBankName(opened, deps.directory),
    ...cardParts(deps, row),
    ...pageParts(deps, row),
    choices: row.choices,
  };
  return JSON.stringify(paymentObject(row, parts));
}

function cardParts({ keyring, publicUrl }: ShowDeps, row: ShownPaymentRow): PaymentParts {
  const { mask, brand, pageToken, challenge, state } = row;
  if (mask === null || brand === null || pageToken === null || kindOf(row) !== "card") return {};
  const requestId = row.requestId as Id;
  return {
    card: { mask, brand },
    integration: integrationOf(keyring, publicUrl(), state, { requestId, challenge, pageToken }),
  };
}

/** The payer is taken further by the page itself, so the page is all that the merchant needs. */
function pageParts({ keyring, publicUrl }: ShowDeps, { token, requestId }: ShownPaymentRow): PaymentParts {
  return token === null ? {} : { integration: { form_url: formUrlOf(keyring, publicUrl(), { requestId, token }) } };
}
