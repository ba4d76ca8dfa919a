import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { ensureSigningKey } from "../../src/app/callbacks/callback-keys.ts";
import { adjustBalance } from "../../src/app/ledger/adjust-balance.ts";
import { configureProject } from "../../src/app/merchants/merchants.ts";
import type { ClosableConnector } from "../../src/app/providers/configured-connectors.ts";
import { readProviderBalances } from "../../src/app/providers/read-books.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { shortToken } from "../../src/cli/merchants/key-view.ts";
import { openProviderOfCommand, probeProvider } from "../../src/compose-providers.ts";
import type { Id } from "../../src/core/ids.ts";
import { listMethodOffers } from "../../src/core/merchants/methods.ts";
import { openLog } from "../../src/platform/log.ts";
import type { Database } from "../../src/store/db.ts";
import { minor, RUB } from "../../src/testing/builders/projects.ts";
import { openCommandLine } from "../../src/testing/program/command-line.ts";
import { FEES_BP, useTwoGateways } from "../../src/testing/rigs/two-gateways.ts";
import { aClient } from "../../src/testing/service/merchant-client.ts";
import { serviceKeyring } from "../../src/testing/service/service-keyring.ts";
import { type DocumentCommand, listCommands, readDocument, wordsOf } from "../contract/document-commands.ts";
import { listSteps, openTranscript } from "./document-transcript.ts";

/** docs/providers.md from its first command to its last, in order. The other gateway is a second Tillgate, and its project a test project. */
const { a, b } = useTwoGateways();
const document = readDocument("docs/providers.md");
const steps = listSteps(document);
const transcript = openTranscript();
/** A day of UTC, as the reports have it, with time enough before its midnight. */
const NEEDED_MS = 60_000;
const DAY_MS = 86_400_000;

const PROJECT_THERE = "0198e1f0a4c27d10b3a4c5d6e7f80922";
/** The document's mistaken entry: no money moved. */
const REVERSED = "FT-2043";

/** What the document writes, and what it is here. */
let standIns: readonly (readonly [string, string])[] = [];
/** What the other gateway's operator sent; the document shows the files in part. */
const given = new Map<string, string>();
const home = process.cwd();
let directory = "";

beforeAll(async () => {
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  if (leftMs < NEEDED_MS) await sleep(leftMs);
  const today = new Date().toISOString().slice(0, 10);
  directory = mkdtempSync(join(tmpdir(), "tillgate-providers-"));
  process.chdir(directory);
  const { db } = b.database;
  const { credentials } = await aClient(db, b.service, { feeBp: FEES_BP.b });
  if (credentials.kind !== "hmac") throw new Error(credentials.kind);
  const offers = listMethodOffers().filter(({ currency }) => currency !== "RUB");
  await configureProject(db, credentials.projectId as Id, { offers, methods: { enabled: false } });
  const { publicKey } = await ensureSigningKey({ db, keyring: await serviceKeyring(db, b.service) }, "rsa", null);
  const token = publicKey ?? "";
  given.set("gate-callback.pem", pemOf(token));
  standIns = [
    ["https://gate.example.net", b.service.url()],
    ["https://pay.example.com", a.service.url()],
    ["0198e1f0a4c27d10b3a4c5d6e7f80911", credentials.merchantId],
    [PROJECT_THERE, credentials.projectId],
    ["ak_c41d7e0f9a2b48d3a6c5e1f0b7d89233", credentials.keyId],
    ["sk_gate-secret", credentials.secret],
    ["MIIBIj…t0nqvyMPUfQIDAQAB", shortToken(token)],
    ["2026-11-16", today],
  ];
});
afterAll(() => {
  process.chdir(home);
  rmSync(directory, { recursive: true, force: true });
});

function pemOf(token: string): string {
  const lines =
    Buffer.from(token, "base64url")
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return ["-----BEGIN PUBLIC KEY-----", ...lines, "-----END PUBLIC KEY-----", ""].join("\n");
}

function real(text: string): string {
  return transcript.real(standIns.reduce((known, [shown, actual]) => known.replaceAll(shown, actual), text));
}

