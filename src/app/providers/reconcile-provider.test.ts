import { describe, expect, it } from "vitest";
import type { PayinState, PayoutOutcome, ProviderEntry } from "../../core/connector.ts";
import type { Minor } from "../../core/money.ts";
import type { RegisterItem } from "../../core/provider-books/register-file.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { PaymentKey } from "../../store/payments/payments.ts";
import { PORTION_STATEMENT } from "../../store/providers/our-entries.ts";
import { referenceOf } from "../../testing/builders/payments.ts";
import { minor, RUB } from "../../testing/builders/projects.ts";
import { aConfiguredProvider, fakeBooks } from "../../testing/builders/provider-books.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { APPROVED, aFakeProvider, open, PENDING, REFUSED } from "../../testing/rigs/fake-provider.ts";
import { useWorkerRig } from "../../testing/rigs/worker-rig.ts";
import { type AnswerSource, reconcileProvider } from "./reconcile-provider.ts";
import type { ProviderReconciliation } from "./reconcile-report.ts";

const database = useTestDatabase();
const { db } = database;
const rig = useWorkerRig(database);

const PERIOD = { since: new Date(Date.now() - 3_600_000), until: new Date(Date.now() + 3_600_000) };
let made = 0;

/** A provider with payments of every fate, as the worker brought them there; ours is what the database then holds. */
async function aNewWorld() {
  made += 1;
  const code = await aConfiguredProvider(db, `world-${made}`);
  const payins = new Map<string, PayinState>();
  const payouts = new Map<string, PayoutOutcome>();
  const connector = aFakeProvider(code, {
    payin: (reference) => payins.get(reference) ?? open(),
    send: (reference) => payouts.get(reference) ?? PENDING,
    payout: (reference) => payouts.get(reference) ?? PENDING,
  });
  const payin = async (answer: (reference: string) => PayinState) => {
    const key = await rig.aPayin([connector]);
    await rig.workOff();
    const reference = await referenceOf(db, key);
    payins.set(reference, answer(reference));
    await rig.look(key);
    return { key, reference };
  };
  const payout = async (answer: PayoutOutcome) => {
    const key = await rig.aPayout([connector]);
    await rig.workOff();
    const reference = await referenceOf(db, key);
    payouts.set(reference, answer);
    await rig.look(key);
    return { key, reference };
  };
  const arrived = (amount: number, fee?: number) => (): PayinState => ({
    ...{ kind: "open", requisites: undefined, receipts: [], total: { amount: minor(amount), receivedAt: new Date() } },
    ...(fee === undefined ? {} : { fee: minor(fee) }),
  });
  return {
    code,
    paid: (await payin(arrived(1000, 15))).reference,
    other: (await payin(arrived(400))).reference,
    waiting: (await payin(() => open())).reference,
    declined: (await payin(() => ({ kind: "declined", receipts: [] }))).reference,
    sent: (await payout({ ...APPROVED, fee: minor(7) })).reference,
    pending: (await payout(PENDING)).reference,
    refused: (await payout(REFUSED)).reference,
  };
}

type World = Awaited<ReturnType<typeof aNewWorld>>;

let world: Promise<World> | undefined;

/** One for all that only read it. */
function aWorld(): Promise<World> {
  world ??= aNewWorld();
  return world;
}

function entry(status: "success" | "decline" | "open", amount: number, fee?: number): ProviderEntry {
  return {
    ...{ kind: "entry", status, word: `their ${status}`, amount: minor(amount), currency: RUB },
    fee: fee === undefined ? undefined : minor(fee),
  };
}

/** What a provider says that agrees with us. */
function agreeing(world: World): Map<string, ProviderEntry> {
  return new Map([
    [world.paid, entry("success", 1000, 15)],
    [world.other, entry("open", 400)],
    [world.waiting, entry("open", 1000)],
    [world.declined, entry("decline", 1000)],
    [world.sent, entry("success", 1000, 7)],
    [world.pending, entry("open", 1000)],
    [world.refused, { kind: "never_seen" }],
  ]);
}

