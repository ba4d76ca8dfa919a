import type { Requisites } from "../../core/connector.ts";
import { type Fault, fault } from "../../core/errors.ts";
import type { Id } from "../../core/ids.ts";
import type { Direction } from "../../core/merchants/methods.ts";
import { kindOf } from "../../core/payments/kinds.ts";
import { type PaymentParts, paymentObject, type ViewedPayment } from "../../core/payments/view.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Keyring } from "../../platform/secrets.ts";
import { type CardPayinRow, findCardPayin } from "../../store/cards/card-payins.ts";
import type { Database } from "../../store/db.ts";
import { listPageChoices } from "../../store/page/page-choices.ts";
import { findPayerPage } from "../../store/page/payer-pages.ts";
import { findPaymentOfId, type PaymentProduct, type StoredPayment } from "../../store/payments/payments.ts";
import type { Directory } from "../merchants/directory.ts";
import { formUrlOf } from "../page/page-secrets.ts";
import { integrationOf } from "../page/payer-step.ts";
import { unsealRequisites } from "./payment-secrets.ts";

/** Which payments a path sees: those made through its own product and direction. */
export type PathScope = { readonly product: PaymentProduct; readonly direction: Direction };

export type NamedPayment = { readonly projectId: StoredPayment["projectId"]; readonly paymentId: string };

/** A foreign payment and a missing one look the same. */
export const NOT_FOUND = fault("payment_not_found", "there is no payment with this general.payment_id on this path");

export async function getPayment(
  db: Database,
  scope: PathScope,
  { projectId, paymentId }: NamedPayment,
): Promise<Result<StoredPayment, Fault>> {
  const payment = await findPaymentOfId(db, projectId, scope.direction, paymentId);
  return payment === undefined || payment.product !== scope.product ? fail(NOT_FOUND) : ok(payment);
}

export type RenderDeps = {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly directory: Directory;
  readonly publicUrl: () => string;
};

/** A stored payment, or one just made, which has no requisites yet. */
export type ShownPayment = ViewedPayment & Partial<Pick<StoredPayment, "requisites" | "product" | "choiceCount">>;

/** The payment object as text. What is sealed is opened here, for its own merchant. */
export async function renderPayment(deps: RenderDeps, payment: ShownPayment): Promise<string> {
  const sealed = payment.requisites ?? null;
  const requisites = sealed === null ? undefined : unsealRequisites(deps.keyring, payment.requestId, sealed);
  const shown = requisites && withBankName(requisites, deps.directory);
  const card = kindOf(payment) === "card" ? await findCardParts(deps, payment) : {};
  const page = payment.product === "widget" ? await findPageParts(deps, payment) : {};
  return JSON.stringify(paymentObject(payment, { requisites: shown, ...card, ...page }));
}

/** A pay-in by card that was just created: the payer is not taken anywhere yet. */
export function renderNewCard(payment: ViewedPayment, card: CardPayinRow): string {
  return JSON.stringify(paymentObject(payment, { requisites: undefined, card }));
}

/** The payer is taken further by the page itself, so the page is all that the merchant needs. */
async function findPageParts(deps: RenderDeps, payment: ShownPayment): Promise<PaymentParts> {
  const key = { projectId: payment.projectId as Id, requestId: payment.requestId as Id };
  const row = await findPayerPage(deps.db, key.projectId, key.requestId);
  return {
    integration: row && { form_url: formUrlOf(deps.keyring, deps.publicUrl(), row) },
    choices: (payment.choiceCount ?? null) === null ? null : await listPageChoices(deps.db, key),
  };
}

async function findCardParts(deps: RenderDeps, payment: ViewedPayment): Promise<PaymentParts> {
  const row = await findCardPayin(deps.db, payment.projectId as Id, payment.requestId as Id);
  if (row === undefined) return {};
  return { card: row, integration: integrationOf(deps.keyring, deps.publicUrl(), payment.state, row) };
}

export function withBankName(requisites: Requisites, { banks }: Pick<Directory, "banks">): Requisites {
  if (requisites.bankName !== undefined || requisites.bank === undefined) return requisites;
  return { ...requisites, bankName: banks.find(({ symbol }) => symbol === requisites.bank)?.name };
}
