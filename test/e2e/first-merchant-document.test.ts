import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { openCommandLine } from "../../src/testing/program/command-line.ts";
import { serviceKeyring } from "../../src/testing/service/service-keyring.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { type DocumentCommand, listCommands, readDocument, wordsOf } from "../contract/document-commands.ts";
import { listSteps, openTranscript } from "./document-transcript.ts";

/** "First merchant" of docs/operations.md, from its first command to the live pay-in that has succeeded. */
const database = useTestDatabase();
const service = useTestService(database);
const section = readDocument("docs/operations.md").split("## First merchant\n")[1]?.split("\n## ")[0] ?? "";
const transcript = openTranscript();
const real = (text: string) => transcript.real(text).replaceAll("https://pay.example.com", service.url());

const home = process.cwd();
let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "tillgate-first-merchant-"));
  process.chdir(directory);
});
afterAll(() => {
  process.chdir(home);
  rmSync(directory, { recursive: true, force: true });
});

async function run({ command, comments }: DocumentCommand): Promise<string> {
  const [words = "", input] = real(command).split(" < ");
  if (!words.startsWith("tillgate ")) return execFileSync("sh", ["-c", words], { encoding: "utf8" });
  const tillgate = openCommandLine(database.db, service.stateDir, {
    openKeyring: (db) => serviceKeyring(db, service),
    readInput: async () => readFileSync(input ?? "", "utf8"),
  });
  const { exitCode, printed, errors } = await tillgate(...wordsOf(words).slice(1));
  expect({ command, errors, exitCode }).toMatchObject({ exitCode: 0 });
  for (const [member] of comments.join("\n").matchAll(/"\w+": (?:"[^"]*"|\d+)/g)) expect(printed).toContain(member);
  return printed;
}

it("docs/operations.md: the first merchant's first live pay-in succeeds", { timeout: 120_000 }, async () => {
  for (const step of listSteps(section)) {
    if (step.kind === "file") {
      writeFileSync(step.name, real(step.text));
      continue;
    }
    const commands = listCommands(`\`\`\`sh\n${step.text}\`\`\`\n`);
    const once = async () => {
      const outputs: string[] = [];
      for (const command of commands) outputs.push(await run(command));
      if (step.printed === undefined) return;
      const { shown, printed } = transcript.pair(step.printed, outputs.join("\n"));
      expect(printed).toBe(shown);
    };
    // A person asks again while the answer is not there yet; a call with the same payment_id does nothing twice.
    const isCall = commands.every(({ command }) => command.startsWith("tillgate call "));
    await (isCall ? vi.waitFor(once, { timeout: 60_000, interval: 100 }) : once());
    await service.settled();
  }
  const payments = await database.db.run({
    text: `select p.book, q.state, q.received_amount::int as received
             from payments q join projects p on p.id = q.project_id where p.book = 'live'`,
  });
  expect(payments).toEqual([{ book: "live", state: "success", received: 250000 }]);
});
