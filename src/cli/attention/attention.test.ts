import { describe, expect, it, vi } from "vitest";
import { recordLedgerCheck } from "../../app/ledger/check-ledger.ts";
import { openApplyPayments } from "../../app/payments/apply-payments.ts";
import { readProviderBalances } from "../../app/providers/read-books.ts";
import { ATTENTION_ENTRIES, type AttentionEntry, STANDINGS, type Standing } from "../../core/attention/attention.ts";
import type { Id } from "../../core/ids.ts";
import { AMOUNT_MAX } from "../../core/money.ts";
import type { CardPayinState, P2pPayinState, PayoutState } from "../../core/payments/states.ts";
import { newId } from "../../platform/new-id.ts";
import type { PaymentKey } from "../../store/payments/payments.ts";
import { heartbeat } from "../../store/processes/processes.ts";
import { saveProviderHealth } from "../../store/providers/provider-health.ts";
import { ASKED_FOR } from "../../testing/builders/asked-for.ts";
import { aCallback, disableUrl } from "../../testing/builders/callbacks.ts";
import { aCardPayin, aPayin, aPayout, CONFIRMED, charged, ISSUED, receive } from "../../testing/builders/payments.ts";
import { aProject, credit, minor, RUB } from "../../testing/builders/projects.ts";
import { aBalance, aConfiguredProvider, fakeBooks } from "../../testing/builders/provider-books.ts";
import { aDesk, anAccount } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openCommandLine, outcomesOf } from "../../testing/program/command-line.ts";
import { cardFile, openBatchRig } from "../../testing/rigs/batch-rig.ts";
import { aFakeAcquirer } from "../../testing/rigs/fake-acquirer.ts";
import {
  APPROVED,
  aFakeProvider,
  NEVER_SEEN,
  open,
  PENDING,
  REFUSED,
  receipt,
  UNKNOWN,
} from "../../testing/rigs/fake-provider.ts";
import { useHandPayoutRig } from "../../testing/rigs/hand-payout-rig.ts";
import { readAttention } from "../../testing/rigs/with-pool.ts";
import { type AttentionLine, linesOf } from "./attention-lines.ts";

const rig = useHandPayoutRig(useTestDatabase());
const { db, keyring } = rig;
const batches = openBatchRig(db);
const PAN = "2200000000000004";
const tillgate = openCommandLine(db, undefined, { openKeyring: async () => keyring, readInput: async () => PAN });
const { print } = outcomesOf(tillgate);
const SOON = { timeout: 60_000, interval: 5 };
const PROOF = ["--reference", "bank-1", "--reason", "seen in the statement"];

/** What was made: what the named command must show of it, and how a person ends it. */
type Scene = {
  readonly shows: string;
  /** `help` is the command that the line names, as words. */
  readonly act: (help: readonly string[]) => Promise<unknown>;
};

async function set({ requestId }: { readonly requestId: Id }, change: string): Promise<void> {
  await db.run({ text: `update payments set ${change} where request_id = $1`, values: [requestId] });
}

async function aRoutedPayout(answers: Parameters<typeof aFakeProvider>[1]) {
  const provider = aFakeProvider(`p-${newId().slice(-8)}`, answers);
  return { provider, key: await rig.aPayout([provider]) };
}

/** A process that lives for the time of a test. */
async function countedProcess(): Promise<{ readonly id: Id }> {
  const id = newId();
  await heartbeat(db, id, "worker");
  return { id };
}

