import { describe, expect, it } from "vitest";
import { testKeyring } from "../testing/builders.ts";
import { type AccountWish, anAccount } from "../testing/pool-builders.ts";
import { useTestDatabase } from "../testing/test-database.ts";
import { addRequisite, setRequisite } from "./pool-requisites.ts";
import type { ReportedAccount } from "./record-transfers.ts";

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
