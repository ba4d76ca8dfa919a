import { beforeAll, describe, expect, it } from "vitest";
import { configureProject } from "../../src/app/merchants/merchants.ts";
import { parseCsv } from "../../src/core/csv.ts";
import type { MethodOffer } from "../../src/core/merchants/methods.ts";
import { type AccountClient, aMember, openAccountClient, sessionOf } from "../../src/testing/account-client.ts";
import { aPayin, ISSUED } from "../../src/testing/builders/payments.ts";
import { aReportWorld, type ReportWorld } from "../../src/testing/builders/report-world.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";

/** The reports of the personal account, as a browser asks for them. */
const database = useTestDatabase();
// No worker: the payments stay as they were made. Reports are read in sessions that may not write, as on a replica.
const READ_ONLY = "&options=-c%20default_transaction_read_only%3Don";
const service = useTestService(database, { TILLGATE_READ_DATABASE_URL: `${database.url}${READ_ONLY}` }, "api");

/** What a program for tables would run, and what a page would. */
const EVIL = `=HYPERLINK("http://evil.example","<script>alert(1)</script>")`;

let world: ReportWorld;
let accountant: AccountClient;

beforeAll(async () => {
  world = await aReportWorld(database.db, 120);
  await aPayin(database.db, ISSUED, { projectId: world.live, paymentId: EVIL });
  // Switched off, as one that payments were made by once.
  const offers = ["RUB", "KZT"].map(
    (currency) => ({ direction: "payin", method: "card-p2p", currency }) as MethodOffer,
  );
  expect(await configureProject(database.db, world.live, { offers, methods: { enabled: false } })).toMatchObject({
    ok: true,
  });
  const member = await aMember(database.db, world.merchantId, "accountant");
  accountant = openAccountClient(service.url(), (await sessionOf(database.db, member)).token);
  await service.settled();
});

async function fileOf(path: string) {
  const reply = await accountant.get(path);
  expect(reply.status).toBe(200);
  const parsed = parseCsv(reply.json);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const [header = [], ...records] = parsed.value.map(({ fields }) => fields);
  const lines = records.map((fields) => Object.fromEntries(header.map((name, place) => [name, fields[place] ?? ""])));
  return { reply, lines };
}

describe("projects", () => {
  it("are the merchant's own, the live one first, each with its book", async () => {
    const { json } = await accountant.get("projects");
    expect(json).toEqual({
      projects: [
        { id: world.live, name: "Web", book: "live", currencies: ["KZT", "RUB"] },
        { id: world.test, name: "Web", book: "test", currencies: [] },
      ],
    });
  });
});