/** Each entry, for real, and how it goes away again. */
const SCENES: Readonly<Record<AttentionEntry, () => Promise<Scene>>> = {
  late: async () => {
    const { key } = await aRoutedPayout({ send: () => APPROVED });
    await set(key, "due_at = now() - interval '5 minutes'");
    return { shows: key.requestId, act: rig.workOff };
  },
  lateBatches: async () => {
    const shop = await batches.aShop();
    const checked = await batches.check(shop, cardFile([1_000, 2_000]));
    if (checked.kind !== "checked") throw new Error(JSON.stringify(checked));
    expect((await batches.confirm(shop, checked.id, shop.author, new Date(Date.now() - 3_700_000))).ok).toBe(true);
    return { shows: checked.id, act: () => batches.makeAll() };
  },
  lateCallbacks: async () => {
    const { projectId } = await aProject(db);
    const { id } = await aCallback(db, projectId, { dueInS: -7_200 });
    return { shows: id, act: () => print("callback", "replay", "--project", projectId, "--state", "pending") };
  },
  openBreakers: async () => {
    await db.run({
      text: `insert into providers (code, kind, book, base_url) values ('acme', 'upstream', 'live', 'https://acme.example')`,
    });
    const { id } = await countedProcess();
    const figures = { calls: 9, refused: 1, lost: 8, p50Ms: 9_000, p95Ms: 10_000, since: new Date() };
    const seen = { provider: "acme", processId: id, ...figures };
    await saveProviderHealth(db, [{ ...seen, state: "open" }]);
    return { shows: "acme", act: () => saveProviderHealth(db, [{ ...seen, state: "closed" }]) };
  },
  restores: async () => {
    await print("restore", "declare", "--reason", "a snapshot was put back");
    return { shows: "The books are right", act: () => print("restore", "resume") };
  },
  faultyRequisites: async () => {
    const { projectId } = await aProject(db, "live");
    const { code } = await anAccount(db, keyring, { value: PAN });
    await db.run({ text: "update requisites set value = '\\x00'" });
    const request = {
      projectId,
      method: "card-p2p",
      currency: RUB,
      bank: undefined,
      expiresAt: new Date(),
      ...ASKED_FOR,
    } as const;
    expect(await aDesk(db, keyring).lend({ ...request, reference: newId(), amount: minor(900) })).toEqual({
      kind: "none",
    });
    return {
      shows: "cannot be opened",
      act: () => print("pool", "requisite", "add", code, "--type", "card", "--value", "-"),
    };
  },
  ledgerViolations: async () => {
    const violations = [{ rule: "balance_differs", where: "project x", detail: "the balance says 1, the entries 2" }];
    await recordLedgerCheck(db, { violations }, "olga");
    return { shows: "The books are right", act: async () => undefined };
  },
  unknown: async () => {
    const { provider, key } = await aRoutedPayout({ send: () => UNKNOWN, payout: () => UNKNOWN });
    await rig.workOff();
    // The operator asks the provider's people; once they answer, the worker hears of it by itself.
    const act = () => {
      provider.answers.payout = () => APPROVED;
      return rig.look(key);
    };
    return { shows: key.requestId, act };
  },
  shortfalls: async () => {
    const key = await aPayout(db, ["claimed", "declined"]);
    const approved = { kind: "approved", clearing: "clearing:sandbox" } as const;
    await openApplyPayments(db)({ ...key, payout: approved, actor: "provider" });
    // Nothing undoes a loss: it is shown for a month.
    return { shows: key.requestId, act: () => set(key, "shortfall_at = now() - interval '31 days'") };
  },
  contradicted: async () => {
    const key = await aPayout(db, ["claimed", "approved"]);
    const contradicted = { kind: "contradicted", clearing: "clearing:sandbox" } as const;
    await openApplyPayments(db)({ ...key, payout: contradicted, actor: "provider" });
    // The payment has ended, and stays so: it is shown for a month.
    return { shows: key.requestId, act: () => set(key, "contradicted_at = now() - interval '31 days'") };
  },
  unexplainedDebits: async () => {
    const account = await anAccount(db, keyring);
    await rig.importDebits(account, { reference: "FEE-1" });
    return { shows: "FEE-1", act: () => print("transfer", "explain", account.code, "FEE-1", "--reason", "fee") };
  },
  disputes: async () => {
    const { requestId } = await aPayout(db, ["claimed", "timed_out"]);
    return { shows: requestId, act: () => print("payment", "settle", requestId, ...PROOF) };
  },
  waitingPayouts: async () => {
    const { code } = await anAccount(db, keyring);
    const { requestId } = await rig.aWaitingPayout();
    await db.run({ text: "update hand_payouts set created_at = created_at - interval '2 hours'" });
    const act = () => print("payout", "complete", requestId, "--account", code, "--reference", "P-1");
    return { shows: requestId, act };
  },
  unsentPayouts: async () => {
    const { provider, key } = await aRoutedPayout({ send: () => APPROVED, payout: () => NEVER_SEEN });
    await rig.pause("provider", provider.code);
    await rig.workOff();
    expect(await rig.find(key)).toMatchObject({ state: "processing:new" });
    await set(key, "updated_at = now() - interval '11 minutes'");
    const act = async () => {
      await rig.resume("provider", provider.code);
      await rig.look(key);
    };
    return { shows: key.requestId, act };
  },
  lowProviderBalances: async () => {
    const { provider, key } = await aRoutedPayout({ send: () => PENDING });
    await aConfiguredProvider(db, provider.code);
    const books = fakeBooks({ balances: [aBalance(300, 699)] });
    const read = () => readProviderBalances({ db, log: rig.deps.log }, provider.code, books);
    await read();
    await rig.workOff();
    expect(await rig.find(key)).toMatchObject({ state: "processing:payout_process" });
    const act = () => {
      books.balances = [aBalance(301, 699)];
      return read();
    };
    return { shows: "10.00 RUB", act };
  },
  unreadProviders: async () => {
    const code = await aConfiguredProvider(db, "silent");
    const answers = fakeBooks();
    const read = () => readProviderBalances({ db, log: rig.deps.log }, code, answers);
    await read();
    await db.run({
      text: "update provider_readings set read_at = now() - interval '11 minutes' where provider = $1",
      values: [code],
    });
    return { shows: code, act: read };
  },
  waitingForRoom: async () => {
    const provider = aFakeProvider("roomy", { payin: (reference) => open(receipt(`of ${reference}`, 1000)) });
    const key = await rig.aPayin([provider]);
    await credit(db, key.projectId, AMOUNT_MAX);
    await rig.workOff();
    await rig.look(key);
    const act = async () => {
      await print("balance", "debit", key.projectId, "5000", "RUB", "--reference", "w-1", "--reason", "paid out");
      expect(await rig.look(key)).toMatchObject({ state: "success" });
    };
    return { shows: key.requestId, act };
  },
  pausedPayouts: async () => {
    const { provider, key } = await aRoutedPayout({ send: () => APPROVED });
    expect(provider.asked).toEqual([]);
    await print("pause", "payouts", key.projectId, "--reason", "night");
    const act = async () => {
      await print("resume", "payouts", key.projectId);
      await rig.workOff();
    };
    return { shows: key.requestId, act };
  },
  unreversedCharges: async () => {
    const cards = aFakeAcquirer({ state: () => ({ kind: "approved", amount: minor(1000) }) });
    const { requestId } = await aCardPayin(db, [{ kind: "never_seen" }, charged(1000)]);
    const worker = rig.startWorker({ findConnector: () => ({ ...aFakeProvider("sandbox"), cards }) });
    await vi.waitFor(async () => expect((await readAttention(db)).unreversedCharges).not.toEqual([]), SOON);
    await worker.stop();
    expect(rig.errors.splice(0)).toEqual([expect.stringContaining("its provider cannot reverse it")]);
    const back = ["--amount", "1000", "--through", "sandbox", "--reference", "r-2", "--reason", "refunded there"];
    return { shows: requestId, act: () => print("suspense", "return", requestId, ...back) };
  },
  suspense: async () => {
    const { requestId } = await lateMoney();
    const back = ["--amount", "500", "--through", "sandbox", "--reference", "r-1", "--reason", "sent back"];
    return { shows: requestId, act: () => print("suspense", "return", requestId, ...back) };
  },
  deadCallbacks: async () => {
    const { projectId } = await aProject(db);
    const { id } = await aCallback(db, projectId, { state: "dead", attempts: [500, "timeout"] });
    return { shows: id, act: () => print("callback", "replay", "--project", projectId) };
  },
  heldCallbacks: async () => {
    const { projectId } = await aProject(db);
    const url = `https://gone.example/${projectId}`;
    await aCallback(db, projectId, { url, dueInS: 600 });
    await disableUrl(db, projectId, url);
    return { shows: url, act: () => print("callback", "enable", url, "--project", projectId) };
  },
  endingKeys: async () => {
    const { projectId } = await aProject(db);
    const inThreeDays = new Date(Date.now() + 3 * 86_400_000).toISOString();
    const add = ["key", "add", "--project", projectId, "--generate", "hmac"];
    const { key_id } = JSON.parse(await print(...add, "--not-after", inThreeDays, "--json"));
    return { shows: key_id, act: () => print(...add) };
  },
  endingCallbackKeys: async () => {
    const { projectId } = await aProject(db);
    const secret = ["--project", projectId, "--kind", "webhook"];
    await print("callback", "key", "show", "--project", projectId);
    await print("callback", "key", "rotate", ...secret, "--overlap", "1");
    // Receivers are told the new one, and the old one's time ends.
    const act = () => db.run({ text: "update callback_keys set retires_at = now() where retires_at is not null" });
    return { shows: "whsec_", act };
  },
  unpromotedKeys: async () => {
    await print("callback", "key", "show");
    await print("callback", "key", "rotate", "--overlap", "1");
    return { shows: "retires", act: () => print("callback", "key", "promote") };
  },
  pauses: async () => {
    await print("pause", "method", "card-p2p", "--reason", "cards are down");
    return { shows: "goes on", act: async () => undefined };
  },
  pausedProjects: async () => {
    const { projectId } = await aProject(db);
    await print("project", "set", projectId, "--status", "paused");
    return { shows: "goes on", act: async () => undefined };
  },
};

