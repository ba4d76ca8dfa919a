import { describe, expect, it } from "vitest";
import { TEST_CARDS } from "../../core/cards/test-cards.ts";
import { newId } from "../../platform/new-id.ts";
import { ASKED_FOR } from "../../testing/builders/asked-for.ts";
import { aProject, minor, RUB, testKeyring } from "../../testing/builders/projects.ts";
import { type AccountWish, aDesk, anAccount } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { addRequisite, setRequisite } from "./pool-requisites.ts";
import type { ReportedAccount } from "./reported-lines.ts";

const { db, openAnother } = useTestDatabase();
const keyring = testKeyring();
const CARD = "2200000000000004";
const PHONE = "+79001234567";

async function add({ code }: ReportedAccount, type: "card" | "phone", value: string, on = db) {
  return addRequisite({ db: on, keyring }, { account: code, type, value });
}

async function accounts(...wishes: AccountWish[]): Promise<ReportedAccount[]> {
  const made: ReportedAccount[] = [];
  for (const wish of wishes) made.push(await anAccount(db, keyring, wish));
  return made;
}

describe("one requisite on two accounts, on which a sum would be promised to two payers,", () => {
  it("is refused while both could be lent, also when it is switched on again", async () => {
    const [one, other] = (await accounts({}, {})) as [ReportedAccount, ReportedAccount];
    const first = await add(one, "card", CARD);
    if (!first.ok) throw new Error(first.error);
    expect(await add(other, "card", CARD)).toMatchObject({ error: "requisite_elsewhere" });
    await setRequisite(db, first.value.id, "off");
    expect(await add(other, "card", CARD)).toMatchObject({ ok: true });
    expect(await setRequisite(db, first.value.id, "on")).toMatchObject({ error: "requisite_elsewhere" });
  });

  it("is refused to one of two who add it at once", async () => {
    const [one, other] = (await accounts({}, {})) as [ReportedAccount, ReportedAccount];
    const another = openAnother();
    const value = "2200000000000012";
    const added = await Promise.all([add(one, "card", value), add(other, "card", value, another)]);
    await another.close();
    expect(added.filter(({ ok }) => ok)).toHaveLength(1);
  });

  it("is fine in another book, and as a phone at another bank", async () => {
    const [live, test, vtb, sber] = (await accounts({}, { book: "test" }, { settings: { bank: "vtb" } }, {})) as [
      ReportedAccount,
      ReportedAccount,
      ReportedAccount,
      ReportedAccount,
    ];
    for (const account of [live, test, vtb]) expect(await add(account, "phone", PHONE)).toMatchObject({ ok: true });
    expect(await add(sber, "phone", PHONE)).toMatchObject({ error: "requisite_elsewhere" });
  });
});

describe("a test card, whose number is published and belongs to no one,", () => {
  it.each(TEST_CARDS)("%s is refused on a live account, and taken on a test one", async (pan) => {
    const [live, test] = (await accounts({}, { book: "test" })) as [ReportedAccount, ReportedAccount];
    expect(await add(live, "card", pan)).toEqual({ ok: false, error: "test_card" });
    const [{ count }] = (await db.run<{ count: number }>({
      text: "select count(*)::int as count from requisites where account_id = $1",
      values: [live.id],
    })) as [{ count: number }];
    expect(count).toBe(1);
    expect(await add(test, "card", pan)).toMatchObject({ ok: true });
    // Two test accounts may not lend one number either: the next card starts afresh.
    await db.run({ text: "update requisites set enabled = false where account_id = $1", values: [test.id] });
  });

  it("that a live account has from before is shown to no payer: the desk switches it off and says why", async () => {
    await db.run({ text: "update receiving_accounts set enabled = false" });
    const [live, test] = (await accounts({}, { book: "test" })) as [ReportedAccount, ReportedAccount];
    const [pan = ""] = TEST_CARDS;
    const planted = await add(test, "card", pan);
    if (!planted.ok) throw new Error(planted.error);
    await db.run({ text: "update requisites set enabled = false where account_id = $1", values: [live.id] });
    await db.run({
      text: "update requisites set account_id = $2 where id = $1",
      values: [planted.value.id, live.id],
    });
    const { projectId } = await aProject(db, "live");
    const desk = aDesk(db, keyring);
    const request = { reference: newId(), projectId, method: "card-p2p", amount: minor(700), currency: RUB } as const;
    expect(await desk.lend({ ...request, bank: undefined, expiresAt: new Date(), ...ASKED_FOR })).toEqual({
      kind: "none",
    });
    const [stored] = await db.run({
      text: "select enabled, fault from requisites where id = $1",
      values: [planted.value.id],
    });
    expect(stored).toEqual({ enabled: false, fault: "it is a test card, and the account is live" });
    expect(desk.complaints.join("")).not.toContain(pan);
  });
});
