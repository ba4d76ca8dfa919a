import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import {
  differingLines,
  expectedDifferences,
  expectedImport,
  importedLines,
  seedLentPayins,
} from "../../bench/statement-world.mjs";
import { resolveMasterKeys } from "../../src/app/processes/master-keys.ts";
import { openKeyring } from "../../src/app/processes/open-keyring.ts";
import { Secret } from "../../src/platform/secret.ts";
import type { ReportedAccount } from "../../src/pool/app/reported-lines.ts";
import { aProject } from "../../src/testing/builders/projects.ts";
import { anAccount } from "../../src/testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { checkLedger } from "../../src/testing/rigs/with-pool.ts";
import { stopImportsAt } from "./import-stop.ts";

/** A long statement, taken in by the built program, which is killed again and again on the way. */
const { db, url } = useTestDatabase();
const COUNT = 10_000;
/** It is killed when so many lines are in. */
const KILLS_AT = [1_500, 5_000];
const PROGRAM = fileURLToPath(new URL("../../bin/tillgate.mjs", import.meta.url));

const directory = mkdtempSync(join(tmpdir(), "tillgate-statement-"));
const key = randomBytes(32);
const children: ChildProcess[] = [];
const now = new Date();
const bookedAt = new Date(now.getTime() - 60_000).toISOString();
const otherDay = new Date(now.getTime() - 2 * 86_400_000).toISOString();
let account: ReportedAccount;

beforeAll(async () => {
  const masters = resolveMasterKeys({ masterKey: new Secret(key), previousMasterKey: undefined, stateDir: directory });
  const keyring = masters.ok ? await openKeyring(db, masters.value) : masters;
  if (!keyring.ok) throw new Error(keyring.error);
  const { projectId } = await aProject(db);
  account = await anAccount(db, keyring.value, { book: "test" });
  const run = (text: string, values: readonly unknown[]) => db.run({ text, values, timeoutMs: 0 });
  await seedLentPayins(run, { projectId, accountId: account.id, count: COUNT });
});

afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(directory, { recursive: true, force: true });
});

function start(...words: string[]) {
  const env = {
    TILLGATE_MODE: "production",
    TILLGATE_PUBLIC_URL: "https://pay.example.com",
    TILLGATE_TRUSTED_PROXIES: "none",
    TILLGATE_MASTER_KEY: key.toString("hex"),
    DATABASE_URL: url,
  };
  const child = spawn(process.execPath, [PROGRAM, ...words, "--json"], { env, stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output.push(chunk));
  const ended = once(child, "close").then(() => Buffer.concat(output).toString());
  return { child, ended };
}

/** What the program says when it was left alone. */
async function runToEnd(exitCode: number, ...words: string[]) {
  const { child, ended } = start(...words);
  const output = await ended;
  expect(child.exitCode, output.slice(0, 1_000)).toBe(exitCode);
  return JSON.parse(output);
}

async function countRecorded(): Promise<number> {
  const [row] = await db.run<{ count: number }>({ text: "select count(*)::int as count from bank_lines" });
  return row?.count ?? 0;
}

/** Sessions of the program, which are all but our own. */
async function countItsSessions(): Promise<number> {
  const [row] = await db.run<{ count: number }>({
    text: `select count(*)::int as count from pg_stat_activity
            where datname = current_database() and backend_type = 'client backend' and application_name <> 'tillgate test'`,
  });
  return row?.count ?? 0;
}

/** Kills the program while it stands still: so it does not come to its end before, when this process is the slower one. */
async function killAt(lines: number, ...words: string[]): Promise<void> {
  const stop = await stopImportsAt(db, lines);
  const { child, ended } = start(...words);
  await vi.waitFor(
    async () => {
      if (child.exitCode === null) expect(await stop.hasStopped()).toBe(true);
    },
    { timeout: 60_000, interval: 5 },
  );
  expect(await countItsSessions()).toBeGreaterThan(0);
  child.kill("SIGKILL");
  const output = await ended;
  expect(child.signalCode, output.slice(0, 1_000)).toBe("SIGKILL");
  await stop.lift();
  // The server still does, and perhaps commits, what it was sent before the program died.
  await vi.waitFor(async () => expect(await countItsSessions()).toBe(0), { timeout: 60_000, interval: 5 });
}

it("an import that is killed twice and started again takes each line in once, and the daily proof finds every fault", async () => {
  const file = join(directory, "statement.csv");
  writeFileSync(file, [...importedLines(account.code, COUNT, bookedAt)].join(""));
  for (const lines of KILLS_AT) await killAt(lines, "statement", "import", file);
  const before = await countRecorded();
  const { exact, ended, unclaimed, known, refused } = expectedImport(COUNT);
  const all = exact + ended + unclaimed;
  expect(before).toBeGreaterThanOrEqual(KILLS_AT.at(-1) ?? 0);
  expect(before).toBeLessThan(all);

  // Those that the killed ones took in are known now, and the doubled ones among them twice.
  const report = await runToEnd(1, "statement", "import", file);
  expect(report).toMatchObject({ known: before + known, refused: { count: refused } });
  const outcomes = await db.run<{ outcome: string; count: number }>({
    text: "select outcome, count(*)::int as count from bank_lines group by 1 order by 1",
  });
  expect(outcomes).toEqual([
    { outcome: "ended", count: ended },
    { outcome: "exact", count: exact },
    { outcome: "unclaimed", count: unclaimed },
  ]);
  const [wrong] = await db.run<{ count: number }>({
    text: `select count(*)::int as count from payments p
            where p.received_amount <> coalesce((select sum(t.amount) from bank_lines t
                                                  where t.project_id = p.project_id and t.request_id = p.request_id), 0)
               or (p.state = 'success') <> (p.received_amount = p.requested_amount and p.decline_code is null)`,
    timeoutMs: 0,
  });
  expect(wrong?.count).toBe(0);

  // A file about nothing proves nothing.
  const nothing = join(directory, "nothing.csv");
  writeFileSync(nothing, [...importedLines(account.code, 0, bookedAt)].join(""));
  expect(await runToEnd(1, "reconcile", account.code, nothing)).toMatchObject({ period: null, closing: null });
  const later = join(directory, "later.csv");
  writeFileSync(later, [...differingLines(account.code, COUNT, bookedAt, otherDay)].join(""));
  const day = bookedAt.slice(0, 10);
  const { differences } = await runToEnd(4, "reconcile", account.code, later, "--from", day, "--to", day);
  const found: Record<string, string[]> = {};
  for (const { kind, reference } of differences as { kind: string; reference: string }[]) {
    found[kind] = [...(found[kind] ?? []), reference];
  }
  const byNumber = (one: string, other: string) => Number(one.slice(2)) - Number(other.slice(2));
  for (const references of Object.values(found)) references.sort(byNumber);
  expect(found).toEqual(expectedDifferences(COUNT));
  expect((await checkLedger(db)).violations).toEqual([]);
}, 300_000);
