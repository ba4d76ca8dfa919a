// A receiving account that very many payers were shown, and the statements of its bank: one as it is imported, with faults
// of every kind sown into it, and a later one that says otherwise here and there.

/** Of each kind of fault, one line in so many. */
const FAULT_EVERY = 100;
const AMOUNT_FIRST = 100_000;
const LIFETIME_S = 900;

/**
 * Pay-ins that wait for a transfer to one account, each of its own sum, as lending would have left them half an hour ago;
 * every hundredth was declined since, and is in quarantine. `run` runs one statement.
 */
export async function seedLentPayins(run, { projectId, accountId, count }) {
  await run(SEED, [projectId, accountId, count, AMOUNT_FIRST, FAULT_EVERY, LIFETIME_S]);
  await run(COUNT_LIVE, [accountId]);
  await run("analyze payments, attempts, lendings", []);
}

const SEED = `
  with made as (
    select gen_random_uuid() as request_id, n, n % $5 = 7 as over from generate_series(0, $3 - 1) n),
  paid as (
    insert into payments (project_id, request_id, direction, product, payment_id, body_hash, state, decline_code, sequence, method,
                          currency, requested_amount, amount, fee_bp, fee_fixed, fee, customer_id, request, provider, reference,
                          attempt_count, created_at, expires_at, deadline_at, finished_at, released_at)
    select $1, m.request_id, 'payin', 'p2p', 'statement-' || $2::uuid || '-' || m.n, '\\x00',
           case when m.over then 'decline' else 'processing:awaiting_confirm' end, case when m.over then 'cancelled' end, 3,
           'card-p2p', 'RUB', $4::bigint + m.n, $4::bigint + m.n, 250, 0, round(($4::bigint + m.n) * 0.025), 'c1',
           '{"callbackUrl":"https://shop.example/cb"}', 'pool', replace(m.request_id::text, '-', '') || '-1', 1,
           now() - interval '30 minutes', now() - interval '30 minutes' + make_interval(secs => $6), now() + interval '1 day',
           case when m.over then now() - interval '20 minutes' end, case when m.over then now() - interval '20 minutes' end
      from made m),
  told as (
    insert into payment_history (project_id, request_id, number, to_state, event, actor)
    select $1, m.request_id, 1, 'processing:new', 'created', 'merchant' from made m),
  asked as (
    insert into attempts (project_id, request_id, number, provider, reference, outcome, ended_at)
    select $1, m.request_id, 1, 'pool', replace(m.request_id::text, '-', '') || '-1', 'taken', now() - interval '30 minutes' from made m)
  insert into lendings (reference, project_id, account_id, requisite_id, method, currency, amount, lent_at, ended_at, held_until)
  select replace(m.request_id::text, '-', '') || '-1', $1::uuid, $2::uuid, (select id from requisites where account_id = $2::uuid limit 1),
         'card-p2p', 'RUB', $4::bigint + m.n, now() - interval '30 minutes',
         case when m.over then now() - interval '20 minutes' end, case when m.over then now() + interval '40 minutes' end
    from made m`;

const COUNT_LIVE = `
  update receiving_accounts set live_count = (select count(*) from lendings where account_id = $1 and ended_at is null)
   where id = $1`;

const HEADER = "booked_at,account,amount,currency,reference,payer\n";

/** How many lines of each kind `importedLines` has, for so many pay-ins. */
export function expectedImport(count) {
  const each = count / FAULT_EVERY;
  return {
    /** Pay-ins of one hundredth each had ended, or got another sum; of one hundredth the line has no reference. */
    exact: count - 3 * each,
    ended: each,
    // Another sum on an account that thousands hold, and sums that nobody was ever asked for.
    unclaimed: 2 * each,
    known: each,
    refused: each,
  };
}

/** The statement that is imported: a line for each pay-in, a hundredth of them with each kind of fault. */
export function* importedLines(code, count, bookedAt) {
  yield HEADER;
  for (let n = 0; n < count; n += 1) {
    const kind = n % FAULT_EVERY;
    const amount = kind === 11 ? 1 + n : AMOUNT_FIRST + n;
    const line = `${bookedAt},${code},${majorOf(amount)},RUB,${kind === 13 ? "" : `S-${n}`},PAYER ${n}\n`;
    yield line;
    if (kind === 17) yield line;
    if (kind === 19) yield `${bookedAt},${code},${majorOf(AMOUNT_FIRST + count + n)},RUB,U-${n},STRANGER\n`;
  }
}

/** What the bank says later of the same days: a hundredth of the lines with each difference. */
export function* differingLines(code, count, bookedAt, otherDay) {
  yield HEADER;
  for (let n = 0; n < count; n += 1) {
    const kind = n % FAULT_EVERY;
    // What was refused here is not in our record, and so not in this one either.
    if (kind === 13) continue;
    if (kind === 19) yield `${bookedAt},${code},${majorOf(AMOUNT_FIRST + count + n)},RUB,U-${n},STRANGER\n`;
    if (kind === 23) continue;
    const amount = kind === 11 ? 1 + n : AMOUNT_FIRST + n;
    const shown = kind === 29 ? amount + 1 : amount;
    const line = `${kind === 31 ? otherDay : bookedAt},${code},${majorOf(shown)},RUB,S-${n},PAYER ${n}\n`;
    yield line;
    if (kind === 37) yield line;
    if (kind === 41) yield `${bookedAt},${code},${majorOf(5)},RUB,M-${n},STRANGER\n`;
  }
}

/** Which references are to be found, and as what. */
export function expectedDifferences(count) {
  const found = { missing_there: [], amount_differs: [], other_day: [], doubled: [], missing_here: [] };
  for (let n = 0; n < count; n += FAULT_EVERY) {
    found.missing_there.push(`S-${n + 23}`);
    found.amount_differs.push(`S-${n + 29}`);
    found.other_day.push(`S-${n + 31}`);
    found.doubled.push(`S-${n + 37}`);
    found.missing_here.push(`M-${n + 41}`);
  }
  return found;
}

function majorOf(minor) {
  return `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, "0")}`;
}
