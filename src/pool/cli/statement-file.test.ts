import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { recordingContext } from "../../testing/program/cli-context.ts";
import { openStatementFile } from "./statement-file.ts";

const directory = mkdtempSync(join(tmpdir(), "tillgate-statement-"));
afterAll(() => rmSync(directory, { recursive: true }));

it("reads a file of many pieces from the disk to its last line", async () => {
  const path = join(directory, "statement.csv");
  const lines = Array.from({ length: 20_000 }, (_, index) => `2026-01-31,5.00,RUB,r${index},Иван\n`);
  writeFileSync(path, ["booked_at,amount,currency,reference,payer\n", ...lines].join(""));
  const references: string[] = [];
  let portionCount = 0;
  for await (const portion of openStatementFile(recordingContext().context, path, undefined).portions) {
    portionCount += 1;
    for (const item of portion.ok ? portion.value : []) if (item.kind === "line") references.push(item.value.reference);
  }
  expect(portionCount).toBeGreaterThan(5);
  expect(references).toEqual(lines.map((_, index) => `r${index}`));
});

it("says why a file cannot be read", async () => {
  const { context } = recordingContext();
  expect(() => openStatementFile(context, join(directory, "none"), undefined)).toThrow("there is no such file");
  const { portions } = openStatementFile(context, directory, undefined);
  await expect(portions[Symbol.asyncIterator]().next()).rejects.toThrow("it is a directory");
});
