import type { Id } from "../../core/ids.ts";
import type { Database, Transaction } from "../db.ts";
import type { PaymentKey } from "../payments/payments.ts";

/** What is stored of the card of a pay-in: its mask and its brand. The number, the holder, the expiry and the CVV are not stored. */
export type CardPayinRow = PaymentKey & {
  readonly mask: string;
  readonly brand: string;
  readonly pageToken: Buffer;
  readonly pageTokenHash: Buffer;
};

/** On a hosted page each choice of the payer has a card of its own, with the number of the choice; otherwise it is 1. */
export type NumberedCard = CardPayinRow & { readonly number: number };

export type StoredCardPayin = NumberedCard & {
  readonly challenge: Buffer | null;
  readonly pageOpenedAt: Date | null;
};

const COLUMNS = `project_id as "projectId", request_id as "requestId", number, mask, brand,
  page_token as "pageToken", page_token_hash as "pageTokenHash", challenge, page_opened_at as "pageOpenedAt"`;

/** In the transaction that noted the payer's choice. The worker looks only after `patienceS`. */
export async function insertCardPayins(
  tx: Transaction,
  rows: readonly (CardPayinRow & { readonly number?: number })[],
  patienceS: number,
): Promise<void> {
  await tx.run({
    name: "insert_card_payins",
    text: `with inserted as (
             insert into card_payins (project_id, request_id, mask, brand, page_token, page_token_hash, number)
             select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bytea[], $6::bytea[], $8::smallint[])
             returning project_id, request_id)
           update payments p set due_at = now() + make_interval(secs => $7)
             from inserted i where p.project_id = i.project_id and p.request_id = i.request_id`,
    values: [
      rows.map((row) => row.projectId),
      rows.map((row) => row.requestId),
      rows.map((row) => row.mask),
      rows.map((row) => row.brand),
      rows.map((row) => row.pageToken),
      rows.map((row) => row.pageTokenHash),
      patienceS,
      rows.map((row) => row.number ?? 1),
    ],
  });
}

/** The present one: each choice of a hosted page's payer has a card of its own. */
export async function findCardPayin(
  db: Pick<Database, "run">,
  projectId: Id,
  requestId: Id,
): Promise<StoredCardPayin | undefined> {
  const rows = await db.run<StoredCardPayin>({
    name: "find_card_payin",
    text: `select ${COLUMNS} from card_payins where project_id = $1 and request_id = $2
            order by number desc limit 1`,
    values: [projectId, requestId],
  });
  return rows[0];
}

export async function findCardPayinOfPage(
  db: Pick<Database, "run">,
  pageTokenHash: Buffer,
): Promise<StoredCardPayin | undefined> {
  const rows = await db.run<StoredCardPayin>({
    name: "find_card_payin_of_page",
    text: `select ${COLUMNS} from card_payins where page_token_hash = $1`,
    values: [pageTokenHash],
  });
  return rows[0];
}

/** Where the payer of the present card goes on. */
export type NewChallenge = PaymentKey & { readonly number: number; readonly challenge: Buffer };

export async function saveChallenges(tx: Transaction, challenges: readonly NewChallenge[]): Promise<void> {
  await tx.run({
    name: "save_challenges",
    text: `update card_payins c set challenge = n.challenge
             from unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::smallint[]) as n (project_id, request_id, challenge, number)
            where c.project_id = n.project_id and c.request_id = n.request_id and c.number = n.number`,
    values: [
      challenges.map((each) => each.projectId),
      challenges.map((each) => each.requestId),
      challenges.map((each) => each.challenge),
      challenges.map((each) => each.number),
    ],
  });
}

/** The payer came through our page. */
export async function markPageOpened(
  db: Pick<Database, "run">,
  { projectId, requestId, number }: PaymentKey & { readonly number: number },
): Promise<void> {
  await db.run({
    name: "mark_page_opened",
    text: `update card_payins set page_opened_at = coalesce(page_opened_at, now())
            where project_id = $1 and request_id = $2 and number = $3`,
    values: [projectId, requestId, number],
  });
}
