// What the benchmark itself reads and writes in the service's tables, in one place, since it follows the schema.
import { withDatabase } from "./projects.mjs";

/** Payments that succeeded long ago, with what each leaves in the other tables. `first` keeps their names apart. */
const STORE = `
  with made as (
    select n, uuidv7() as request_id, ($1::uuid[])[1 + n % cardinality($1::uuid[])] as project_id
      from generate_series($2::integer, $3::integer) n),
  paid as (
    insert into payments (project_id, request_id, direction, product, payment_id, body_hash, state, sequence, method, currency,
                          requested_amount, amount, received_amount, fee_bp, fee_fixed, fee, customer_id, request, provider,
                          reference, attempt_count, released_at, created_at, expires_at, finished_at)
    select project_id, request_id, 'payin', 'p2p', 'stored-' || n, sha256(n::text::bytea), 'success', 5, 'card-p2p', 'RUB',
           250000, 250000, 250000, 250, 0, 6250, 'customer-' || n % 1000, '{"customer": {"ip_address": "203.0.113.7"}}', 'sandbox',
           replace(request_id::text, '-', ''), 1, now(), now() - interval '1 day', now() - interval '1 day', now() - interval '1 day'
      from made),
  told as (
    insert into payment_history (project_id, request_id, number, to_state, event, actor)
    select project_id, request_id, number, 'success', 'stored', 'bench' from made cross join generate_series(1, 2) number),
  asked as (
    insert into attempts (project_id, request_id, number, provider, reference, outcome, ended_at)
    select project_id, request_id, 1, 'sandbox', replace(request_id::text, '-', ''), 'taken', now() from made),
  moved as (
    insert into transfers (project_id, id, currency, from_account, to_account, amount, kind, subject_id)
    select project_id, uuidv7(), 'RUB', 'clearing:sandbox', account, 1, 'stored', request_id
      from made cross join (values ('available'), ('fees')) as a (account)),
  sent as (
    insert into callbacks (project_id, id, request_id, sequence, url, origin, body, state, attempt_count, delivered_at)
    select project_id, uuidv7(), request_id, 5, 'http://127.0.0.1/', 'http://127.0.0.1', '{"status": {"status": "success"}}',
           'delivered', 1, now()
      from made)
  insert into receipts (project_id, provider, receipt_reference, request_id, amount, received_at)
  select project_id, 'sandbox', 'stored-' || n, request_id, 250000, now() from made`;

const STORE_AT_ONCE = 25_000;
const STORING_SESSIONS = 2;

/** From `from` on up to `to` payments, as they would be after years. Foreign keys hold by construction and are not checked. */
export async function storePayments(database, { projectIds, from, to }) {
  let next = from;
  const store = async (client) => {
    await client.query("set session_replication_role = replica");
    while (next < to) {
      const first = next;
      next = Math.min(to, first + STORE_AT_ONCE);
      await client.query(STORE, [projectIds, first, next - 1]);
    }
  };
  await Promise.all(Array.from({ length: STORING_SESSIONS }, () => withDatabase(database, store)));
  await withDatabase(database, (client) => client.query("vacuum analyze"));
}

/** Rows are locked in the order of their keys, as everywhere. */
const LEAVE_ALONE = `
  with made as (
    select project_id, request_id from payments where due_at is not null
     order by project_id, request_id
       for no key update)
  update payments p set due_at = null
    from made m where p.project_id = m.project_id and p.request_id = m.request_id`;

/** What was created needs no work any more: the next turn begins with an idle worker. No worker may run. */
export async function leaveAlone(client) {
  await client.query(LEAVE_ALONE);
}

const QUEUES = `
  select (select count(*) from payments where due_at <= now())::int as payments,
         (select count(*) from callbacks where due_at <= now())::int as callbacks`;

/** How many payments and callbacks are due. */
export async function readQueues(client) {
  return (await client.query(QUEUES)).rows[0];
}

const OPEN_AND_DECLINED = `
  select count(*) filter (where state like 'processing:%')::int as open,
         count(*) filter (where state = 'decline')::int as declined
    from payments where product = 'ecom' and starts_with(payment_id, $1)`;

export async function readCards(client, prefix) {
  return (await client.query(OPEN_AND_DECLINED, [prefix])).rows[0];
}

const SOME = `select replace(project_id::text, '-', '') as "projectId", payment_id as "paymentId" from payments
               where direction = 'payin' and product = 'p2p' limit $1`;

/** Pay-ins to ask for. */
export async function somePayins(client, count) {
  return (await client.query(SOME, [count])).rows;
}

const COUNT_NAMED = "select count(*)::int as count from payments where starts_with(payment_id, $1)";

export async function countNamed(client, prefix) {
  return (await client.query(COUNT_NAMED, [prefix])).rows[0].count;
}

const ISSUED = "select count(*)::int as count from payment_history where event = 'requisites_issued'";

export async function countIssued(client) {
  return (await client.query(ISSUED)).rows[0].count;
}

const CONNECTIONS = `
  select count(*)::int as count from pg_stat_activity
   where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;

/** Of the service. */
export async function readConnections(client) {
  return (await client.query(CONNECTIONS)).rows[0].count;
}

const LOG_BYTES = "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes";

/** Written ahead so far, of all databases of the server. */
export async function readLogBytes(client) {
  return (await client.query(LOG_BYTES)).rows[0].bytes;
}

const SIZES = `
  select sum(pg_total_relation_size(relid))::float8 as bytes, sum(n_dead_tup)::float8 as dead, sum(n_live_tup)::float8 as live
    from pg_stat_user_tables`;

/** Of all tables together. */
export async function readSizes(client) {
  return (await client.query(SIZES)).rows[0];
}
