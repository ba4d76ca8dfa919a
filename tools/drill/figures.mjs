// What was seen, as numbers. Nothing here knows where it comes from.

/** The longest time without one of `timesMs` from `fromMs` to `toMs`, and when it began and ended. */
export function longestGap(timesMs, fromMs, toMs) {
  const inside = timesMs.filter((ms) => ms >= fromMs && ms <= toMs).sort((one, other) => one - other);
  let longest = { ms: 0, fromMs, toMs: fromMs };
  let before = fromMs;
  for (const ms of [...inside, toMs]) {
    if (ms - before > longest.ms) longest = { ms: ms - before, fromMs: before, toMs: ms };
    before = ms;
  }
  return longest;
}

/** The nearest rank; undefined of nothing. */
export function percentile(numbers, percent) {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
}

/** How often each came, the most frequent first: `[["200", 812], ["503", 40]]`. */
export function tally(words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([one, oneCount], [other, otherCount]) => otherCount - oneCount || (one < other ? -1 : 1));
}

/** Acknowledged payments that the database does not have under the same id. */
export function lostPayments(acknowledged, stored) {
  const known = new Map(stored.map(({ paymentId, requestId }) => [paymentId, requestId]));
  return [...acknowledged].filter(([paymentId, { requestId }]) => known.get(paymentId) !== requestId);
}

/** Of amounts that each belong to one payout: those that left more than once. */
export function doubledAmounts(amounts) {
  return tally(amounts.map(String)).filter(([, count]) => count > 1);
}