function shown(text: string): string {
  return standIns.reduce((known, [name, actual]) => known.replaceAll(actual, name), text);
}

/** Where asking again changes nothing. */
const REPEATABLE =
  /^\.\/tillgate (call|attention|\w+ (list|show)|provider (test|balances|banks \w+)|reconcile|ledger margin|ledger clearing|route try) /;

const SILENT = openLog({ level: "error", destination: { write: () => undefined } });

async function openProviderHere(db: Database, code: string): Promise<ClosableConnector> {
  const keyring = await serviceKeyring(db, a.service);
  const parts = { config: { mode: "development" }, db, keyring, log: SILENT } as const;
  const opened = await openProviderOfCommand(parts, code);
  if (opened === undefined) throw new Error(`${code} is not configured`);
  return opened;
}

/** The worker reads balances every minute; here the minute is over. */
async function aMinuteLater(): Promise<void> {
  const { db } = a.database;
  const { books, close } = await openProviderHere(db, "gate");
  if (books !== undefined) await readProviderBalances({ db, log: SILENT }, "gate", books);
  await close();
}

/** What the document's reader moves by a bank, the other gateway's operator books there. */
async function bookThere(command: string): Promise<void> {
  const [, way, amount, reference = ""] =
    /provider funds gate --(in|out) (\d+) .*--reference (\S+)/.exec(command) ?? [];
  if (amount === undefined || reference === REVERSED) return;
  const projectId = standIns.find(([name]) => name === PROJECT_THERE)?.[1] as Id;
  const direction = way === "in" ? "credit" : "debit";
  const words = { reference, reason: "bank transfer", actor: "their operator" };
  const booked = { projectId, direction, amount: minor(Number(amount)), currency: RUB, ...words } as const;
  expect(await adjustBalance(b.database.db, booked)).toMatchObject({ ok: true });
}

async function run({ command, comments }: DocumentCommand): Promise<string> {
  const [words = "", input] = real(command).split(" < ");
  if (!words.startsWith("./tillgate ")) return execFileSync("sh", ["-c", words], { encoding: "utf8" });
  const tillgate = openCommandLine(a.database.db, a.service.stateDir, {
    programName: "./tillgate",
    developmentMode: true,
    publicUrl: a.service.url(),
    openKeyring: (db) => serviceKeyring(db, a.service),
    probeProvider: (provider) => probeProvider("development", provider),
    openConnector: openProviderHere,
    readInput: async () => readFileSync(input ?? "", "utf8"),
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
  if (expected === undefined) return;
  const pair = transcript.pair(expected, outputs.join("\n"));
  expect(pair.printed).toBe(pair.shown);
}

it("docs/providers.md: what it names in passing is a command too", () => {
  const names = COMMANDS.map(({ name }) => name);
  const nouns = new Set(names.map((name) => name.split(" ")[0] ?? ""));
  const named = [...document.matchAll(/`([a-z]+ [^`\n]+)`/g)]
    .map(([, text = ""]) => text)
    .filter((text) => nouns.has(text.split(" ")[0] ?? ""));
  expect(named.length).toBeGreaterThan(5);
  for (const text of named) expect(names.filter((name) => `${text} `.startsWith(`${name} `))).not.toEqual([]);
});

it("docs/providers.md: every command does what is shown, and the money agrees in both gateways", async () => {
  expect(steps.length).toBeGreaterThan(10);
  for (const step of steps) {
    if (step.kind === "file") {
      writeFileSync(step.name, given.get(step.name) ?? real(step.text));
      continue;
    }
    if (step.text.includes("ledger clearing")) await aMinuteLater();
    await bookThere(step.text);
    const commands = listCommands(`\`\`\`sh\n${step.text}\`\`\`\n`);
    const once = () => follow(commands, step.printed);
    const isRepeatable = commands.every(({ command }) => REPEATABLE.test(`${command} `));
    if (isRepeatable) await vi.waitFor(once, { timeout: 60_000, interval: 100 });
    else await once();
    await a.service.settled();
  }
});
