import { beforeEach, describe, expect, it } from "vitest";
import type { Id } from "../../core/ids.ts";
import { aMember } from "../../testing/account-client.ts";
import { aProject, testKeyring } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import type { Notice } from "../people/notices.ts";
import { renderNotice } from "../people/notices.ts";
import { generateHmacKey } from "./api-keys.ts";
import { sendKeyNotices } from "./key-notices.ts";
import { addKey, replaceKey } from "./manage-keys.ts";

const { db } = useTestDatabase();
const DAY_MS = 86_400_000;
const keyring = testKeyring();

let merchantId: Id;
let projectId: Id;
let sent: Notice[];
beforeEach(async () => {
  ({ merchantId, projectId } = await aProject(db));
  sent = [];
});

function look(): Promise<void> {
  return sendKeyNotices({ db, publicUrl: () => "https://pay.example", sendNotice: (notice) => sent.push(notice) });
}

/** Ends so many days from now, and was made long ago. */
async function aKeyEndingIn(days: number): Promise<Id> {
  const scope = { merchantId, projectId, book: "test", label: "", notBefore: new Date(0), notAfter: null } as const;
  const key = await generateHmacKey(db, keyring, scope);
  if (!key.ok) throw new Error(key.error);
  const { id } = key.value;
  await endIn(id, days);
  await db.run({ text: "update api_keys set created_at = now() - interval '1 year' where id = $1", values: [id] });
  return id;
}

async function endIn(id: Id, days: number): Promise<void> {
  const notAfter = new Date(Date.now() + days * DAY_MS);
  await db.run({ text: "update api_keys set not_after = $2 where id = $1", values: [id, notAfter] });
}

const told = () => sent.map(({ to }) => to).sort();

describe("a key that ends", () => {
  it("is told of 14 days and 2 days before, once each, to owners and developers", async () => {
    const owner = await aMember(db, merchantId, "owner");
    const developer = await aMember(db, merchantId, "developer");
    await aMember(db, merchantId, "accountant");
    await aMember(db, merchantId, "viewer");
    const everyone = [owner.email, developer.email].sort();
    const id = await aKeyEndingIn(15);
    await look();
    expect(told()).toEqual([]);
    await endIn(id, 13);
    await look();
    expect(told()).toEqual(everyone);
    await look();
    expect(told()).toEqual(everyone);
    await endIn(id, 1);
    await look();
    await look();
    expect(told()).toEqual([...everyone, ...everyone].sort());
  });

  it("is told of once where both reminders are due, and by one of the processes that look", async () => {
    const { email } = await aMember(db, merchantId, "owner");
    for (let count = 0; count < 5; count += 1) await aKeyEndingIn(1);
    await Promise.all([look(), look(), look()]);
    await look();
    expect(told()).toEqual(Array(5).fill(email));
    expect(new Set(sent.map((notice) => notice.kind === "key_expires" && notice.keyId)).size).toBe(5);
  });

  it("is not told of where it is revoked, over, or made for less time than that", async () => {
    await aMember(db, merchantId, "owner");
    const revoked = await aKeyEndingIn(1);
    await db.run({ text: "update api_keys set revoked_at = now() where id = $1", values: [revoked] });
    await aKeyEndingIn(-1);
    const short = await aKeyEndingIn(1.5);
    await db.run({ text: "update api_keys set created_at = now() where id = $1", values: [short] });
    await look();
    expect(told()).toEqual([]);
  });

  it("is not told of at once to the one who replaced it, but two days before its end", async () => {
    await aMember(db, merchantId, "owner");
    const change = { merchantId, actor: { kind: "operator", name: "test" } as const, nowMs: Date.now() };
    const wish = { label: "", validDays: null, source: { kind: "hmac" } as const };
    const old = await addKey({ db, keyring }, change, { ...wish, reach: { projectId } });
    if (!old.ok) throw new Error(old.error.message);
    const { id } = old.value;
    await db.run({ text: "update api_keys set created_at = now() - interval '1 year' where id = $1", values: [id] });
    const replaced = await replaceKey({ db, keyring }, change, { ...wish, keyId: id, overlapS: 7 * 86_400 });
    expect(replaced.ok).toBe(true);
    await look();
    expect(told()).toEqual([]);
    await endIn(id, 1.9);
    await look();
    expect(told().length).toBe(1);
  });
});

it("names the key, its projects and its end, in the reader's language and in one line each", () => {
  const key = {
    kind: "key_expires",
    to: "a@shop.example",
    keyId: "ab",
    book: "live",
    label: "Main\nBcc: x",
    merchantName: "Shop",
    projectName: "Web",
    notAfter: new Date("2026-01-31T10:00:00Z"),
    link: "https://x/keys",
  } as const;
  const english = renderNotice({ ...key, language: "en" });
  expect(english.subject).toBe("API key “Main Bcc: x” of Shop ends on 2026-01-31");
  expect(english.text).toContain("ends on 2026-01-31 10:00 UTC.\nIt works for the live project Web.");
  expect(english.text).toContain("\nhttps://x/keys\n");
  const russian = renderNotice({ ...key, language: "ru", label: "", projectName: null });
  expect(russian.subject).toBe("API-ключ ab компании Shop действует до 2026-01-31");
  expect(russian.text).toContain("Он подходит ко всем боевым проектам.");
});
