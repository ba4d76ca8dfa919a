import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { resolveMasterKeys } from "../../src/app/processes/master-keys.ts";
import { type MasterKeys, openKeyring } from "../../src/app/processes/open-keyring.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { type Keyring, masterKey } from "../../src/platform/secrets.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { openCommandLine } from "../../src/testing/program/command-line.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { type DocumentCommand, listCommands, readDocument, wordsOf } from "../contract/document-commands.ts";
import { listSteps, openTranscript } from "./document-transcript.ts";

/** docs/pool.md from its first command to its last, in order, on a database that has seen nothing. */
const database = useTestDatabase();
const service = useTestService(database);
const document = readDocument("docs/pool.md");
const steps = listSteps(document);
const transcript = openTranscript();

/** The document plays on one day; here that is today, in a zone where it is noon, so that no midnight comes between. */
const zone = zoneOfNoon(new Date());
const today = new Intl.DateTimeFormat("sv-SE", { timeZone: zone }).format(new Date());
const STAND_INS = [
  ["Europe/Moscow", zone],
  ["2026-03-02", today],
  ["02.03.2026", today.split("-").reverse().join(".")],
] as const;

/** Where asking again changes nothing. */
const REPEATABLE = /^\.\/tillgate (call|attention|\w+ (list|show)|pool \w+ (list|show)|pool capacity) /;

const home = process.cwd();
let directory = "";

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "tillgate-pool-"));
  process.chdir(directory);
});
afterAll(() => {
  process.chdir(home);
  rmSync(directory, { recursive: true, force: true });
});

function zoneOfNoon(now: Date): string {
  const hours = 12 - now.getUTCHours();
  return hours === 0 ? "Etc/GMT" : `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`;
}

/** What the document writes, as it is here and now. */
function real(text: string): string {
  const timed = text
    .replaceAll(/2026-03-02T\d{2}:\d{2}:\d{2}\+03:00/g, () => new Date().toISOString())
    .replaceAll("https://pay.example.com", service.url());
  return transcript.real(STAND_INS.reduce((known, [shown, actual]) => known.replaceAll(shown, actual), timed));
}

function shown(text: string): string {
  return STAND_INS.reduce((known, [name, actual]) => known.replaceAll(actual, name), text);
}

/** The service began with the old key; whoever is started from `secrets rewrap` on has the new one too. */
const NEW_KEY = masterKey(Buffer.alloc(32, 7));
let isRotated = false;

function masters(): MasterKeys {
  const old = resolveMasterKeys({ masterKey: undefined, previousMasterKey: undefined, stateDir: service.stateDir });
  if (!old.ok) throw new Error(old.error);
  return isRotated ? { current: NEW_KEY, previous: old.value.current } : old.value;
}

async function openKeyringNow(): Promise<Keyring> {
  const keyring = await openKeyring(database.db, masters());
  if (!keyring.ok) throw new Error(keyring.error);
  return keyring.value;
}

async function run({ command, comments }: DocumentCommand): Promise<string> {
  const [words = "", input] = real(command).split(" < ");
  if (words.startsWith("./tillgate secrets rewrap")) isRotated = true;
  if (!words.startsWith("./tillgate ")) return execFileSync("sh", ["-c", words], { encoding: "utf8" });
  const tillgate = openCommandLine(database.db, service.stateDir, {
    programName: "./tillgate",
    openKeyring: openKeyringNow,
    readInput: async () => readFileSync(input ?? "", "utf8"),
    masterKeys: () => masters(),
  });
  const { exitCode, printed, errors } = await tillgate(...wordsOf(words).slice(1));
  const output = shown([printed, errors].filter((text) => text !== "").join("\n"));
  const said = comments.join("\n");
  expect({ command, output, exitCode }).toMatchObject({ exitCode: Number(/exit code (\d)/.exec(said)?.[1] ?? 0) });
  for (const [member] of said.matchAll(/"\w+": (?:"[^"]*"|\d+)/g)) expect(output).toContain(member);
  return output;
}

async function follow(commands: readonly DocumentCommand[], expected: string | undefined): Promise<void> {
  const outputs: string[] = [];
  for (const command of commands) outputs.push(await run(command));
  const printed = outputs.join("\n");
  if (expected === undefined) return;
  const pair = transcript.pair(expected, printed);
  expect(pair.printed).toBe(pair.shown);
}

it("docs/pool.md: what it names in passing is a command too", () => {
  const names = COMMANDS.map(({ name }) => name);
  const nouns = new Set(names.map((name) => name.split(" ")[0] ?? ""));
  const named = [...document.matchAll(/`([a-z]+ [^`\n]+)`/g)]
    .map(([, text = ""]) => text)
    .filter((text) => nouns.has(text.split(" ")[0] ?? ""));
  expect(named.length).toBeGreaterThan(15);
  for (const text of named) expect(names.filter((name) => `${text} `.startsWith(`${name} `))).not.toEqual([]);
});

it("docs/pool.md: every command does what is shown", { timeout: 120_000 }, async () => {
  expect(steps.length).toBeGreaterThan(20);
  for (const step of steps) {
    if (step.kind === "file") {
      writeFileSync(step.name, real(step.text));
      continue;
    }
    const commands = listCommands(`\`\`\`sh\n${step.text}\`\`\`\n`);
    const once = () => follow(commands, step.printed);
    const isRepeatable = commands.every(({ command }) => REPEATABLE.test(`${command} `));
    if (isRepeatable) await vi.waitFor(once, { timeout: 60_000, interval: 100 });
    else await once();
    await service.settled();
  }
});