async function ask(
  { code }: World,
  said: ReadonlyMap<string, ProviderEntry>,
  change: Partial<AnswerSource> = {},
): Promise<ProviderReconciliation & { asked: readonly string[] }> {
  const books = fakeBooks({ entry: (reference) => said.get(reference) ?? { kind: "unknown" } });
  const source = { kind: "answers", readEntry: books.readEntry, known: new Map(), onAnswer: () => undefined } as const;
  const result = await reconcileProvider(db, { provider: code, period: PERIOD, source: { ...source, ...change } });
  return { ...result, asked: books.asked };
}

type Lines = readonly (readonly [reference: string, said: ProviderEntry])[];

function register(world: World, lines: Lines, period = PERIOD): Promise<ProviderReconciliation> {
  const items = lines.flatMap(([reference, said], index): RegisterItem[] => {
    if (said.kind !== "entry") return [];
    const { kind: _, ...their } = said;
    return [{ kind: "line", value: { ...their, reference, line: index + 2, direction: undefined } }];
  });
  return compareFile(world, [ok(items)], period);
}

function compareFile(
  { code }: World,
  portions: readonly Result<readonly RegisterItem[], string>[],
  period = PERIOD,
): Promise<ProviderReconciliation> {
  async function* read() {
    yield* portions;
  }
  return reconcileProvider(db, { provider: code, period, source: { kind: "register", portions: read() } });
}

const kindsOf = ({ differences }: ProviderReconciliation) =>
  differences.map(({ kind, reference }) => `${kind} ${reference}`).toSorted();

/** What the clearing account says that the provider holds for us. */
async function ledgerOf(code: string): Promise<Minor> {
  const [row] = await db.run<{ sum: Minor }>({
    text: "select -coalesce(sum(amount), 0)::bigint as sum from entries where account = $1",
    values: [`clearing:${code}`],
  });
  return row?.sum ?? minor(0);
}

describe("a provider's answers", () => {
  it("that agree, entry by entry, and the sums are the ledger's", async () => {
    const world = await aWorld();
    const result = await ask(world, agreeing(world));
    expect(result).toMatchObject({ attempts: 7, unansweredCount: 0, differences: [], fault: undefined });
    expect(result.counts.size).toBe(0);
    const side = { payins: { count: 1, amount: 1000n }, payouts: { count: 1, amount: 1000n }, fees: 22n, net: -22n };
    expect(result.totals).toEqual([
      { currency: RUB, ours: side, theirs: side, undirected: { count: 0, amount: 0n }, difference: 0n },
    ]);
    // What arrived of another sum waits in suspense: the ledger has it, and neither side calls it a success.
    expect(await ledgerOf(world.code)).toBe(-22n + 400n);
    expect(result.asked).toContain(`payin ${world.paid}`);
    expect(result.asked).toContain(`payout ${world.sent}`);
  });

  it("that differ", async () => {
    const world = await aWorld();
    const said = agreeing(world);
    said.set(world.paid, entry("success", 999, 16));
    said.set(world.declined, entry("success", 1000));
    said.set(world.waiting, { kind: "never_seen" });
    said.set(world.sent, entry("decline", 1000));
    said.set(world.refused, entry("success", 1000));
    const result = await ask(world, said);
    expect(kindsOf(result)).toEqual(
      [
        `other_amount ${world.paid}`,
        `other_fee ${world.paid}`,
        `other_status ${world.declined}`,
        `missing_there ${world.waiting}`,
        `other_status ${world.sent}`,
        `other_status ${world.refused}`,
      ].toSorted(),
    );
    expect(result.counts.get("other_status")).toBe(3);
    expect(result.totals).toMatchObject([
      { ours: { net: -22n }, theirs: { payins: { count: 2 }, payouts: { count: 1 }, fees: 16n }, difference: 1005n },
    ]);
  });

  it("that do not come are listed, never as missing", async () => {
    const world = await aWorld();
    const said = agreeing(world);
    said.delete(world.paid);
    const result = await ask(world, said);
    expect(result).toMatchObject({ attempts: 6, unansweredCount: 1, unanswered: [world.paid], differences: [] });
  });

  it("that are known from an earlier run are not asked for again", async () => {
    const world = await aWorld();
    const said = agreeing(world);
    const noted = new Map();
    let asked = 0;
    const readEntry: AnswerSource["readEntry"] = async ({ reference }) =>
      asked++ < 3 ? (said.get(reference) ?? expect.unreachable()) : Promise.reject(new Error("cut off"));
    const onAnswer: AnswerSource["onAnswer"] = (reference, answer) => noted.set(reference, answer);
    expect((await ask(world, said, { readEntry, onAnswer })).unansweredCount).toBe(4);
    const again = await ask(world, said, { known: noted });
    expect(again).toMatchObject({ attempts: 7, unansweredCount: 0, differences: [] });
    expect(again.asked).toHaveLength(7 - noted.size);
  });

  it("are compared with what we have after they came, not before", async () => {
    const world = await aNewWorld();
    const said = agreeing(world);
    said.set(world.pending, entry("success", 1000));
    const [row] = await db.run<PaymentKey>({
      text: `select project_id as "projectId", request_id as "requestId" from attempts where reference = $1`,
      values: [world.pending],
    });
    const clearing = `clearing:${world.code}` as const;
    const readEntry: AnswerSource["readEntry"] = async ({ reference }) => {
      if (reference === world.pending && row !== undefined)
        await rig.deps.apply({ ...row, payout: { kind: "approved", clearing }, actor: "provider" });
      return said.get(reference) ?? expect.unreachable();
    };
    expect(await ask(world, said, { readEntry })).toMatchObject({ attempts: 7, differences: [] });
  });
});

