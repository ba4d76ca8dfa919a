import type { Transaction } from "../db.ts";

export async function findSetting(tx: Transaction, name: string): Promise<string | undefined> {
  const rows = await tx.run<{ value: string }>({ text: "select value from settings where name = $1", values: [name] });
  return rows[0]?.value;
}

export async function saveSetting(tx: Transaction, name: string, value: string): Promise<void> {
  await tx.run({
    text: "insert into settings (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value",
    values: [name, value],
  });
}
