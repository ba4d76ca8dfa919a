import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { openLog } from "../platform/log.ts";
import { Secret } from "../platform/secret.ts";
import { type Sandbox, startSandbox } from "./start-sandbox.ts";

/** A sandbox for a test file, on a database of its own in the tests' server. */
export type TestSandbox = {
  readonly url: () => string;
  readonly secret: Secret<string>;
  readonly connection: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  };
  /** Stops it and starts it again on the same books, on another port. */
  readonly restart: () => Promise<void>;
};

export function useTestSandbox(
  postgres: { readonly host: string; readonly port: number; readonly user: string },
  options: { readonly notifyUrl?: () => string } = {},
): TestSandbox {
  const connection = { ...postgres, database: `sandbox_${randomBytes(8).toString("hex")}` };
  const secret = new Secret(randomBytes(32).toString("hex"));
  let sandbox: Sandbox | undefined;

  const start = async (): Promise<void> => {
    const notifyUrl = options.notifyUrl?.();
    const log = openLog({ level: "error", destination: process.stderr });
    sandbox = await startSandbox({ connection, secret, log, ...(notifyUrl === undefined ? {} : { notifyUrl }) });
  };
  beforeAll(async () => {
    await administer(postgres, `create database ${connection.database}`);
    await start();
  });
  afterAll(async () => {
    await sandbox?.close();
    await administer(postgres, `drop database ${connection.database} with (force)`);
  });
  return {
    url: () => sandbox?.url ?? "",
    secret,
    connection,
    restart: async () => {
      await sandbox?.close();
      await start();
    },
  };
}

async function administer(postgres: { host: string; port: number; user: string }, statement: string): Promise<void> {
  const client = new pg.Client({ ...postgres, database: "postgres" });
  await client.connect();
  await client.query(statement);
  await client.end();
}
