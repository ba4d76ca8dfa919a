import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { type Keyring, masterKey } from "../../platform/secrets.ts";
import { listDataKeys } from "../../store/merchants/data-keys.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { type MasterKeys, openKeyring, rewrapDataKeys } from "./open-keyring.ts";

const { db } = useTestDatabase();
const first = masterKey(randomBytes(32));
const second = masterKey(randomBytes(32));

async function opened(masters: MasterKeys): Promise<Keyring> {
  const keyring = await openKeyring(db, masters);
  if (!keyring.ok) throw new Error(keyring.error);
  return keyring.value;
}

const place = { table: "t", column: "c", row: "r" };

it("makes its data keys once, however many processes start together", async () => {
  const keyrings = await Promise.all(Array.from({ length: 6 }, () => opened({ current: first, previous: undefined })));
  expect(await listDataKeys(db)).toHaveLength(2);
  const sealed = keyrings[0]?.seal(place, Buffer.from("value")) ?? Buffer.alloc(0);
  for (const keyring of keyrings) expect(keyring.unseal(place, sealed).reveal().toString()).toBe("value");
});

it("rotates the master key: reads work before, during and after, and the old key is then useless", async () => {
  const before = await opened({ current: first, previous: undefined });
  const sealed = before.seal(place, Buffer.from("value"));
  const rotating = { current: second, previous: first };
  expect((await opened(rotating)).unseal(place, sealed).reveal().toString()).toBe("value");
  expect(await rewrapDataKeys(db, rotating)).toEqual({ ok: true, value: { rewrapped: 2, total: 2 } });
  expect(await rewrapDataKeys(db, rotating)).toEqual({ ok: true, value: { rewrapped: 0, total: 2 } });
  const after = await opened({ current: second, previous: undefined });
  expect(after.unseal(place, sealed).reveal().toString()).toBe("value");
  const foreign = { current: first, previous: undefined };
  expect(await openKeyring(db, foreign)).toMatchObject({ ok: false, error: expect.stringContaining("was not given") });
  expect(await rewrapDataKeys(db, foreign)).toMatchObject({ ok: false });
});
