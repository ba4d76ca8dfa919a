import { cardRowOf, newPageToken } from "../../src/app/cards/card-secrets.ts";
import { openCreatePayments } from "../../src/app/payments/create-payments.ts";
import { sealReceiver, sealRequisites } from "../../src/app/payments/payment-secrets.ts";
import type { Id } from "../../src/core/ids.ts";
import { newId } from "../../src/platform/new-id.ts";
import type { Keyring } from "../../src/platform/secrets.ts";
import { insertCardPayins } from "../../src/store/cards/card-payins.ts";
import type { Database } from "../../src/store/db.ts";
import { aMember, type TestMember } from "../../src/testing/account-client.ts";
import { aCallback } from "../../src/testing/builders/callbacks.ts";
import { aChunk, anAnsweredCall } from "../../src/testing/builders/logged-calls.ts";
import { aNewPayin, ratesOf } from "../../src/testing/builders/new-payments.ts";
import { aCardPayin, aPayin, aPayout, ISSUED, receive } from "../../src/testing/builders/payments.ts";
import { aProject, credit, rsaKeyOf } from "../../src/testing/builders/projects.ts";
import { HOSTILE_ALL, HOSTILE_NAME, HOSTILE_SHORT, HOSTILE_TEXTS } from "./hostile-texts.ts";

/** A merchant whose every text is hostile, as the database holds it: what the doors would refuse is in it too. */
export type HostileWorld = {
  readonly merchantId: Id;
  readonly projectId: Id;
  readonly owner: TestMember;
  /** Of screens that show one thing: which. */
  readonly payinId: Id;
  readonly cardId: Id;
  readonly payoutId: Id;
  readonly batchId: Id;
  readonly callId: Id;
};

export async function aHostileWorld(db: Database, keyring: Keyring): Promise<HostileWorld> {
  const { merchantId, projectId } = await aProject(db, "live");
  await aProject(db, "test", merchantId);
  const owner = await aMember(db, merchantId, "owner");
  const colleague = await aMember(db, merchantId, "viewer");
  await hostilePayments(db, projectId);
  const { requestId: payinId } = await aPayin(db, ISSUED, { projectId, paymentId: "hostile-payin" });
  await receive(db, { projectId, requestId: payinId }, 1000);
  const { requestId: payoutId } = await aPayout(db, ["claimed", "approved"], {
    projectId,
    paymentId: "hostile-payout",
  });
  const card = await aCardPayin(db, [], { projectId, paymentId: "hostile-card" });
  const row = { ...cardRowOf(keyring, card, "4242424242424242", newPageToken()), brand: HOSTILE_SHORT.slice(0, 32) };
  await db.transaction((tx) => insertCardPayins(tx, [row], 600));
  await credit(db, projectId, 5_000);
  const url = `https://shop.example/${HOSTILE_ALL.slice(0, 1_500)}`;
  for (const requestId of [payinId, payoutId]) {
    const wish = {
      requestId,
      sequence: 9,
      state: "dead",
      attempts: [500, HOSTILE_SHORT],
      answer: HOSTILE_ALL,
    } as const;
    const callback = await aCallback(db, projectId, wish);
    const values = [callback.id, url, JSON.stringify({ [HOSTILE_NAME]: HOSTILE_ALL })];
    await db.run({ text: "update callbacks set url = $2, body = $3 where id = $1", values });
  }
  const key = await rsaKeyOf(db, { merchantId, projectId, book: "live" });
  await writeOver(db, [
    ["update api_keys set label = $2, not_after = now() + interval '2 days' where id = $1", [key.id, HOSTILE_NAME]],
    ["update merchants set name = $2 where id = $1", [merchantId, HOSTILE_NAME]],
    [
      "update projects set name = $2, callback_url = $3, redirect_url = $3 where merchant_id = $1",
      [merchantId, HOSTILE_NAME, url],
    ],
    ["update projects set widget_origins = array[$2] where id = $1", [projectId, HOSTILE_SHORT]],
    ["update people set name = $2 where id = $1", [owner.personId, HOSTILE_NAME]],
    [
      "update people set name = $2, email = lower($3) where id = $1",
      [colleague.personId, HOSTILE_NAME, `${HOSTILE_NAME}@x.y`],
    ],
    [
      `insert into invitations (id, merchant_id, email, role, token_hash, invited_by, expires_at)
       values ($2, $1, lower($3), 'viewer', sha256('1'), $3, now() + interval '1 day')`,
      [merchantId, newId(), HOSTILE_NAME],
    ],
    [
      `insert into sessions (id, person_id, token_hash, merchant_id, awaits_factor, address, user_agent, expires_at)
       values ($2, $1, sha256('2'), null, false, $3, $4, now() + interval '1 hour')`,
      [owner.personId, newId(), HOSTILE_SHORT, HOSTILE_NAME],
    ],
    [
      `insert into passkeys (id, person_id, credential_id, public_key, sign_count, name) values ($2, $1, '\\x01', '\\x01', 0, $3)`,
      [owner.personId, newId(), HOSTILE_SHORT],
    ],
    [`insert into disabled_callback_urls (project_id, url_hash, url) values ($1, sha256('x'), $2)`, [projectId, url]],
    [
      `insert into audit_log (id, merchant_id, actor_kind, actor, address, action, subject, before, after)
       values ($2, $1, 'operator', $3, $4, 'settings.look', $5, $6, $7)`,
      [
        ...[merchantId, newId(), HOSTILE_NAME, HOSTILE_SHORT, HOSTILE_ALL.slice(0, 512)],
        ...[JSON.stringify({ [HOSTILE_NAME]: null }), JSON.stringify({ [HOSTILE_NAME]: HOSTILE_ALL })],
      ],
    ],
    ["update banks set name = left($1, 60) || symbol where not is_sbp_bank", [HOSTILE_NAME.slice(0, 20)]],
    [
      `update payments set status_description = $2, customer_id = $3, request = request || $4::jsonb where project_id = $1`,
      [projectId, HOSTILE_ALL, HOSTILE_SHORT, JSON.stringify(hostileRequest())],
    ],
    ["update payments set requisites = $2 where request_id = $1", [payinId, sealedRequisites(keyring, payinId)]],
    ["update payments set receiver = $2 where request_id = $1", [payoutId, sealedReceiver(keyring, payoutId)]],
  ]);
  const batchId = await aHostileBatch(db, { merchantId, projectId }, colleague);
  const callId = await aHostileCall(db, projectId);
  return { merchantId, projectId, owner, payinId, payoutId, cardId: card.requestId, batchId, callId };
}

