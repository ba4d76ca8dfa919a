import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Transaction } from "../db.ts";

type ProjectStatus = "active" | "paused";

export type ProjectSettings = {
  readonly name: string;
  readonly status: ProjectStatus;
  readonly scheme2Only: boolean;
  /** Addresses and networks that may call; empty: any. */
  readonly allowedIps: readonly string[];
  readonly ratePerSecond: number;
  readonly rateBurst: number;
  readonly callbackUrl: string | null;
  readonly successCallbackUrl: string | null;
  readonly declineCallbackUrl: string | null;
  readonly redirectUrl: string | null;
  /** What signs its callbacks by the protocol's own scheme: the service's key, or a secret of the project's. */
  readonly callbackSigning: "rsa" | "hmac";
  /** Whose pages may show the payment page in a frame. */
  readonly widgetOrigins: readonly string[];
  /** The colour of the payment page's buttons: `#rrggbb`; null: ours. */
  readonly accent: string | null;
  /** How payers reach the shop, as the payment page shows it. */
  readonly supportEmail: string | null;
  readonly supportPhone: string | null;
  readonly supportUrl: string | null;
  /** From so many confirmed and unpaid pay-ins of a customer on, the pool lends that customer nothing; null: no cap. */
  readonly unpaidConfirmsMax: number | null;
  /** How often the payer of a hosted page may choose how to pay: from 1 to 10. */
  readonly payerAttempts: number;
};

export type Project = ProjectSettings & {
  readonly id: Id;
  readonly merchantId: Id;
  readonly book: Book;
  readonly createdAt: Date;
  /** Of the picture on the payment page; null: there is none. */
  readonly logoType: "image/png" | "image/jpeg" | null;
};

const COLUMNS = `id, merchant_id as "merchantId", name, book, status, scheme2_only as "scheme2Only",
  allowed_ips as "allowedIps", rate_per_second as "ratePerSecond", rate_burst as "rateBurst",
  callback_url as "callbackUrl", success_callback_url as "successCallbackUrl",
  decline_callback_url as "declineCallbackUrl", redirect_url as "redirectUrl",
  callback_signing as "callbackSigning", widget_origins as "widgetOrigins", accent, logo_type as "logoType",
  support_email as "supportEmail", support_phone as "supportPhone", support_url as "supportUrl",
  unpaid_confirms_max as "unpaidConfirmsMax", payer_attempts as "payerAttempts",
  created_at as "createdAt"`;

export async function insertProject(
  tx: Transaction,
  project: { id: Id; merchantId: Id; name: string; book: Book },
): Promise<void> {
  await tx.run({
    text: "insert into projects (id, merchant_id, name, book) values ($1, $2, $3, $4)",
    values: [project.id, project.merchantId, project.name, project.book],
  });
}

/** All of them, or those that are named. */
export function listProjects(tx: Transaction, ids?: readonly Id[]): Promise<Project[]> {
  return tx.run<Project>({
    text: `select ${COLUMNS} from projects where $1::uuid[] is null or id = any($1) order by id`,
    values: [ids],
  });
}

/** Live projects first, then by name, as everywhere in the account. */
export function listProjectsOfMerchant(tx: Transaction, merchantId: Id): Promise<Project[]> {
  return tx.run<Project>({
    text: `select ${COLUMNS} from projects where merchant_id = $1 order by book, name collate "C", id`,
    values: [merchantId],
  });
}

export async function listProjectIds(tx: Transaction): Promise<Id[]> {
  const rows = await tx.run<{ id: Id }>({ text: "select id from projects order by id" });
  return rows.map(({ id }) => id);
}

export async function findProject(tx: Transaction, id: Id): Promise<Project | undefined> {
  const rows = await tx.run<Project>({ text: `select ${COLUMNS} from projects where id = $1`, values: [id] });
  return rows[0];
}

export async function lockProject(tx: Transaction, id: Id): Promise<Project | undefined> {
  const rows = await tx.run<Project>({
    text: `select ${COLUMNS} from projects where id = $1 for no key update`,
    values: [id],
  });
  return rows[0];
}

export async function updateProject(tx: Transaction, id: Id, settings: ProjectSettings): Promise<void> {
  await tx.run({
    text: `update projects
              set name = $2, status = $3, scheme2_only = $4, allowed_ips = $5, rate_per_second = $6, rate_burst = $7,
                  callback_url = $8, success_callback_url = $9, decline_callback_url = $10, redirect_url = $11,
                  callback_signing = $12, widget_origins = $13, accent = $14,
                  unpaid_confirms_max = $15, support_email = $16, support_phone = $17, support_url = $18,
                  payer_attempts = $19
            where id = $1`,
    values: [
      id,
      settings.name,
      settings.status,
      settings.scheme2Only,
      settings.allowedIps,
      settings.ratePerSecond,
      settings.rateBurst,
      settings.callbackUrl,
      settings.successCallbackUrl,
      settings.declineCallbackUrl,
      settings.redirectUrl,
      settings.callbackSigning,
      settings.widgetOrigins,
      settings.accent,
      settings.unpaidConfirmsMax,
      settings.supportEmail,
      settings.supportPhone,
      settings.supportUrl,
      settings.payerAttempts,
    ],
  });
}

export type Logo = { readonly type: "image/png" | "image/jpeg"; readonly bytes: Buffer };

export async function saveLogo(tx: Transaction, id: Id, logo: Logo | undefined): Promise<void> {
  await tx.run({
    text: "update projects set logo = $2, logo_type = $3 where id = $1",
    values: [id, logo?.bytes ?? null, logo?.type ?? null],
  });
}

export async function findLogo(tx: Transaction, id: Id): Promise<Logo | undefined> {
  const rows = await tx.run<{ type: Logo["type"] | null; bytes: Buffer | null }>({
    text: "select logo_type as type, logo as bytes from projects where id = $1",
    values: [id],
  });
  const [row] = rows;
  return row?.type == null || row.bytes === null ? undefined : { type: row.type, bytes: row.bytes };
}