async function lateMoney(): Promise<PaymentKey> {
  const key = await aPayin(db, [...ISSUED, { kind: "cancelled" }]);
  await receive(db, key, 500);
  return key;
}

function isEmpty(part: unknown): boolean {
  return Array.isArray(part) ? part.length === 0 : (part as { count: number }).count === 0;
}

const LONG_WAIT = { timeout: 60_000, interval: 20 };

/** What is found and what is printed of it, at a moment at which no second passes between the two: both name ages. */
function readAndPrint(entry: AttentionEntry): Promise<{ line: AttentionLine | undefined; printed: string }> {
  return vi.waitFor(async () => {
    const found = await readAttention(db);
    expect(isEmpty(found[entry])).toBe(false);
    const [line] = linesOf(entry, found);
    const printed = await print("attention");
    expect(linesOf(entry, await readAttention(db))[0]).toEqual(line);
    return { line, printed };
  }, LONG_WAIT);
}

describe("what waits for a person is named, with the command that helps, until it is dealt with", () => {
  it.each(ATTENTION_ENTRIES)("%s", async (entry) => {
    expect(await print("attention")).toBe("Nothing needs attention.");
    const { shows, act } = await SCENES[entry]();
    const { line, printed } = await readAndPrint(entry);
    expect(printed.split("\n")).toContain(`${line?.what} → tillgate ${line?.help}`);
    const help = line?.help.split(" ") ?? [];
    expect(await print(...help)).toContain(shows);
    await act(help);
    expect((await readAttention(db))[entry]).toEqual(entry === "late" ? { count: 0, oldestS: 0 } : []);
    expect(await print("attention")).toBe("Nothing needs attention.");
  });
});

