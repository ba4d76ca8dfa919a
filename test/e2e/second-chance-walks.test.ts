import fc from "fast-check";
import { beforeAll, expect, it, vi } from "vitest";
import { cardRowOf, newPageToken } from "../../src/app/cards/card-secrets.ts";
import { type ApplyPayment, openApplyPayments } from "../../src/app/payments/apply-payments.ts";
import type { SandboxFault } from "../../src/connectors/sandbox/control.ts";
import { minor } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { sizeOf } from "../../src/testing/run/run-form.ts";
import { serviceKeyring } from "../../src/testing/service/service-keyring.ts";
import {
  openTestSandbox,
  ourBooks,
  sandboxBooks,
  type TestSandbox,
} from "../../src/testing/service/test-sandbox-control.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { type Made, usePayShop } from "../browser/pay-shop.ts";
import { passThroughPage, RIGHT_CODE, WRONG_CODE } from "../payer-browser.ts";
import { CARDS, chargesOf, deed, payByCard, payByTransfer, see, trailOf } from "./page-payer.ts";

/**
 * Payers who choose, leave, lose answers and come back, with acquirers that change their mind and money that comes late, all on one
 * clock: of one payment never two charges are approved and kept, the merchant hears of one end, and the sandbox's own books agree with
 * our ledger, whose invariants are checked after the test.
 */
const database = useTestDatabase();
const service = useTestService(database);
const shop = usePayShop(database, service);
const { db } = database;
let sandbox: TestSandbox;
let apply: ApplyPayment;
let keyring: Awaited<ReturnType<typeof serviceKeyring>>;

beforeAll(async () => {
  sandbox = await openTestSandbox(db, service);
  keyring = await serviceKeyring(db, service);
  apply = openApplyPayments(db);
});

const CHOICES = ["approved", "declined", "poor", "challenged", "transfer", "twoTabs", "dead"] as const;
const DISTURBANCES = [
  ...["change", "change", "confirm", "cancel", "codeRight", "codeWrong", "answerLost", "answerLost", "neverArrived"],
  ...["lateApproval", "lateApproval", "lateMoney", "told", "tellTwice", "outOfOrder", "wait", "wait"],
] as const;
type Command = (typeof CHOICES)[number] | (typeof DISTURBANCES)[number];
type Step = readonly [command: Command, chance: number];

const AMOUNT = 250_002;
const WAIT = { timeout: 120_000, interval: 50 } as const;
const WAITS_S = [5, 35, 35, 300] as const;
const OVER = ["success", "decline"];
/** A payer may have to wait for a worker, which is busy with the others. */
const SETTLED_IN_MS = 400;

const trail = (made: Made) => trailOf(db, shop.projectId(), made);
const fault = (kind: SandboxFault["kind"], more: Partial<SandboxFault> = {}) =>
  sandbox.addFault({ projectId: shop.projectId(), kind, ...more } as SandboxFault);

/** The process that took the card dies before it has chosen an acquirer. */
async function chooseAndDie(made: Made): Promise<void> {
  const { requestId } = await trail(made);
  const name = { projectId: shop.projectId(), requestId };
  await apply({
    ...{ ...name, actor: "payer", payin: { kind: "card_chosen" } },
    choice: {
      ...{ method: "card-ecom", rates: { basisPoints: 250, fixed: minor(0) }, lifetimeS: 600, bank: undefined },
      card: cardRowOf(keyring, name, CARDS.approved, newPageToken()),
    },
  });
}

async function passCode(made: Made, code: string): Promise<void> {
  const { challenge_url } = await see(made);
  const codes = code === RIGHT_CODE ? [code] : [code, code, code];
  // The challenge may end at any moment: then the issuer's page has no form any more.
  if (challenge_url !== undefined) await passThroughPage(challenge_url, ...codes).catch(() => undefined);
}

async function anAttempt(made: Made, chance: number): Promise<string> {
  const { attempts } = await trail(made);
  return attempts[chance % Math.max(attempts.length, 1)]?.reference ?? "none";
}

const DO: Readonly<Record<Command, (made: Made, chance: number) => Promise<unknown>>> = {
  approved: (made) => payByCard(made, CARDS.approved),
  declined: (made) => payByCard(made, CARDS.declined),
  poor: (made) => payByCard(made, CARDS.poor),
  challenged: (made) => payByCard(made, CARDS.challenged),
  transfer: payByTransfer,
  twoTabs: (made) =>
    Promise.all([payByCard(made, CARDS.approved), payByCard(made, CARDS.declined), payByTransfer(made)]),
  change: (made) => Promise.all([deed(made, "change"), deed(made, "change")]),
  confirm: (made) => deed(made, "confirm"),
  cancel: (made) => deed(made, "cancel"),
  codeRight: (made) => passCode(made, RIGHT_CODE),
  codeWrong: (made) => passCode(made, WRONG_CODE),
  dead: chooseAndDie,
  answerLost: () => fault("error500_after_success", { call: "create" }),
  neverArrived: () => fault("error500_before", { call: "create" }),
  lateApproval: async (made, chance) => sandbox.endCharge(await anAttempt(made, chance), { status: "approved" }),
  lateMoney: async (made, chance) => sandbox.sendMoney(await anAttempt(made, chance), AMOUNT),
  told: async (made, chance) => sandbox.tellCharge(await anAttempt(made, chance)),
  tellTwice: () => fault("duplicate", { times: 3 }),
  outOfOrder: () => fault("out_of_order", { times: 3 }),
  wait: (_made, chance) => shop.moveClock(WAITS_S[chance % WAITS_S.length] ?? 5),
};

