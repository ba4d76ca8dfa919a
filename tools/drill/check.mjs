// After a scenario: what the database, the provider's own books and the merchant's inbox say of every payment of it.

import { doubledAmounts, lostPayments } from "./figures.mjs";
import { tillgate } from "./gateway.mjs";
import { query } from "./provider-database.mjs";

/** Ids are written without dashes on the wire. */
const STORED = `
  select payment_id as "paymentId", replace(request_id::text, '-', '') as "requestId", state
    from payments where payment_id = any($1)`;
const LEFT = "select amount::text as amount from sandbox.book_entries where direction = 'left'";

export async function checkScenario({ databaseUrl, providerUrl, env, book, inbox }) {
  const stored = await query(databaseUrl, STORED, [[...book.acknowledged.keys()]]);
  const lost = lostPayments(book.acknowledged, stored);
  const left = await leftAmounts(providerUrl);
  const own = new Set([...book.acknowledged.values()].map(({ amount }) => String(amount)));
  const doubled = doubledAmounts(left).filter(([amount]) => own.has(amount));
  const ended = stored.filter(({ state }) => state === "success" || state === "decline");
  const untold = ended.filter(({ requestId, state }) => inbox.finals.get(requestId)?.status !== state);
  return {
    lost: lost.length,
    doubled: doubled.length,
    callbacksLost: untold.length,
    unfinished: stored.length - ended.length,
    states: stored.map(({ state }) => state),
    unknown: await countUnknown(env),
    ledger: await checkLedger(env),
  };
}

/** What left by the provider's own books, each payout with an amount of its own. */
export async function leftAmounts(providerUrl) {
  return (await query(providerUrl, LEFT)).map(({ amount }) => amount);
}

export async function checkLedger(env) {
  try {
    await tillgate(env, "ledger", "check");
    return "correct";
  } catch (error) {
    return error.message.split("\n")[0];
  }
}

/** Payments that `attention` shows to an operator because their outcome is not known. */
async function countUnknown(env) {
  const { unknown } = JSON.parse(await tillgate(env, "attention", "--json"));
  return unknown.reduce((sum, { count }) => sum + count, 0);
}
