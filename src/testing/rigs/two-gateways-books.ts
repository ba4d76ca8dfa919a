import { expect, vi } from "vitest";
import type { Line, TwoGateways } from "./two-gateways.ts";

/** By currency, in minor units. */
type Sums = Readonly<Record<string, bigint>>;

/** What A says that it has at B: its clearing account for the provider, with the sign turned. */
async function clearingOf({ a }: Pick<TwoGateways, "a">, { code }: Line): Promise<Sums> {
  const rows = await a.database.db.run<{ currency: string; sum: string }>({
    text: "select currency, (-sum(amount))::text as sum from entries where account = $1 group by currency",
    values: [`clearing:${code}`],
  });
  return withoutZeros(rows.map(({ currency, sum }) => [currency, BigInt(sum)]));
}

/** What B says that A has there, but for what A had at the beginning. */
async function balanceOf({ account, fundsAtB }: Line): Promise<Sums> {
  const { json } = await account.post("/api/v1/balance/info", { general: { project_id: account.projectId } });
  const lines = json.balance ?? [];
  return withoutZeros(
    lines.map(({ currency, amount, locked_amount }) => [
      currency,
      BigInt(amount) + BigInt(locked_amount) - (currency === "RUB" ? BigInt(fundsAtB) : 0n),
    ]),
  );
}

function withoutZeros(sums: readonly (readonly [string, bigint])[]): Sums {
  return Object.fromEntries(sums.filter(([, sum]) => sum !== 0n));
}

const WAIT = { timeout: 60_000, interval: 50 };

/** Until A's books of B are B's books of A, to the kopeck. Answers the sums. */
export function untilBooksAgree(gateways: Pick<TwoGateways, "a">, line: Line): Promise<Sums> {
  return vi.waitFor(async () => {
    const [ours, theirs] = [await clearingOf(gateways, line), await balanceOf(line)];
    expect(ours).toEqual(theirs);
    return ours;
  }, WAIT);
}