/** A file of payouts by a colleague, with a row that was refused. */
async function aHostileBatch(
  db: Database,
  { merchantId, projectId }: Pick<HostileWorld, "merchantId" | "projectId">,
  { personId }: TestMember,
): Promise<Id> {
  const id = newId();
  await writeOver(db, [
    [
      `insert into payout_batches (project_id, id, merchant_id, book, source, file_name, content_hash, state, row_count,
                                   repeated_count, author, author_address)
       values ($1, $2, $3, 'live', 'file', $4, sha256('3'), 'checked', 1, 1, $5, $6)`,
      [projectId, id, merchantId, HOSTILE_NAME, personId, HOSTILE_SHORT],
    ],
    [
      `insert into payout_batch_rows (project_id, batch_id, line, payment_id, method, currency, amount, expected_fee, description,
                                      customer_id, receiver, mask, bank)
       values ($1, $2, 1, $3, 'card-p2p', 'RUB', 1000, 25, $3, $4, '\\x01', $4, $4)`,
      [projectId, id, HOSTILE_NAME, HOSTILE_SHORT],
    ],
    [
      "update payout_batch_rows set state = 'refused', error_code = $3, error = $4 where project_id = $1 and batch_id = $2",
      [projectId, id, HOSTILE_SHORT, HOSTILE_ALL.slice(0, 1_000)],
    ],
    [
      `update payout_batches set state = 'awaiting_approval', confirmed_at = now(), approval_needed = true
        where project_id = $1 and id = $2`,
      [projectId, id],
    ],
  ]);
  return id;
}

/** What the log keeps of a call of the merchant's server; its path and its code are words of ours. */
async function aHostileCall(db: Database, projectId: Id): Promise<Id> {
  const said = Object.fromEntries(HOSTILE_TEXTS.map((text, place) => [`${text.slice(0, 60)}${place}`, text]));
  const general = { project_id: HOSTILE_SHORT, payment_id: `${HOSTILE_SHORT} call` };
  const body = Buffer.from(JSON.stringify({ general, payment: { description: HOSTILE_ALL }, ...said }));
  const answer = JSON.stringify({ status: "error", status_description: HOSTILE_ALL, code: "wrong_state", ...said });
  const call = anAnsweredCall({
    ...{ code: "wrong_state", status: 409, address: HOSTILE_SHORT, answer, body, bodySize: body.length },
  });
  await aChunk(db, projectId, "errors", [call]);
  return call.id as Id;
}

/** One for each text, since the ids of a list are shown beside each other. */
async function hostilePayments(db: Database, projectId: Id): Promise<void> {
  const create = openCreatePayments(db);
  for (const text of HOSTILE_TEXTS) {
    const payin = aNewPayin(projectId, { ...ratesOf(250), paymentId: text, customerId: text.slice(0, 64) });
    const created = await create.payin(payin);
    if (!created.ok) throw new Error(created.error);
  }
}

function hostileRequest(): object {
  return {
    description: HOSTILE_ALL,
    customer: { id: HOSTILE_SHORT, first_name: HOSTILE_NAME, last_name: HOSTILE_NAME, email: HOSTILE_NAME },
    callbackUrl: HOSTILE_ALL,
    redirectUrl: `javascript:hostile=1`,
  };
}

function sealedRequisites(keyring: Keyring, id: Id): Buffer {
  const texts = { value: HOSTILE_NAME, holder: HOSTILE_NAME, bank: HOSTILE_NAME, bankName: HOSTILE_NAME };
  return sealRequisites(keyring, id, { type: "link", ...texts });
}

function sealedReceiver(keyring: Keyring, id: Id): Buffer {
  return sealReceiver(keyring, id, {
    type: "account",
    accountNumber: HOSTILE_NAME,
    bank: HOSTILE_NAME,
    name: HOSTILE_NAME,
  });
}

/** Past the triggers that keep history, and past what the doors would let in. */
async function writeOver(db: Database, writes: readonly (readonly [text: string, values: readonly unknown[]])[]) {
  await db.transaction(async (tx) => {
    for (const [text, values] of writes) await tx.run({ text, values });
  });
}