type Walked = Made & {
  /** Only an acquirer that changes its mind, or a payer at the bank in the last moment, makes a charge that has to go back. */
  readonly mayGoBack: boolean;
};

async function walk(steps: readonly Step[]): Promise<Walked> {
  const made = await shop.create({
    amount: AMOUNT,
    general: { merchant_callback_url: "http://127.0.0.1:9/callbacks" },
  });
  for (const [command, chance] of steps) {
    await DO[command](made, chance);
    await new Promise((resolve) => setTimeout(resolve, chance % SETTLED_IN_MS));
  }
  return { ...made, mayGoBack: steps.some(([command]) => command === "lateApproval" || command === "codeRight") };
}

/** Of half of the payments the first attempt speaks once more: a charge is approved after all, or money comes for it. */
async function speakAgain(walked: readonly Walked[]): Promise<void> {
  for (const made of walked.slice(0, walked.length / 2)) {
    await DO.lateApproval(made, 0);
    await DO.lateMoney(made, 0);
  }
}

/** Everything ends by the clock, and what came too late is noticed by the late looks. */
async function letTimePass(walked: readonly Made[]): Promise<void> {
  await sandbox.clearFaults(shop.projectId());
  for (const seconds of [40, 40, 900, 2_000, 2_000, 86_400, 86_400]) {
    await shop.moveClock(seconds);
    await vi.waitFor(async () => expect(await countDue()).toBe(0), WAIT);
  }
  for (const made of walked) {
    const { state } = await trail(made);
    expect([...OVER, "dispute:different_amount", "dispute:confirm_timeout"]).toContain(state);
  }
}

async function countDue(): Promise<number> {
  const [row] = await db.run<{ count: number }>({
    text: `select (select count(*) from payments where due_at <= now())::int
                + (select count(*) from page_choices where due_at <= now())::int as count`,
  });
  return row?.count ?? -1;
}

async function judge(made: Walked, spokeAgain: boolean): Promise<void> {
  const { state, choices, attempts, told, suspense } = await trail(made);
  const charges = await chargesOf(
    database.sandboxUrl,
    attempts.map(({ reference }) => reference),
  );
  const kept = charges.filter((status) => status === "approved");
  // No choice was accepted while the outcome of the one before was open.
  if (!made.mayGoBack && !spokeAgain) expect(charges).not.toContain("reversed");
  expect(kept.length).toBeLessThanOrEqual(1);
  const isByCard = choices.at(-1)?.method === "card-ecom";
  if (state === "decline" || (state === "success" && !isByCard)) expect(kept).toEqual([]);
  if (state === "success" && isByCard) expect(kept).toEqual(["approved"]);
  expect(told.filter((status) => OVER.includes(status)).length).toBe(OVER.includes(state) ? 1 : 0);
  expect(choices.length).toBeLessThanOrEqual(5);
  expect(suspense).toBeGreaterThanOrEqual(0n);
}

/** The payer chooses, and then something happens. */
const aStep = <C extends Command>(commands: readonly C[]) =>
  fc.tuple(fc.constantFrom(...commands), fc.nat({ max: 10_000 }));
const aWalk = (turns: number): fc.Arbitrary<readonly Step[]> =>
  fc
    .array(fc.tuple(aStep(CHOICES), aStep(DISTURBANCES)), { minLength: turns, maxLength: turns })
    .map((pairs) => pairs.flat());
const { payers, turns, rounds } = sizeOf({
  short: { payers: 6, turns: 4, rounds: 1 },
  long: { payers: 16, turns: 5, rounds: 2 },
});

it("whatever payers and acquirers do, a payment is charged once, ends once, and the books agree", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aWalk(turns), { minLength: payers, maxLength: payers }), async (walks) => {
      const walked = await Promise.all(walks.map(walk));
      await speakAgain(walked);
      await letTimePass(walked);
      await vi.waitFor(async () => expect(await ourBooks(db)).toEqual(await sandboxBooks(sandbox)), WAIT);
      for (const [at, made] of walked.entries()) await judge(made, at < walked.length / 2);
    }),
    // A payment is another one each time, and its name is not the same: nothing smaller can be found by running it again.
    { numRuns: rounds, endOnFailure: true },
  );
}, 600_000);
