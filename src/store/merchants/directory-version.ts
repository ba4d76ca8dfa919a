import type pg from "pg";
import type { Id } from "../../core/ids.ts";
import type { Database } from "../db.ts";
import { markAsDatabases } from "../faults.ts";

const DIRECTORY_CHANNEL = "tillgate_directory";
const LISTEN_WITHIN_MS = 5_000;

export async function getDirectoryVersion(db: Pick<Database, "run">): Promise<bigint> {
  const [row] = await db.run<{ version: bigint }>({
    name: "directory_version",
    text: "select version from directory_version",
  });
  if (row === undefined) throw new Error("directory_version has lost its row");
  return row.version;
}

/** Stands for what is of no project: a merchant's keys, the service's own. */
export const NO_PROJECT = "0".repeat(32) as Id;

/** The projects of which something changed after `version`; `NO_PROJECT` among them where that changed. */
export async function listChangedProjects(db: Pick<Database, "run">, version: bigint): Promise<Id[]> {
  const rows = await db.run<{ projectId: Id }>({
    name: "list_changed_projects",
    text: `select project_id as "projectId" from directory_changes where version > $1`,
    values: [version],
  });
  return rows.map(({ projectId }) => projectId);
}

/** Calls back at once whenever a directory table changes, until the connection ends. */
export async function listenForDirectoryChanges(client: pg.Client, onChange: () => void): Promise<void> {
  client.on("notification", onChange);
  try {
    await client.query({ text: `listen ${DIRECTORY_CHANNEL}`, query_timeout: LISTEN_WITHIN_MS } as pg.QueryConfig);
  } catch (error) {
    markAsDatabases(error);
    throw error;
  }
}
