import { once } from "node:events";
import { beforeAll, describe, expect, it } from "vitest";
import { exportPayments } from "../../app/reports/export-payments.ts";
import { openExportPlaces } from "../../app/reports/open-export.ts";
import { readPaymentQuestion } from "../../core/reports/payment-filter.ts";
import { openLog } from "../../platform/log.ts";
import { aReportWorld, type ReportWorld } from "../../testing/builders/report-world.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { csvAnswer } from "./report-file.ts";

const { db } = useTestDatabase();
const log = openLog({ level: "silent", destination: { write: () => undefined } });

let world: ReportWorld;
beforeAll(async () => {
  world = await aReportWorld(db, 2_000);
});

async function answerOf() {
  const question = readPaymentQuestion({});
  if (!question.ok) throw new Error(question.error.description);
  const places = openExportPlaces();
  const opened = await exportPayments({ db, places }, world.scope, question.value);
  if (!opened.ok) throw new Error(opened.error);
  return { places, ...csvAnswer(log, "payments.csv", opened.value) };
}

async function sessionCount(): Promise<number> {
  const rows = await db.run({
    text: `select from pg_stat_activity
            where datname = current_database() and query like '%held%' and pid <> pg_backend_pid()`,
  });
  return rows.length;
}

describe("a browser that goes away", () => {
  it("before it read anything leaves nothing behind", async () => {
    const { stream, places } = await answerOf();
    stream.destroy();
    await once(stream, "close");
    expect(places.taken()).toBe(0);
    await expect.poll(sessionCount).toBe(0);
  });

  it("in the middle of the file, while more of it is fetched, leaves nothing behind", async () => {
    const { stream, places } = await answerOf();
    // The stream fetches ahead of its reader.
    await once(stream, "readable");
    stream.read();
    stream.destroy();
    await once(stream, "close");
    expect(places.taken()).toBe(0);
    await expect.poll(sessionCount).toBe(0);
  });

  it("at the end has every line", async () => {
    const { stream, places, lineCount } = await answerOf();
    let text = "";
    for await (const chunk of stream) text += chunk;
    expect(text.trimEnd().split("\r\n").length).toBe(lineCount + 1);
    expect(places.taken()).toBe(0);
    await expect.poll(sessionCount).toBe(0);
  });
});
