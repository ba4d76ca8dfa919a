import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Id } from "../../core/ids.ts";
import { feeOf } from "../../core/payments/fees.ts";
import { listBalances } from "../../store/ledger/balances.ts";
import { endMembership } from "../../store/people/memberships.ts";
import { credit, minor } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { cardFile, openBatchRig, RIG_FEE_BP, type Shop } from "../../testing/rigs/batch-rig.ts";
import { shortIt, sizeOf } from "../../testing/run/run-form.ts";
import type { CreatePayments } from "../payments/create-payments.ts";
import { makeSomePayouts } from "./make-batches.ts";

const { db } = useTestDatabase();
const rig = openBatchRig(db);
const { deps, check, confirm, makeAll, endLeases, rowsOf, stateOf, countPayouts } = rig;

async function aChecked(shop: Shop, text: string): Promise<Id> {
  const checked = await check(shop, text);
  if (checked.kind !== "checked") throw new Error(JSON.stringify(checked));
  return checked.id;
}

async function aConfirmed(shop: Shop, text: string): Promise<Id> {
  const id = await aChecked(shop, text);
  expect(await confirm(shop, id)).toEqual({ ok: true, value: { state: "making" } });
  return id;
}

async function statesOf(id: Id): Promise<string> {
  return (await rowsOf(id)).map(({ state, code }) => (code === null ? state : `${state} ${code}`)).join(", ");
}

async function balanceOf({ projectId }: Shop): Promise<readonly [bigint, bigint]> {
  const [balance] = await listBalances(db, [projectId]);
  return [balance?.available ?? 0n, balance?.locked ?? 0n];
}

/** Creates, but with something before or after each. */
function creating(
  around: (create: () => ReturnType<CreatePayments["payout"]>) => ReturnType<CreatePayments["payout"]>,
) {
  return {
    creates: { ...deps.creates, payout: (payout) => around(() => deps.creates.payout(payout)) } as CreatePayments,
  };
}

