import type { Book } from "../core/book.ts";
import type { Id } from "../core/ids.ts";
import type { Transaction } from "./db.ts";

export type ProjectStatus = "active" | "paused";

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
};

export type Project = ProjectSettings & {
  readonly id: Id;
  readonly merchantId: Id;
  readonly book: Book;
  readonly createdAt: Date;
};

const COLUMNS = `id, merchant_id as "merchantId", name, book, status, scheme2_only as "scheme2Only",
  allowed_ips as "allowedIps", rate_per_second as "ratePerSecond", rate_burst as "rateBurst",
  callback_url as "callbackUrl", success_callback_url as "successCallbackUrl",
  decline_callback_url as "declineCallbackUrl", redirect_url as "redirectUrl",
  callback_signing as "callbackSigning", created_at as "createdAt"`;

export async function insertProject(
  tx: Transaction,
  project: { id: Id; merchantId: Id; name: string; book: Book },
): Promise<void> {
  await tx.run({
    text: "insert into projects (id, merchant_id, name, book) values ($1, $2, $3, $4)",
    values: [project.id, project.merchantId, project.name, project.book],
  });
}

export function listProjects(tx: Transaction): Promise<Project[]> {
  return tx.run<Project>({ text: `select ${COLUMNS} from projects order by id` });
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
                  callback_signing = $12
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
    ],
  });
}
