// Payments of ten merchants over ninety days, one in ten of them the merchant's whose account is measured.
import { withDatabase } from "./kit/projects.mjs";

const MERCHANTS = 10;
const DAYS = 90;
const AT_ONCE = 25_000;
const SESSIONS = 2;

const ADD_MERCHANTS = `
  with merchant as (
    insert into merchants (id, name) select gen_random_uuid(), 'Merchant ' || n from generate_series(1, $1::int) n
    returning id, name),
  project as (
    -- The first has two projects.
    insert into projects (id, merchant_id, name, book)
    select gen_random_uuid(), m.id, 'Web ' || n, 'test'
      from merchant m cross join generate_series(1, 2) n where n = 1 or m.name = 'Merchant 1'
    returning id, merchant_id, name)
  select replace(p.id::text, '-', '') as id, p.name, m.name as merchant
    from project p join merchant m on m.id = p.merchant_id order by m.name = 'Merchant 1' desc, p.name`;

/**
 * Seven in ten succeeded, one in four was declined, few are under way, and fewer still in dispute; one in ten is a payout.
 * A quarter of the first merchant's are its second project's.
 */
const STORE = `
  with made as (
    select n, case when n % ${MERCHANTS} <> 0 then ($1::uuid[])[2 + n % ${MERCHANTS}]
                   when n % ${4 * MERCHANTS} = 0 then ($1::uuid[])[2] else ($1::uuid[])[1] end as project_id,
           now() - ($4::bigint - n) * make_interval(secs => ${DAYS * 86_400}.0 / $4::bigint) as created_at,
           uuidv7(($4::bigint - n) * make_interval(secs => -${DAYS * 86_400}.0 / $4::bigint)) as request_id,
           case when h % 1000 < 700 then 'success' when h % 1000 < 970 then 'decline'
                when h % 1000 < 998 then 'processing:awaiting_confirm' else 'dispute:no_payment' end as state,
           case when h / 1000 % 10 = 0 then 'payout' else 'payin' end as direction,
           (array['RUB', 'RUB', 'RUB', 'KZT', 'UZS'])[1 + h / 10000 % 5] as currency,
           (array['card-p2p', 'sbp-p2p', 'card-ecom'])[1 + h / 50000 % 3] as method,
           1000 + h % 1000000 as amount, 'customer-' || h / 7 % 50000 as customer_id
      from (select n, abs(hashint8(n)::bigint) as h from generate_series($2::bigint, $3::bigint) n) numbered),
  paid as (
    insert into payments (project_id, request_id, direction, product, payment_id, body_hash, state, decline_code, sequence,
                          method, currency, requested_amount, amount, received_amount, fee_bp, fee_fixed, fee, customer_id,
                          request, requisites, provider, reference, attempt_count, released_at, created_at, updated_at,
                          expires_at, finished_at)
    select project_id, request_id, direction, 'p2p', 'order-' || n, sha256(n::text::bytea), state,
           case when state = 'decline' then 'cancelled' end, 5, method, currency, amount, amount,
           case when state = 'success' then amount else 0 end, 250, 0, amount / 40, customer_id,
           '{"customer": {"ip_address": "203.0.113.7"}, "callbackUrl": "https://shop.example/callbacks"}',
           sha512(n::text::bytea) || sha512(n::text::bytea), 'sandbox', 'r' || replace(request_id::text, '-', ''), 1, created_at,
           created_at, created_at + interval '3 minutes', created_at + interval '15 minutes',
           case when state in ('success', 'decline') then created_at + interval '3 minutes' end
      from made),
  asked as (
    insert into attempts (project_id, request_id, number, provider, reference, outcome, ended_at)
    select project_id, request_id, 1, 'sandbox', 'r' || replace(request_id::text, '-', ''), 'taken', created_at from made),
  told as (
    insert into payment_history (project_id, request_id, number, to_state, event, actor, created_at)
    select project_id, request_id, number, state, 'stored', 'worker', created_at
      from made cross join generate_series(1, 3) number),
  sent as (
    insert into callbacks (project_id, id, request_id, sequence, url, origin, body, state, attempt_count, created_at,
                           delivered_at, first_started_at, first_latency_ms, first_status)
    select project_id, uuidv7(created_at - now()), request_id, 5, 'https://shop.example/callbacks', 'https://shop.example',
           '{"status": {"status": "success"}}', 'delivered', 1, created_at, created_at, created_at, 12, 200
      from made)
  insert into transfers (project_id, id, currency, from_account, to_account, amount, kind, subject_id, created_at)
  select m.project_id, uuidv7(m.created_at + interval '3 minutes' - now()), m.currency, l.source, l.target, l.amount, l.kind,
         m.request_id, m.created_at + interval '3 minutes'
    from made m cross join lateral (values
      ('payin', 'clearing:sandbox', 'available', m.amount - m.amount / 40, 'settle'),
      ('payin', 'clearing:sandbox', 'fees', m.amount / 40, 'fee'),
      ('payout', 'clearing:manual', 'available', m.amount + m.amount / 40, 'credit'),
      ('payout', 'available', 'locked', m.amount + m.amount / 40, 'hold'),
      ('payout', 'locked', 'clearing:sandbox', m.amount, 'capture'),
      ('payout', 'locked', 'fees', m.amount / 40, 'capture')) as l (direction, source, target, amount, kind)
   where m.state = 'success' and l.direction = m.direction`;

const BALANCES = `
  insert into balances (project_id, currency, available, locked)
  select project_id, currency, sum(amount) filter (where account = 'available'), sum(amount) filter (where account = 'locked')
    from (select project_id, currency, account, coalesce(sum(amount), 0) as amount from entries
           where project_id = any($1::uuid[]) and account in ('available', 'locked')
           group by project_id, currency, account) sums
   group by project_id, currency`;

/** Answers the measured merchant's projects. Foreign keys hold by construction and are not checked. */
export async function storeAccounts(database, count) {
  const projects = await withDatabase(
    database,
    async (client) => (await client.query(ADD_MERCHANTS, [MERCHANTS])).rows,
  );
  const ids = projects.map(({ id }) => id);
  let next = 1;
  const store = async (client) => {
    await client.query("set session_replication_role = replica; set synchronous_commit = off");
    while (next <= count) {
      const first = next;
      next = Math.min(count + 1, first + AT_ONCE);
      await client.query(STORE, [ids, first, next - 1, count]);
    }
  };
  await Promise.all(Array.from({ length: SESSIONS }, () => withDatabase(database, store)));
  await withDatabase(database, async (client) => {
    await client.query(BALANCES, [ids]);
    await client.query("vacuum analyze");
  });
  return projects.slice(0, 2).map(({ id, name }) => ({ id, name, book: "test" }));
}
