import { METHODS } from "../../core/merchants/methods.ts";
import { minorToJson } from "../../core/money.ts";
import { findCardPayin } from "../../store/cards/card-payins.ts";
import type { Database } from "../../store/db.ts";
import type { StoredPayment } from "../../store/payments/payments.ts";
import type { DirectoryProject } from "../merchants/directory.ts";

/** What lets a payer trust the page: whose shop it is and how to reach it, and in the end a receipt. */
export type ShopView = {
  readonly name: string;
  readonly accent: string | null;
  readonly logo: boolean;
  readonly support?: { readonly email?: string; readonly phone?: string; readonly url?: string };
};

export type Receipt = {
  readonly paid_at: string;
  /** What was paid, in minor units: after a dispute it can differ from what was asked for. */
  readonly amount: number;
  /** Our own id of the payment, which support searches for. */
  readonly request_id: string;
  /** As the page's methods are called. */
  readonly method?: string;
  readonly card?: { readonly brand: string; readonly last4: string };
};

type Shop = Pick<DirectoryProject, "name" | "accent" | "logoType" | "supportEmail" | "supportPhone" | "supportUrl">;

export function shopOf(project: Shop): ShopView {
  const { name, accent, logoType, supportEmail: email, supportPhone: phone, supportUrl: url } = project;
  const support = {
    ...(email === null ? {} : { email }),
    ...(phone === null ? {} : { phone }),
    ...(url === null ? {} : { url }),
  };
  return { name, accent, logo: logoType !== null, ...(Object.keys(support).length === 0 ? {} : { support }) };
}

const LAST_DIGITS = 4;

/** Only of a payment that succeeded. */
export async function receiptOf(db: Pick<Database, "run">, payment: StoredPayment): Promise<Receipt> {
  const { projectId, requestId, method } = payment;
  const code = method === null ? null : METHODS[method].widgetCode;
  const card = method === "card-ecom" ? await findCardPayin(db, projectId, requestId) : undefined;
  return {
    paid_at: (payment.finishedAt ?? payment.updatedAt).toISOString(),
    amount: minorToJson(payment.amount),
    request_id: requestId,
    ...(code === null ? {} : { method: code }),
    ...(card === undefined ? {} : { card: { brand: card.brand, last4: card.mask.slice(-LAST_DIGITS) } }),
  };
}