describe("a confirmed batch", () => {
  shortIt("becomes a payout for each row, with the money held, in the order of the file", async () => {
    const shop = await rig.aShop();
    // Enough for the first and the third: the second is too much, and the fourth is over what is left.
    await credit(db, shop.projectId, 40_400);
    const id = await aConfirmed(shop, cardFile([20_000, 50_000, 20_000, 1_000]));
    await makeAll();
    expect(await statesOf(id)).toBe("made, refused insufficient_balance, made, refused insufficient_balance");
    expect(await balanceOf(shop)).toEqual([0n, 40_400n]);
    expect([await stateOf(id), await countPayouts(shop)]).toEqual(["done", 2]);
    const [first] = await db.run<Record<string, unknown>>({
      text: `select p.payment_id, p.amount, p.fee, p.request, p.product, p.method from payments p
              join payout_batch_rows r on r.project_id = p.project_id and r.request_id = p.request_id
             where r.batch_id = $1 and r.line = 2`,
      values: [id],
    });
    expect(first).toMatchObject({ amount: 20_000n, fee: 200n, product: "p2p", method: "card-p2p" });
    expect(first?.payment_id).toBe(`hand-${id.slice(-16)}-2`);
    expect(first?.request).toMatchObject({ description: "row 0", customer: { ip_address: "192.0.2.7" } });
    await endLeases();
    await makeAll();
    expect(await countPayouts(shop)).toBe(2);
  });

  shortIt(
    "is taken up again where a process died after payouts were created and before it wrote that down",
    async () => {
      const shop = await rig.aShop();
      await credit(db, shop.projectId, 1_000_000);
      const id = await aConfirmed(shop, cardFile(Array.from({ length: 60 }, (_, n) => 1_000 + n)));
      const dying = { ...db, transaction: () => Promise.reject(new Error("killed")) };
      await expect(makeSomePayouts({ ...deps, db: dying })).rejects.toThrow("killed");
      expect([await countPayouts(shop), await stateOf(id)]).toEqual([50, "making"]);
      // Its lease keeps the others off until it ends.
      expect(await makeSomePayouts(deps)).toBe(false);
      await endLeases();
      await makeAll();
      expect([await countPayouts(shop), await stateOf(id)]).toEqual([60, "done"]);
      expect(new Set(await statesOf(id).then((text) => text.split(", ")))).toEqual(new Set(["made"]));
      const sum = Array.from({ length: 60 }, (_, n) => BigInt(1_000 + n)).reduce((all, amount) => all + amount, 0n);
      expect((await balanceOf(shop))[1]).toBeGreaterThanOrEqual(sum);
    },
  );

  shortIt("leaves a row waiting that the database could not write, and makes it once later", async () => {
    const shop = await rig.aShop();
    await credit(db, shop.projectId, 1_000_000);
    const id = await aConfirmed(shop, cardFile([1_000, 2_000, 3_000]));
    let calls = 0;
    const flaky = creating(async (create) => {
      calls += 1;
      const isSecond = calls === 2;
      const created = await create();
      // Committed, and the answer was lost.
      if (isSecond) throw new Error("connection lost");
      return created;
    });
    expect(await makeSomePayouts({ ...deps, ...flaky })).toBe(true);
    expect([await statesOf(id), await countPayouts(shop)]).toEqual(["made, waiting, made", 3]);
    await endLeases();
    await makeAll();
    expect([await statesOf(id), await countPayouts(shop), await stateOf(id)]).toEqual(["made, made, made", 3, "done"]);
  });

  shortIt("is paid once by two processes that work on it at the same time", async () => {
    const shop = await rig.aShop();
    await credit(db, shop.projectId, 1_000_000);
    const id = await aConfirmed(shop, cardFile(Array.from({ length: 20 }, (_, n) => 1_000 + n)));
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const slow = makeSomePayouts({
      ...deps,
      ...creating(async (create) => {
        await gate;
        return create();
      }),
    });
    await expect.poll(() => makeSomePayouts(deps)).toBe(false);
    await endLeases();
    const fast = makeSomePayouts(deps);
    open();
    await Promise.all([slow, fast]);
    await endLeases();
    await makeAll();
    expect([await countPayouts(shop), await stateOf(id)]).toEqual([20, "done"]);
    expect((await rowsOf(id)).every(({ state }) => state === "made")).toBe(true);
  });

  shortIt("does not take the payout of another batch, with the same payment_id and terms, for its own", async () => {
    const shop = await rig.aShop();
    await credit(db, shop.projectId, 1_000_000);
    const fileOf = (rest: string) =>
      `payment_id,method,currency,amount,pan\norder-1,card-p2p,RUB,10.00,4242424242424242\n${rest}`;
    // Both are checked before either waits to be made. The second row only makes them two files.
    const first = await aChecked(shop, fileOf("order-2,card-p2p,RUB,11.00,4242424242424242\n"));
    const second = await aChecked(shop, fileOf("order-3,card-p2p,RUB,12.00,4242424242424242\n"));
    for (const id of [first, second]) expect((await confirm(shop, id)).ok).toBe(true);
    await makeAll();
    expect([await statesOf(first), await statesOf(second)]).toEqual([
      "made, made",
      "refused payment_id_conflict, made",
    ]);
    expect(await countPayouts(shop)).toBe(3);
  });

  shortIt.each(["refusal first", "payout first"])(
    "shows a payout that was made, also where another process was refused: %s",
    async (order) => {
      const shop = await rig.aShop();
      const id = await aConfirmed(shop, cardFile([5_000]));
      let open: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => {
        open = resolve;
      });
      let wasRefused = false;
      const refused = makeSomePayouts({
        ...deps,
        ...creating(async (create) => {
          const answer = await create();
          wasRefused = !answer.ok;
          await gate;
          return answer;
        }),
      });
      await expect.poll(() => wasRefused).toBe(true);
      await credit(db, shop.projectId, 100_000);
      await endLeases();
      const paid = makeSomePayouts({
        ...deps,
        ...creating(async (create) => {
          const answer = await create();
          if (order === "refusal first") {
            open();
            await refused;
          }
          return answer;
        }),
      });
      await paid;
      open();
      await refused;
      expect([await statesOf(id), await countPayouts(shop), await stateOf(id)]).toEqual(["made", 1, "done"]);
    },
  );

  shortIt("goes on no further once its author was removed from the team", async () => {
    const shop = await rig.aShop();
    await credit(db, shop.projectId, 1_000_000);
    const id = await aConfirmed(shop, cardFile(Array.from({ length: 55 }, () => 1_000)));
    expect(await makeSomePayouts(deps)).toBe(true);
    await db.transaction((tx) => endMembership(tx, shop.merchantId, shop.author.id));
    await endLeases();
    await makeAll();
    const states = await rowsOf(id);
    expect([states.filter(({ state }) => state === "made").length, await stateOf(id)]).toEqual([50, "done"]);
    expect(new Set(states.slice(50).map(({ code }) => code))).toEqual(new Set(["author_left"]));
    expect(await countPayouts(shop)).toBe(50);
  });

  shortIt("does not let a large one keep a small one waiting", async () => {
    const [large, small] = [await rig.aShop(), await rig.aShop()];
    for (const shop of [large, small]) await credit(db, shop.projectId, 10_000_000);
    await aConfirmed(large, cardFile(Array.from({ length: 160 }, () => 1_000)));
    const id = await aConfirmed(small, cardFile([1_000]));
    for (let looks = 0; looks < 2; looks += 1) await makeSomePayouts(deps);
    expect(await stateOf(id)).toBe("done");
    await makeAll();
  });
});

it("holds exactly what it made: made and refused are all rows, for any amounts and balance", async () => {
  const amounts = fc.array(fc.integer({ min: 100, max: 50_000 }), { minLength: 1, maxLength: 70 });
  await fc.assert(
    fc.asyncProperty(amounts, fc.integer({ min: 0, max: 600_000 }), async (wanted, balance) => {
      const shop = await rig.aShop();
      if (balance > 0) await credit(db, shop.projectId, balance);
      const id = await aConfirmed(shop, cardFile(wanted));
      await makeAll();
      const rows = await rowsOf(id);
      const made = wanted.filter((_, index) => rows[index]?.state === "made").map(minor);
      const cost = made.reduce(
        (sum, amount) => sum + amount + feeOf(amount, { basisPoints: RIG_FEE_BP, fixed: minor(0) }),
        0n,
      );
      expect(rows).toHaveLength(wanted.length);
      expect(rows.every(({ state }) => state === "made" || state === "refused")).toBe(true);
      expect(await countPayouts(shop)).toBe(made.length);
      expect(await balanceOf(shop)).toEqual([BigInt(balance) - cost, cost]);
      expect(await stateOf(id)).toBe("done");
    }),
    { numRuns: sizeOf({ short: 6, long: 60 }) },
  );
});