type Builders<S extends string> = Readonly<Record<S, () => Promise<PaymentKey>>>;

const P2P: Builders<P2pPayinState> = {
  "processing:new": () => aPayin(db),
  "processing:requisites": () => aPayin(db, ISSUED.slice(0, 1)),
  "processing:awaiting_confirm": () => aPayin(db, ISSUED),
  "processing:paid": () => aPayin(db, CONFIRMED),
  "dispute:no_payment": () => aPayin(db, [...ISSUED, { kind: "expired" }]),
  "dispute:different_amount": async () => {
    const key = await aPayin(db, CONFIRMED);
    await receive(db, key, 400);
    return key;
  },
  "dispute:confirm_timeout": () => aPayin(db, [...CONFIRMED, { kind: "confirm_timed_out" }]),
  success: async () => {
    const key = await aPayin(db, CONFIRMED);
    await receive(db, key, 1000);
    return key;
  },
  decline: () => aPayin(db, [{ kind: "cancelled" }]),
};

const CARD: Builders<CardPayinState> = {
  "processing:new": () => aCardPayin(db),
  "processing:awaiting_3ds_result": () => aCardPayin(db, [{ kind: "challenged" }]),
  "processing:awaiting_redirect_result": () => aCardPayin(db, [{ kind: "redirected" }]),
  "processing:paid": () => aCardPayin(db, [{ kind: "challenged" }, { kind: "result_passed" }]),
  "dispute:different_amount": () => aCardPayin(db, [charged(400)]),
  "dispute:confirm_timeout": () => aCardPayin(db, [{ kind: "timed_out" }]),
  success: () => aCardPayin(db, [charged(1000)]),
  decline: () => aCardPayin(db, [{ kind: "never_seen" }]),
};

