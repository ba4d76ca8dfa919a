import type pg from "pg";
import type { Database } from "../db.ts";

const DIRECTORY_CHANNEL = "tillgate_directory";

export async function getDirectoryVersion(db: Pick<Database, "run">): Promise<bigint> {
  const [row] = await db.run<{ version: bigint }>({
    name: "directory_version",
    text: "select version from directory_version",
  });
  if (row === undefined) throw new Error("directory_version has lost its row");
  return row.version;
}

/** Calls back at once whenever a directory table changes, until the connection ends. */
export async function listenForDirectoryChanges(client: pg.Client, onChange: () => void): Promise<void> {
  client.on("notification", onChange);
  await client.query(`listen ${DIRECTORY_CHANNEL}`);
}
