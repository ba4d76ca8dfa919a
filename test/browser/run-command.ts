import { expect } from "vitest";
import { openCommandLine } from "../../src/testing/command-line.ts";
import type { TestDatabase } from "../../src/testing/test-database.ts";

/** An operator's command, which must succeed. */
export async function runCommand({ db }: TestDatabase, ...words: string[]): Promise<void> {
  const { exitCode, errors } = await openCommandLine(db)(...words);
  expect([exitCode, errors]).toEqual([0, ""]);
}
