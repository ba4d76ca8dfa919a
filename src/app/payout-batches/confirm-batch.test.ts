import { describe, expect, it } from "vitest";
import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import { endMembership, saveRole } from "../../store/people/memberships.ts";
import { credit, minor, RUB } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { cardFile, openBatchRig, type PersonActor, type Shop } from "../../testing/rigs/batch-rig.ts";
import { setApprovalLimit } from "./approval-limits.ts";
import { approveBatch, refuseBatch, withdrawBatch } from "./decide-batch.ts";

const { db } = useTestDatabase();
const rig = openBatchRig(db);
const { check, confirm, makeAll, stateOf, countPayouts } = rig;

async function aChecked(shop: Shop, text: string, by?: PersonActor): Promise<Id> {
  const checked = await check(shop, text, by);
  if (checked.kind !== "checked") throw new Error(JSON.stringify(checked));
  return checked.id;
}

async function limited(shop: Shop, amount: number | null, currency: Currency = RUB): Promise<void> {
  const actor = await rig.aPerson(shop, "owner");
  const limit = { currency, amount: amount === null ? null : minor(amount) };
  await setApprovalLimit(db, { merchantId: shop.merchantId, actor }, limit);
}

function codeOf(result: { readonly ok: boolean; readonly error?: { readonly code: string } }): string {
  return result.ok ? "ok" : (result.error?.code ?? "");
}

const wishOf = (shop: Shop, id: Id, actor: PersonActor) => ({
  merchantId: shop.merchantId,
  actor,
  id,
  now: new Date(),
});

describe("the same file", () => {
  it("pays once: also when two people confirm it at the same moment", async () => {
    const shop = await rig.aShop();
    await credit(db, shop.projectId, 1_000_000);
    const other = await rig.aPerson(shop);
    const text = cardFile([1_000, 2_000]);
    // Two drafts: neither is confirmed when the other is checked.
    const drafts = [
      { id: await aChecked(shop, text), by: shop.author },
      { id: await aChecked(shop, text, other), by: other },
    ];
    const answers = await Promise.all(drafts.map(({ id, by }) => confirm(shop, id, by)));
    expect(answers.map(codeOf).sort()).toEqual(["ok", "same_file"]);
    await makeAll();
    expect(await countPayouts(shop)).toBe(2);
    const confirmed = drafts[answers.findIndex(({ ok }) => ok)]?.id;
    // However it is saved, and in whichever order.
    const saved = text.replaceAll(",", ";").replaceAll("\n", "\r\n");
    const [head, first, second] = text.trim().split("\n");
    for (const again of [text, `\uFEFF${saved}`, [head, second, first].join("\n")])
      expect(await check(shop, again)).toEqual({ kind: "same_file", id: confirmed });
    // Another project, or another description, is another file.
    expect((await check(await rig.aShop(), text)).kind).toBe("checked");
    expect((await check(shop, cardFile([1_000, 2_000], " of May"))).kind).toBe("checked");
  });

  it("may be paid after it was withdrawn", async () => {
    const shop = await rig.aShop();
    const text = cardFile([1_000]);
    const first = await aChecked(shop, text);
    expect(codeOf(await withdrawBatch(db, wishOf(shop, first, shop.author)))).toBe("ok");
    expect(codeOf(await confirm(shop, first))).toBe("wrong_state");
    expect(codeOf(await confirm(shop, await aChecked(shop, text)))).toBe("ok");
  });
});