describe("a provider's register", () => {
  it("that agrees", async () => {
    const world = await aWorld();
    const result = await register(world, [...agreeing(world)]);
    expect(result).toMatchObject({ attempts: 7, lines: 6, otherTime: 0, differences: [] });
    expect(result.totals).toMatchObject([{ difference: 0n }]);
  });

  it("that lacks one, has one more, and one twice", async () => {
    const world = await aWorld();
    const lines = [...agreeing(world)].filter(([reference]) => reference !== world.paid);
    const twice = [world.sent, entry("success", 1000, 7)] as const;
    const result = await register(world, [...lines, twice, ["not-ours", entry("success", 77)]]);
    expect(kindsOf(result)).toEqual(
      [`missing_there ${world.paid}`, "missing_here not-ours", `doubled ${world.sent}`].toSorted(),
    );
    expect(result.differences.find(({ kind }) => kind === "missing_here")).toMatchObject({ ours: null, line: 9 });
    expect(result.totals).toMatchObject([{ undirected: { count: 1, amount: 77n }, theirs: { payins: { count: 0 } } }]);
  });

  it("that has what we made at another time: it is compared, and not missing", async () => {
    const world = await aWorld();
    const before = { since: new Date(0), until: new Date(1) };
    const result = await register(world, [...agreeing(world)], before);
    expect(result).toMatchObject({ attempts: 6, otherTime: 6, differences: [] });
  });

  it("with lines that cannot be read, or that breaks off", async () => {
    const world = await aWorld();
    const refused = { kind: "refused", value: { line: 2, reason: "no sum" } } as const;
    expect(await compareFile(world, [ok([refused])])).toMatchObject({ refusedCount: 1, refused: [refused.value] });
    const broken = await compareFile(world, [ok([refused]), fail("not text")]);
    expect(broken).toMatchObject({ fault: "not text", attempts: 0, differences: [], totals: [] });
  });
});

it("reads a day along the index of configured providers, however many others there are", async () => {
  const plan = await db.transaction(async (tx) => {
    await tx.run({ text: "set local enable_seqscan = off" });
    return tx.run({
      text: `explain ${PORTION_STATEMENT}`,
      values: ["alpha", PERIOD.since, "r", PERIOD.until, 500],
    });
  });
  const text = JSON.stringify(plan);
  expect(text).toContain("attempts_of_configured");
  // A portion begins where the one before ended: it does not read the day from its start.
  expect(text).toMatch(/Index Cond: [^"]*ROW\(created_at, reference\) > ROW\(/);
});
