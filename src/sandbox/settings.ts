import { randomBytes } from "node:crypto";
import { Secret } from "../platform/secret.ts";
import type { SandboxDatabase } from "./database.ts";

const NOTIFY_URL = "notify_url";
const PUBLIC_URL = "public_url";
const CARD_KEY = "card_key";
const CARD_KEY_BYTES = 32;

export const findNotifyUrl = (db: SandboxDatabase) => findSetting(db, NOTIFY_URL);
export const saveNotifyUrl = (db: SandboxDatabase, url: string) => saveSetting(db, NOTIFY_URL, url);
export const findPublicUrl = (db: SandboxDatabase) => findSetting(db, PUBLIC_URL);
export const savePublicUrl = (db: SandboxDatabase, url: string) => saveSetting(db, PUBLIC_URL, url);

async function findSetting(db: SandboxDatabase, name: string): Promise<string | undefined> {
  const rows = await db.run<{ value: string }>("select value from sandbox.settings where name = $1", [name]);
  return rows[0]?.value;
}

async function saveSetting(db: SandboxDatabase, name: string, value: string): Promise<void> {
  await db.run(
    "insert into sandbox.settings (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value",
    [name, value],
  );
}

/** The key under which card numbers are hashed: made at the first start, and the same ever after. */
export async function ensureCardKey(db: SandboxDatabase): Promise<Secret<string>> {
  const rows = await db.run<{ value: string }>(
    `insert into sandbox.settings (name, value) values ($1, $2)
     on conflict (name) do update set value = settings.value returning value`,
    [CARD_KEY, randomBytes(CARD_KEY_BYTES).toString("hex")],
  );
  return new Secret(rows[0]?.value ?? "");
}