describe("a second person", () => {
  it("is needed above the limit, and splitting the sum does not avoid it, even at the same moment", async () => {
    const shop = await rig.aShop();
    await limited(shop, 10_000);
    const small = await Promise.all([1, 2, 3, 4].map((n) => aChecked(shop, cardFile([4_000], ` ${n}`))));
    const states = await Promise.all(small.map((id) => confirm(shop, id)));
    const found = states.map((state) => (state.ok ? state.value.state : state.error.code)).sort();
    expect(found).toEqual(["awaiting_approval", "awaiting_approval", "making", "making"]);
    // What another person makes is counted for that person.
    const other = await rig.aPerson(shop);
    const theirs = await aChecked(shop, cardFile([10_000], " of other"), other);
    expect(await confirm(shop, theirs, other)).toMatchObject({ value: { state: "making" } });
  });

  it("does not count what is a day old, was approved, or came to nothing", async () => {
    const shop = await rig.aShop();
    await limited(shop, 10_000);
    const old = await aChecked(shop, cardFile([9_000], " of yesterday"));
    const yesterday = new Date(Date.now() - 25 * 3600 * 1000);
    expect(await confirm(shop, old, shop.author, yesterday)).toMatchObject({ value: { state: "making" } });
    const id = await aChecked(shop, cardFile([9_000], " a"));
    expect(await confirm(shop, id)).toMatchObject({ value: { state: "making" } });
    // There is no money, so both come to nothing.
    await makeAll();
    const next = await aChecked(shop, cardFile([9_000], " b"));
    expect(await confirm(shop, next)).toMatchObject({ value: { state: "making" } });
    await credit(db, shop.projectId, 1_000_000);
    await makeAll();
    const third = await aChecked(shop, cardFile([9_000], " c"));
    expect(await confirm(shop, third)).toMatchObject({ value: { state: "awaiting_approval" } });
    expect(codeOf(await approveBatch(db, wishOf(shop, third, await rig.aPerson(shop))))).toBe("ok");
    await makeAll();
    expect(await countPayouts(shop)).toBe(2);
    const fourth = await aChecked(shop, cardFile([1_000], " d"));
    expect(await confirm(shop, fourth)).toMatchObject({ value: { state: "making" } });
  });

  it("is another person, whose author may still make payouts, and decides once", async () => {
    const shop = await rig.aShop();
    await limited(shop, 0);
    await limited(shop, 5, "USD" as Currency);
    const [first, second] = [await rig.aPerson(shop, "owner"), await rig.aPerson(shop)];
    const id = await aChecked(shop, cardFile([1_000], " one"));
    expect(await confirm(shop, id)).toMatchObject({ value: { state: "awaiting_approval" } });
    for (const decide of [approveBatch, (d: typeof db, w: ReturnType<typeof wishOf>) => refuseBatch(d, w, "no")])
      expect(codeOf(await decide(db, wishOf(shop, id, shop.author)))).toBe("forbidden");
    expect(codeOf(await withdrawBatch(db, wishOf(shop, id, first)))).toBe("forbidden");
    await makeAll();
    expect(await countPayouts(shop)).toBe(0);
    const decided = await Promise.all([
      approveBatch(db, wishOf(shop, id, first)),
      refuseBatch(db, wishOf(shop, id, second), "twice"),
      withdrawBatch(db, wishOf(shop, id, shop.author)),
    ]);
    expect(decided.map(codeOf).sort()).toEqual(["ok", "wrong_state", "wrong_state"]);

    const gone = await aChecked(shop, cardFile([1_000], " two"));
    await confirm(shop, gone);
    await db.transaction((tx) => saveRole(tx, shop.merchantId, shop.author.id, "developer"));
    expect(codeOf(await approveBatch(db, wishOf(shop, gone, first)))).toBe("wrong_state");
    await db.transaction((tx) => endMembership(tx, shop.merchantId, shop.author.id));
    expect(codeOf(await approveBatch(db, wishOf(shop, gone, first)))).toBe("wrong_state");
    expect(codeOf(await refuseBatch(db, wishOf(shop, gone, first), "the author left"))).toBe("ok");
    expect(await stateOf(gone)).toBe("refused");
  });

  it("is not needed where no limit is set, or where it was taken away", async () => {
    const shop = await rig.aShop();
    await limited(shop, 0);
    await limited(shop, null);
    expect(await confirm(shop, await aChecked(shop, cardFile([9_000_000])))).toMatchObject({
      value: { state: "making" },
    });
  });
});

describe("the database repeats it", () => {
  const change = async (id: Id, table: string, column: string, set: string) =>
    db.run({ text: `update ${table} set ${set} where ${column} = $1`, values: [id] }).then(
      () => "changed",
      () => "refused",
    );

  it("what was checked does not change, and nothing is paid without the second person", async () => {
    const shop = await rig.aShop();
    await limited(shop, 0);
    const id = await aChecked(shop, cardFile([1_000, 2_000]));
    await confirm(shop, id);
    const rows = (set: string) => change(id, "payout_batch_rows", "batch_id", set);
    const batch = (set: string) => change(id, "payout_batches", "id", set);
    for (const set of [
      "amount = amount + 1",
      "receiver = '\\x00'",
      "payment_id = payment_id || 'x'",
      "line = line + 9",
    ])
      expect([set, await rows(set)]).toEqual([set, "refused"]);
    for (const set of [
      "state = 'making'",
      "state = 'done', ended_at = now()",
      "approval_needed = false",
      "state = 'making', approved_by = author, approved_at = now()",
      "state = 'checked'",
      "row_count = 1",
      "author_address = 'x'",
    ])
      expect([set, await batch(set)]).toEqual([set, "refused"]);
    const added = db.run({
      text: `insert into payout_batch_rows (project_id, batch_id, line, payment_id, method, currency, amount, expected_fee, customer_id, receiver, mask)
             select project_id, batch_id, 99, 'more', method, currency, amount, 0, customer_id, receiver, mask
               from payout_batch_rows where batch_id = $1 limit 1`,
      values: [id],
    });
    await expect(added).rejects.toThrow("only while it is checked");
    await expect(db.run({ text: "delete from payout_batch_rows" })).rejects.toThrow("forbidden");
  });
});
