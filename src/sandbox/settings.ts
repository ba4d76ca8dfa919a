import type { SandboxDatabase } from "./database.ts";

const NOTIFY_URL = "notify_url";

export async function findNotifyUrl(db: SandboxDatabase): Promise<string | undefined> {
  const rows = await db.run<{ value: string }>("select value from sandbox.settings where name = $1", [NOTIFY_URL]);
  return rows[0]?.value;
}

export async function saveNotifyUrl(db: SandboxDatabase, url: string): Promise<void> {
  await db.run(
    "insert into sandbox.settings (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value",
    [NOTIFY_URL, url],
  );
}
