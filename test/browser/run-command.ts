import { expect } from "vitest";
import type { TestDatabase } from "../../src/testing/database/test-database.ts";
import { openCommandLine } from "../../src/testing/program/command-line.ts";

/** An operator's command, which must succeed. */
export async function runCommand({ db }: TestDatabase, ...words: string[]): Promise<void> {
  const { exitCode, errors } = await openCommandLine(db)(...words);
  expect([exitCode, errors]).toEqual([0, ""]);
}