const PAYOUT: Builders<PayoutState> = {
  "processing:new": () => aPayout(db),
  "processing:payout_process": () => aPayout(db, ["claimed"]),
  "dispute:payout_failed": () => aPayout(db, ["claimed", "may_have_left"]),
  "dispute:payout_timeout": () => aPayout(db, ["claimed", "timed_out"]),
  "dispute:incorrect_requisites": () => aPayout(db, ["claimed", "receiver_wrong"]),
  success: () => aPayout(db, ["claimed", "approved"]),
  decline: () => aPayout(db, ["claimed", "declined"]),
};

describe("every state of every machine is named exactly where the table says so", () => {
  const cases = [
    ...walk("p2pPayin", P2P, STANDINGS.p2pPayin),
    ...walk("cardPayin", CARD, STANDINGS.cardPayin),
    ...walk("payout", PAYOUT, STANDINGS.payout),
  ];

  function walk<S extends string>(machine: string, builders: Builders<S>, standings: Readonly<Record<S, Standing>>) {
    return (Object.keys(builders) as S[]).map((state) => [machine, state, builders[state], standings[state]] as const);
  }

  it.each(cases)("%s %s", async (_machine, state, build, standing) => {
    const key = await build();
    expect(await rig.find(key)).toMatchObject({ state });
    const { disputes } = await readAttention(db);
    const isDispute = "by" in standing && standing.by === "disputes";
    expect(disputes.map((pile) => pile.state)).toEqual(isDispute ? [state] : []);
    if (!isDispute) return;
    await print("payment", "decline", key.requestId, "--reference", newId(), "--reason", "test");
    expect((await readAttention(db)).disputes).toEqual([]);
  });
});

it("a payout that a provider refused while the next one is paused is named, and goes on with the resume", async () => {
  const first = aFakeProvider("refuses", { send: () => REFUSED, payout: () => REFUSED });
  const second = aFakeProvider("stopped", { send: () => APPROVED });
  await rig.pause("provider", second.code);
  const key = await rig.aPayout([first, second]);
  await rig.workOff();
  expect(await rig.find(key)).toMatchObject({ state: "processing:payout_process" });
  expect((await readAttention(db)).unsentPayouts).toEqual([]);
  await set(key, "updated_at = now() - interval '11 minutes'");
  expect((await readAttention(db)).unsentPayouts).toMatchObject([{ count: 1, sum: 1000n }]);
  expect(await print("payment", "list", "--attention", "unsent")).toContain(key.requestId);
  await rig.resume("provider", second.code);
  expect(await rig.look(key)).toMatchObject({ state: "success" });
  expect((await readAttention(db)).unsentPayouts).toEqual([]);
});
