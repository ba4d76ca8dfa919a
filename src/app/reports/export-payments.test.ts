import { beforeAll, describe, expect, it } from "vitest";
import { readPaymentQuestion } from "../../core/reports/payment-filter.ts";
import { aPayin } from "../../testing/builders/payments.ts";
import { readExport } from "../../testing/builders/read-export.ts";
import { aReportWorld, type ReportWorld } from "../../testing/builders/report-world.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { exportPayments } from "./export-payments.ts";
import { type ExportPlaces, openExportPlaces } from "./open-export.ts";

const { db } = useTestDatabase();
/** More than the rows that are fetched at a time. */
const PAYINS = 1_100;

let world: ReportWorld;

beforeAll(async () => {
  world = await aReportWorld(db, PAYINS);
});

async function fileOf(places: ExportPlaces = openExportPlaces(), scope = world.scope) {
  const question = readPaymentQuestion({});
  if (!question.ok) throw new Error(question.error.description);
  const opened = await exportPayments({ db, places }, scope, question.value);
  if (!opened.ok) throw new Error(opened.error);
  return opened.value;
}

async function ownSessions(): Promise<string[]> {
  const rows = await db.run<{ state: string }>({
    text: `select state from pg_stat_activity
            where datname = current_database() and query like '%held%' and pid <> pg_backend_pid()`,
  });
  return rows.map(({ state }) => state);
}

describe("a file of payments", () => {
  it("has every row once, though they are fetched in portions, and is of the moment when it was asked for", async () => {
    const file = await fileOf();
    const before = file.lineCount;
    const { value: header } = await file.parts.next();
    expect(header).toMatch(/^request_id,payment_id,/);
    await aPayin(db, [], { projectId: world.live, paymentId: "while it is read" });
    let text = header ?? "";
    for await (const part of file.parts) text += part;
    const lines = text.trimEnd().split("\r\n").slice(1);
    expect(new Set(lines.map((line) => line.slice(0, 32))).size).toBe(before);
    expect(lines.length).toBe(before);
    expect(before).toBeGreaterThan(2 * PAYINS);
    expect(text).not.toContain("while it is read");
    expect((await readExport(await fileOf())).length).toBe(before + 1);
  });

  it("holds no snapshot while it is read, and no connection afterwards", async () => {
    const file = await fileOf();
    await file.parts.next();
    await file.parts.next();
    // A session in a transaction would be "idle in transaction".
    expect(await ownSessions()).toEqual(["idle"]);
    await file.parts.return();
    await expect.poll(ownSessions).toEqual([]);
  });

  it("is written for so many readers of a merchant at a time, and a reader that goes gives its place back", async () => {
    const places = openExportPlaces();
    const files = [await fileOf(places), await fileOf(places)];
    await expect(fileOf(places)).rejects.toThrow("busy");
    // It read nothing; and one that was closed twice gives back one place.
    await files[0]?.close();
    await files[0]?.close();
    files.push(await fileOf(places));
    await expect(fileOf(places)).rejects.toThrow("busy");
    // Another merchant does not wait for it.
    files.push(await fileOf(places, world.foreign.scope));
    for (const file of files) await file.close();
    expect(places.taken()).toBe(0);
    await expect.poll(ownSessions).toEqual([]);
  });
});
