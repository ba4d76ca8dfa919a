import { describe, expect, it } from "vitest";
import { recordLines } from "../pool/app/record-lines.ts";
import { openPoolConnector } from "../pool/connector/connector.ts";
import { minor, RUB } from "../testing/builders/projects.ts";
import { aDesk, anAccount } from "../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../testing/database/test-database.ts";
import { aFakeProvider } from "../testing/rigs/fake-provider.ts";
import { useWorkerRig } from "../testing/rigs/worker-rig.ts";

/** Pay-ins that the worker takes through the operator's own accounts. */
const database = useTestDatabase();
const { db } = database;
const rig = useWorkerRig(database);
const { keyring } = rig.deps;
const pool = openPoolConnector(aDesk(db, keyring));

async function freshAccount(quarantineS = 3_600) {
  await db.run({ text: "update receiving_accounts set enabled = false" });
  return anAccount(db, keyring, { settings: { quarantineS } });
}

describe("a pay-in to the pool", () => {
  it("is shown a requisite, completed by the statement, and gives its place back", async () => {
    const account = await freshAccount();
    const name = await rig.aPayin([pool]);
    await rig.workOff();
    expect(await rig.find(name)).toMatchObject({ state: "processing:awaiting_confirm", provider: "pool" });
    const at = new Date();
    const line = { account, reference: "w-1", direction: "credit", currency: RUB, amount: minor(1_000) } as const;
    await recordLines(
      { db, keyring },
      [{ ...line, booked: { kind: "instant", from: at, to: at }, payer: undefined }],
      "olga",
    );
    expect((await rig.find(name)).state).toBe("success");
    await rig.workOff();
    expect((await rig.find(name)).releasedAt).not.toBeNull();
    expect(await rig.sumOf(name, `clearing:pool-${account.code}`)).toBe(-1_000n);
    // What the worker asks later tells of the same money, which is counted once.
    expect((await rig.look(name)).receivedAmount).toBe(1_000n);
  });

  it("that finds no account free goes on to the next provider, and after the last is declined", async () => {
    await freshAccount();
    const first = await rig.aPayin([pool]);
    await rig.workOff();
    const other = aFakeProvider("other");
    const next = await rig.aPayin([pool, other]);
    const last = await rig.aPayin([pool]);
    await rig.workOff();
    expect((await rig.find(first)).state).toBe("processing:awaiting_confirm");
    expect(await rig.find(next)).toMatchObject({ state: "processing:awaiting_confirm", provider: "other" });
    expect(await rig.find(last)).toMatchObject({ state: "decline", declineCode: "no_requisites" });
  });

  it("that was cancelled keeps its sum reserved until the quarantine is over", async () => {
    await freshAccount(900);
    const first = await rig.aPayin([pool]);
    await rig.workOff();
    const { projectId, requestId } = first;
    await rig.deps.apply({ projectId, requestId, actor: "merchant", payin: { kind: "cancelled" } });
    await rig.workOff();
    const second = await rig.aPayin([pool]);
    await rig.workOff();
    expect(await rig.find(second)).toMatchObject({ state: "decline", declineCode: "no_requisites" });
    await db.run({ text: "update lendings set held_until = now() where not freed and held_until is not null" });
    const third = await rig.aPayin([pool]);
    await rig.workOff();
    expect((await rig.find(third)).state).toBe("processing:awaiting_confirm");
  });
});