describe("payments", () => {
  it("come in pages by key, with totals that are the file's", async () => {
    const query = "direction=payin&status=success&currency=RUB";
    const rows: { request_id: string; amount: number; book: string }[] = [];
    let page = (await accountant.get(`payments?${query}`)).json;
    const { totals } = page;
    for (;;) {
      rows.push(...page.rows);
      if (page.next === null) break;
      page = (await accountant.get(`payments?${query}&cursor=${page.next}`)).json;
    }
    const { reply, lines } = await fileOf(`payments.csv?${query}`);
    expect(lines.map((line) => line.request_id)).toEqual(rows.map((row) => row.request_id));
    expect(totals.count).toBe(rows.length);
    expect(reply.headers["x-tillgate-lines"]).toBe(String(rows.length));
    expect(reply.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(reply.headers["content-disposition"]).toBe('attachment; filename="payments.csv"');
    for (const { book, currency, amount } of totals.sums) {
      expect(currency).toBe("RUB");
      const ofBook = rows.filter((row) => row.book === book);
      expect(ofBook.reduce((sum, row) => sum + row.amount, 0)).toBe(amount);
    }
  });

  it("of a filter that cannot be are refused with what is wrong, in the list and in the file", async () => {
    for (const path of ["payments", "payments.csv"]) {
      for (const query of [
        "stauts=success",
        "limit=5",
        "min=x",
        "q=a&q=b",
        "from=2026-02-30",
        `q=${"x".repeat(2000)}`,
      ]) {
        const { status, json } = await accountant.get(`${path}?${query}`);
        expect([query, status, json.error.code]).toEqual([query, 400, "validation_failed"]);
      }
    }
    expect((await accountant.get("payments.csv?cursor=x")).status).toBe(400);
  });

  it("of another merchant's project look like those of one that does not exist", async () => {
    for (const path of ["payments", "payments.csv", "overview"]) {
      const foreign = await accountant.get(`${path}?project=${world.foreign.projectId}`);
      const missing = await accountant.get(`${path}?project=${"0".repeat(32)}`);
      expect([foreign.status, foreign.json]).toEqual([404, missing.json]);
    }
  });

  it("are written into the file as text, never as a formula", async () => {
    const { reply, lines } = await fileOf(`payments.csv?q=${encodeURIComponent(EVIL)}`);
    expect(lines.map((line) => line.payment_id)).toEqual([`'${EVIL}`]);
    expect(reply.headers["x-content-type-options"]).toBe("nosniff");
  });
});

describe("one payment", () => {
  it("is answered with its timeline, ledger and command", async () => {
    const [row] = (await accountant.get("payments?q=new-success")).json.rows;
    const { json } = await accountant.get(`payments/${row.request_id}`);
    expect(json.payment).toMatchObject(row);
    expect(json.project.book).toBe(row.book);
    expect(json.timeline.map(({ to }: { to: object }) => to).at(-1)).toEqual({ status: "success", sub_status: null });
    const changes = json.ledger.map(({ change }: { change: { available: number; locked: number } }) => change);
    expect(
      changes.reduce((sum: number, { available, locked }: (typeof changes)[0]) => sum + available + locked, 0),
    ).toBe(975);
    expect(json.curl).toContain(`${service.url()}/api/v1/payment/p2p/payin/info`);
  });
});

describe("the statement", () => {
  it("closes with the balance, and its file and register agree with it", async () => {
    for (const project of [world.live, world.test]) {
      const query = `project=${project}&currency=RUB&from=2026-01-01`;
      const { json } = await accountant.get(`statement?${query}`);
      const { json: register } = await accountant.get(`register?${query}`);
      const { lines } = await fileOf(`statement.csv?${query}`);
      const [balance] = await database.db.run<{ available: bigint; locked: bigint }>({
        text: "select available, locked from balances where project_id = $1 and currency = 'RUB'",
        values: [project],
      });
      expect(json.closing).toEqual({ available: Number(balance?.available), locked: Number(balance?.locked) });
      expect(json.line_count).toBe(lines.length);
      expect([register.opening, register.closing]).toEqual([json.opening, json.closing]);
      expect(register.days.at(-1).closing).toEqual(json.closing);
      expect(lines.at(-1)?.available_after?.replace(".", "")).toBe(String(json.closing.available));
      expect(JSON.stringify([json, register])).not.toContain("clearing:");
    }
  });

  it("needs its project and currency", async () => {
    const { status, json } = await accountant.get("statement");
    expect([status, json.error.fields.map(({ field }: { field: string }) => field)]).toEqual([
      400,
      ["project", "currency"],
    ]);
  });
});

describe("a read replica", () => {
  it("answers the lists", async () => {
    expect((await accountant.get("payments")).status).toBe(200);
    const sessions = await database.db.run({
      text: `select from pg_stat_activity where datname = current_database() and application_name = 'tillgate reports'`,
    });
    expect(sessions.length).toBeGreaterThan(0);
  });
});

describe("the overview", () => {
  it("has balances, series, totals and what needs attention", async () => {
    const { json } = await accountant.get("overview?days=30");
    expect(Object.keys(json)).toEqual(["balances", "totals", "series", "attention"]);
    expect(json.balances.map(({ project_id }: { project_id: string }) => project_id)).not.toContain(
      world.foreign.projectId,
    );
    expect(json.series.every(({ points }: { points: unknown[] }) => points.length === 30)).toBe(true);
    expect(json.attention.map(({ kind }: { kind: string }) => kind)).toEqual(["disputes", "disputes"]);
  });
});
