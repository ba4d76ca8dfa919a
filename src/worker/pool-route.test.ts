import { describe, expect, it } from "vitest";
import { recordTransfers } from "../pool/app/record-transfers.ts";
import { openPoolConnector } from "../pool/connector/connector.ts";
import { minor, RUB } from "../testing/builders.ts";
import { aFakeProvider } from "../testing/fake-provider.ts";
import { aDesk, anAccount } from "../testing/pool-builders.ts";
import { useTestDatabase } from "../testing/test-database.ts";
import { useWorkerBench } from "../testing/worker-bench.ts";

/** Pay-ins that the worker takes through the operator's own accounts. */
const database = useTestDatabase();
const { db } = database;
const bench = useWorkerBench(database);
const { keyring } = bench.deps;
const pool = openPoolConnector(aDesk(db, keyring));

async function freshAccount(quarantineS = 3_600) {
  await db.run({ text: "update receiving_accounts set enabled = false" });
  return anAccount(db, keyring, { settings: { quarantineS } });
}

describe("a pay-in to the pool", () => {
  it("is shown a requisite, completed by the statement, and gives its place back", async () => {
    const account = await freshAccount();
    const name = await bench.aPayin([pool]);
    await bench.workOff();
    expect(await bench.find(name)).toMatchObject({ state: "processing:awaiting_confirm", provider: "pool" });
    const at = new Date();
    const transfer = { account, reference: "w-1", direction: "credit", currency: RUB, amount: minor(1_000) } as const;
    await recordTransfers(
      { db, keyring },
      [{ ...transfer, booked: { kind: "instant", from: at, to: at }, payer: undefined }],
      "olga",
    );
    expect((await bench.find(name)).state).toBe("success");
    await bench.workOff();
    expect((await bench.find(name)).releasedAt).not.toBeNull();
    expect(await bench.sumOf(name, `clearing:pool-${account.code}`)).toBe(-1_000n);
    // What the worker asks later tells of the same transfer, which is counted once.
    expect((await bench.look(name)).receivedAmount).toBe(1_000n);
  });

  it("that finds no account free goes on to the next provider, and after the last is declined", async () => {
    await freshAccount();
    const first = await bench.aPayin([pool]);
    await bench.workOff();
    const other = aFakeProvider("other");
    const next = await bench.aPayin([pool, other]);
    const last = await bench.aPayin([pool]);
    await bench.workOff();
    expect((await bench.find(first)).state).toBe("processing:awaiting_confirm");
    expect(await bench.find(next)).toMatchObject({ state: "processing:awaiting_confirm", provider: "other" });
    expect(await bench.find(last)).toMatchObject({ state: "decline", declineCode: "no_requisites" });
  });

  it("that was cancelled keeps its sum reserved until the quarantine is over", async () => {
    await freshAccount(900);
    const first = await bench.aPayin([pool]);
    await bench.workOff();
    const { projectId, requestId } = first;
    await bench.deps.apply({ projectId, requestId, actor: "merchant", payin: { kind: "cancelled" } });
    await bench.workOff();
    const second = await bench.aPayin([pool]);
    await bench.workOff();
    expect(await bench.find(second)).toMatchObject({ state: "decline", declineCode: "no_requisites" });
    await db.run({ text: "update lendings set held_until = now() where not freed and held_until is not null" });
    const third = await bench.aPayin([pool]);
    await bench.workOff();
    expect((await bench.find(third)).state).toBe("processing:awaiting_confirm");
  });
});
