import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Id } from "../../core/ids.ts";
import { readStatementQuestion, type Standing } from "../../core/reports/statement.ts";
import { newId } from "../../platform/new-id.ts";
import { readExport } from "../../testing/builders/read-export.ts";
import { aReportWorld, type ReportWorld } from "../../testing/builders/report-world.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { shortIt, sizeOf } from "../../testing/run/run-form.ts";
import { openBalanceReader } from "../ledger/read-balances.ts";
import type { DirectoryProject } from "../merchants/directory.ts";
import { exportStatement } from "./export-statement.ts";
import { openExportPlaces } from "./open-export.ts";
import { readRegister } from "./read-register.ts";
import { type RunningLine, readStatement } from "./read-statement.ts";

const { db } = useTestDatabase();

type Entry = { readonly projectId: Id; readonly currency: string; readonly createdAt: Date } & Standing;

let world: ReportWorld;
let entries: readonly Entry[];
/** When something happened, and moments around it. */
let moments: readonly string[];

beforeAll(async () => {
  world = await aReportWorld(db, 240);
  entries = await db.run<Entry>({
    text: `select project_id as "projectId", currency, created_at as "createdAt",
                  case when account = 'available' then amount else 0 end as available,
                  case when account = 'locked' then amount else 0 end as locked
             from entries where account in ('available', 'locked')`,
  });
  moments = entries.flatMap(({ createdAt }) =>
    [-1, 0, 1].map((ms) => new Date(createdAt.getTime() + ms).toISOString()),
  );
});

function questionOf(query: Record<string, string>) {
  const question = readStatementQuestion(query);
  if (!question.ok) throw new Error(question.error.description);
  return question.value;
}

async function statementOf(query: Record<string, string>) {
  const lines: RunningLine[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await readStatement(
      db,
      world.scope,
      questionOf({ ...query, ...(cursor === undefined ? {} : { cursor }) }),
    );
    if (!page.ok) throw new Error(page.error);
    lines.push(...page.value.lines);
    cursor = page.value.next;
    if (cursor === undefined) return { ...page.value, lines };
  }
}

const sumOf = (changes: readonly Standing[]) => ({
  available: changes.reduce((sum, { available }) => sum + available, 0n),
  locked: changes.reduce((sum, { locked }) => sum + locked, 0n),
});
const bare = ({ available, locked }: Standing) => ({ available, locked });

const anyStatement = () =>
  fc
    .record(
      {
        project: fc.constantFrom("live" as const, "test" as const),
        currency: fc.constantFrom("RUB", "KZT", "UZS"),
        from: fc.nat().map((n) => moments[n % moments.length] ?? ""),
        to: fc.nat().map((n) => moments[n % moments.length] ?? ""),
      },
      { requiredKeys: ["project", "currency"] },
    )
    .map(({ project, ...rest }) => ({ ...rest, project: world[project] }) as Record<string, string>)
    .filter(({ from, to }) => from === undefined || to === undefined || from < to);

describe("for any period", () => {
  it("opening + lines = closing, in the statement, its file and the register, and opening is all that came before", async () => {
    await fc.assert(
      fc.asyncProperty(anyStatement(), async (query) => {
        const { project, currency } = query;
        const { opening, closing, lines, lineCount } = await statementOf(query);
        const [from, to] = [query.from, query.to].map((text) => (text === undefined ? undefined : new Date(text)));
        const mine = entries.filter((entry) => entry.projectId === project && entry.currency === currency);
        const before = mine.filter(({ createdAt }) => from !== undefined && createdAt < from);
        expect(bare(opening)).toEqual(sumOf(before));
        expect(sumOf([opening, ...lines.map(({ change }) => change)])).toEqual(bare(closing));
        expect(lineCount).toBe(lines.length);
        expect(bare(lines.at(-1)?.after ?? opening)).toEqual(bare(closing));
        const until = mine.filter(({ createdAt }) => to === undefined || createdAt < to);
        expect(bare(closing)).toEqual(sumOf(until));

        const opened = await exportStatement({ db, places: openExportPlaces() }, world.scope, questionOf(query));
        if (!opened.ok) throw new Error(opened.error);
        const file = await readExport(opened.value);
        expect(file.map((line) => line.line_id)).toEqual(lines.map(({ id }) => id));
        const minor = (text = "") => (text === "" ? 0n : BigInt(text.replace(".", "")));
        const inFile = file.map((line) => ({
          available: minor(line.available_in) - minor(line.available_out),
          locked: minor(line.locked_in) - minor(line.locked_out),
        }));
        expect(sumOf([opening, ...(inFile as unknown as Standing[])])).toEqual(bare(closing));
        const last = file.at(-1);
        if (last !== undefined) {
          expect([minor(last.available_after), minor(last.locked_after)]).toEqual([closing.available, closing.locked]);
        }

        const register = await readRegister(db, world.scope, questionOf(query));
        if (!register.ok) throw new Error(register.error);
        const { days } = register.value;
        expect([bare(register.value.opening), bare(register.value.closing)]).toEqual([bare(opening), bare(closing)]);
        expect(bare(days.at(-1)?.closing ?? opening)).toEqual(bare(closing));
        expect(days.reduce((count, day) => count + day.count, 0)).toBe(lines.length);
        const moved = days.reduce((sum, day) => sum + day.received - day.spent, 0n);
        expect(opening.available + opening.locked + moved).toBe(closing.available + closing.locked);
      }),
      { numRuns: sizeOf({ short: 15, long: 1000 }) },
    );
  });

  shortIt("a statement without an end closes with what balance/info answers", async () => {
    for (const projectId of [world.live, world.test]) {
      const project = { id: projectId, currencies: new Set() } as unknown as DirectoryProject;
      const balances = await openBalanceReader(db)(project);
      expect(balances.map(({ currency }) => currency)).toEqual(["KZT", "RUB"]);
      for (const balance of balances) {
        const { closing } = await statementOf({ project: projectId, currency: balance.currency, from: "2026-01-01" });
        expect(bare(closing)).toEqual(bare(balance));
      }
    }
  });
});

describe("a statement", () => {
  shortIt("names the payment and the adjustment that a line belongs to", async () => {
    const { lines } = await statementOf({ project: world.live, currency: "RUB" });
    expect(lines.find(({ kind }) => kind === "hold")).toMatchObject({ paymentId: "sent", direction: "payout" });
    const debit = lines.find(({ kind }) => kind === "debit");
    expect(debit).toMatchObject({ paymentId: null, direction: null });
    expect(debit?.reference).toMatch(/^[0-9a-f]{32}$/);
  });

  shortIt("of another merchant's project is not told from one that does not exist", async () => {
    for (const project of [world.foreign.projectId, newId()]) {
      const question = questionOf({ project, currency: "RUB" });
      const places = openExportPlaces();
      for (const read of [readStatement, readRegister]) {
        expect(await read(db, world.scope, question)).toEqual({ ok: false, error: "not_found" });
      }
      expect(await exportStatement({ db, places }, world.scope, question)).toEqual({ ok: false, error: "not_found" });
    }
  });

  shortIt("needs its project and its currency, and takes no other parameters", () => {
    const faults = (query: Record<string, string>) => {
      const question = readStatementQuestion(query);
      return question.ok ? [] : question.error.fields?.map(({ field, code }) => `${field} ${code}`);
    };
    expect(faults({})).toEqual(["project required", "currency required"]);
    expect(faults({ project: newId(), currency: "RUB", status: "success" })).toEqual(["status unknown_member"]);
    expect(faults({ project: "x", currency: "RUR" })).toEqual(["project bad_format", "currency bad_format"]);
  });
});
