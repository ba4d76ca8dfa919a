import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { signRequest } from "../../sdk/src/index.ts";
import { freePort } from "../../src/testing/http/free-port.ts";
import { type Line, useTwoGateways } from "../../src/testing/rigs/two-gateways.ts";
import { untilBooksAgree } from "../../src/testing/rigs/two-gateways-books.ts";
import {
  type Door,
  type DoorRule,
  LOSE,
  LOSE_ANSWER,
  openDoor,
  PASS,
} from "../../src/testing/rigs/two-gateways-door.ts";
import { sizeOf } from "../../src/testing/run/run-form.ts";
import { type KilledShop, openKilledShop } from "../stress/killed-shop.ts";
import { countTaken, expectEachOnce, letAllEnd } from "./upstream-endurance.ts";

/** The network between A and B goes wrong in every way: each payment ends as it must, and no payout leaves twice. */
const env: Record<string, string> = {};
let callbacks: Door;
let calls: Door;

// Before A starts: its public address is the door, so that B's callbacks come through it.
beforeAll(async () => {
  callbacks = await openDoor(() => `http://127.0.0.1:${env.PORT}`);
  calls = await openDoor(() => gateways.b.service.url());
  env.TILLGATE_PUBLIC_URL = callbacks.url;
  env.PORT = `${await freePort()}`;
});
const gateways = useTwoGateways({ a: { env } });
afterAll(async () => {
  await callbacks.close();
  await calls.close();
});
// Most of it is waiting for others: a busy machine is no fault.
vi.setConfig({ testTimeout: 300_000 });

const COUNT = sizeOf({ short: 24, long: 300 });
const RETRY_SOONER_S = 35;
const FORGERIES = 3;

/** In turns, so that each kind of trouble meets payments of every kind. */
function inTurns(rules: readonly DoorRule[], isMeant: (path: string) => boolean): DoorRule {
  let turn = 0;
  return (passing, forward) => {
    if (!isMeant(passing.path)) return forward();
    const rule = rules[turn % rules.length] ?? PASS;
    turn += 1;
    return rule(passing, forward);
  };
}

const ERROR: DoorRule = async () => ({ status: 500, headers: {}, rawBody: Buffer.from("{}") });
const GARBAGE: DoorRule = async (_passing, forward) => ({ ...(await forward()), rawBody: Buffer.from("<html>") });
const ERROR_AFTER: DoorRule = async (passing, forward) => {
  await forward();
  return ERROR(passing, forward);
};

const TAKEN = { status: 200, headers: {}, rawBody: Buffer.alloc(0) };
const LATE_MS = 400;
/** B believes that it was delivered. */
const LOST: DoorRule = async () => TAKEN;
const DOUBLED: DoorRule = async (_passing, forward) => {
  const [first] = await Promise.all([forward(), forward()]);
  return first;
};
/** B sends the next one of the same payment meanwhile. */
const REORDERED: DoorRule = async (_passing, forward) => {
  // The test may have ended by then.
  void sleep(LATE_MS).then(() => forward().catch(() => undefined));
  return TAKEN;
};

async function pay(line: Line): Promise<KilledShop> {
  const shop = await openKilledShop(gateways.a.database.db, line.shop);
  await gateways.a.service.settled();
  await shop.create(COUNT);
  return shop;
}

/** Payments may end without B's callbacks, which a busy machine sends later. Answers how many there were. */
async function untilAllDelivered({ account: { projectId } }: Line): Promise<number> {
  const count = async (condition: string) => {
    const text = `select count(*)::int as count from callbacks where project_id = $1 ${condition}`;
    const [row] = await gateways.b.database.db.run<{ count: number }>({ text, values: [projectId] });
    return row?.count ?? 0;
  };
  await vi.waitFor(
    async () => {
      // Those that failed are sent again now.
      await gateways.sandbox().passTime(projectId, RETRY_SOONER_S);
      expect(await count("and state <> 'delivered'")).toBe(0);
    },
    { timeout: 120_000, interval: 1_000 },
  );
  return count("");
}

async function allEndWell(line: Line, shop: KilledShop): Promise<void> {
  const taken = countTaken(shop, COUNT);
  await letAllEnd(gateways, { line, shop, sandbox: gateways.sandbox() }, taken);
  await expectEachOnce(gateways, line, taken);
  await untilBooksAgree(gateways, line);
  await shop.receiver.close();
}

describe("calls to B", () => {
  it("whose requests or answers are lost or spoiled are made again under the same name", async () => {
    const line = await gateways.openLine({ baseUrl: calls.url });
    const trouble = [PASS, LOSE, LOSE_ANSWER, PASS, ERROR, ERROR_AFTER, GARBAGE];
    calls.setRule(inTurns(trouble, (path) => path.startsWith("/api/v1/payment/")));
    const shop = await pay(line);
    await vi.waitFor(() => expect(calls.passed.length).toBeGreaterThan(COUNT * 2), { timeout: 60_000 });
    calls.setRule(PASS);
    await allEndWell(line, shop);
  });
});

describe("callbacks of B", () => {
  it("that are lost, doubled or come in another order change nothing of the end", async () => {
    const line = await gateways.openLine();
    callbacks.setRule(inTurns([LOST, DOUBLED, REORDERED, LOSE, PASS], (path) => path.startsWith("/provider/")));
    const shop = await pay(line);
    callbacks.setRule(PASS);
    await allEndWell(line, shop);
  });

  it("that are forged are refused, and are not even a hint", async () => {
    const line = await gateways.openLine();
    const refused: number[] = [];
    const forging: DoorRule = async (passing, forward) => {
      const text = passing.rawBody.toString("utf8").replace('"processing"', '"success"').replace('"paid"', "null");
      const body = JSON.parse(text);
      const forgeries = [
        { rawBody: Buffer.from(JSON.stringify({ ...body, forged: true })) },
        { headers: { ...passing.headers, "x-access-signature": "AAAA" } },
        { headers: { ...passing.headers, ...signedByShop(line, text) }, rawBody: Buffer.from(text) },
      ];
      for (const forgery of forgeries) refused.push((await forward(forgery)).status);
      return forward();
    };
    callbacks.setRule((passing, forward) =>
      passing.path.startsWith("/provider/") ? forging(passing, forward) : forward(),
    );
    await allEndWell(line, await pay(line));
    const delivered = await untilAllDelivered(line);
    callbacks.setRule(PASS);
    expect(delivered).toBeGreaterThan(COUNT);
    expect(refused.length).toBeGreaterThanOrEqual(FORGERIES * delivered);
    expect(refused.filter((status) => status < 400 || status >= 500)).toEqual([]);
  });
});

/** A merchant of A that knows where B's callbacks go, and signs one with its own key. */
function signedByShop({ shop, code }: Line, rawBody: string): Record<string, string> {
  const path = `/provider/${code}/callback`;
  const signed = signRequest({
    credentials: shop.credentials,
    path,
    rawBody,
    timestamp: Math.floor(Date.now() / 1000),
  });
  return { ...signed };
}
