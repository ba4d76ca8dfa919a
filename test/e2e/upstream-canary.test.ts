import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Credentials, signRequest } from "../../sdk/src/index.ts";
import { findTestCardBehaviour } from "../../src/core/cards/test-cards.ts";
import { type RunningProgram, startProgram } from "../../src/testing/program/program.ts";
import { type Line, useTwoGateways } from "../../src/testing/rigs/two-gateways.ts";
import { type Door, type DoorRule, openDoor } from "../../src/testing/rigs/two-gateways-door.ts";
import { openMerchantClient, payinBody } from "../../src/testing/service/merchant-client.ts";
import { serviceKeyring } from "../../src/testing/service/service-keyring.ts";
import { dumpDatabase, findLeaks, NOT_OPENED, openSealedValues, type Place } from "./leak-search.ts";
import { canReadMemory, countInMemory, heapOptions, readHeap } from "./memory-search.ts";
import { authenticate, goToIssuer } from "./upstream-cardholder.ts";
import { type Counter, counterOf, follow, useShopServer } from "./upstream-counters.ts";

/**
 * A card that went through A to B is found nowhere in A: no table, log, answer or callback, not in the memory of its worker,
 * and after a collection not in the heap of the process that took it. A's processes are the built program, so that their
 * memory holds nothing of the test's. The cards are real by their form: what lies in the program itself, such as the
 * sandbox's cards, would be found in any memory. A door on the way to B puts a card of the sandbox in place of each.
 */
const gateways = useTwoGateways({ a: { role: "api" } });
const shop = useShopServer();

const PAYIN = "/api/v1/payment/ecom/payin";
const AT_ISSUER = "processing:awaiting_3ds_result";
const HOLDER = "ZINAIDA QUETZALCOATL";
const directory = mkdtempSync(join(tmpdir(), "tillgate-memory-"));
const answers: string[] = [];
const programs: RunningProgram[] = [];

/** What each card of this run does, and the sandbox's card that does it. */
const CARDS = {
  charged: { pan: aPan(), atB: "4242424242424242" },
  challenged: { pan: aPan(), atB: "4000000000003220" },
  declined: { pan: aPan(), atB: "4000000000000002" },
  timedOut: { pan: aPan(), atB: "4100401111100062" },
} as const;
const PANS = Object.values(CARDS).map(({ pan }) => pan);
/** A Visa's has three digits, which are found in any memory by themselves: it is searched for with its name. */
const CVV = "739";
const CVV_FORMS = [`"cvv":"${CVV}"`, `cvv:${CVV}`, `cvv=${CVV}`];

let line: Line;
let door: Door;
let api: RunningProgram;
let worker: RunningProgram;
let counter: Counter;

function aPan(): string {
  const digits = `4${Array.from({ length: 14 }, () => Math.floor(Math.random() * 10)).join("")}`;
  const sum = [...digits].reduce((total, digit, at) => {
    const doubled = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  const pan = `${digits}${(10 - (sum % 10)) % 10}`;
  return findTestCardBehaviour(pan) === undefined ? pan : aPan();
}

/** Signed as A signs, since B would refuse a body that was changed. */
function exchangeCards(credentials: () => Credentials): DoorRule {
  return (passing, forward) => {
    if (passing.path !== PAYIN) return forward();
    const { card, ...body } = JSON.parse(passing.rawBody.toString("utf8"));
    const pan = Object.values(CARDS).find((each) => each.pan === card.pan)?.atB;
    const rawBody = JSON.stringify({ ...body, card: { ...card, pan } });
    const signed = {
      credentials: credentials(),
      path: PAYIN,
      rawBody,
      timestamp: Math.floor(Date.now() / 1000),
      scheme: 2,
    };
    const headers = { ...passing.headers, ...signRequest({ ...signed, scheme: 2 }) };
    return forward({ rawBody: Buffer.from(rawBody), headers });
  };
}

async function start(role: "api" | "worker"): Promise<RunningProgram> {
  const { database, service } = gateways.a;
  const program = await startProgram(["start", "--role", role], {
    PATH: process.env.PATH ?? "",
    PORT: "0",
    DATABASE_URL: database.url,
    TILLGATE_SANDBOX_DATABASE_URL: database.sandboxUrl,
    TILLGATE_DATA_DIR: service.stateDir,
    TILLGATE_LOG_LEVEL: "debug",
    NODE_OPTIONS: heapOptions(directory),
  });
  programs.push(program);
  return program;
}

beforeAll(async () => {
  door = await openDoor(() => gateways.b.service.url());
  line = await gateways.openLine({ baseUrl: door.url, settings: { testCards: false } });
  door.setRule(exchangeCards(() => line.account.credentials));
  [api, worker] = [await start("api"), await start("worker")];
  counter = { ...counterOf(gateways, line), client: openMerchantClient(() => api.url, line.shop.credentials) };
});
afterAll(async () => {
  for (const program of programs) await program.end("SIGTERM");
  await door.close();
  rmSync(directory, { recursive: true, force: true });
});

async function pay(pan: string, end: string, play?: (payin: ReturnType<typeof follow>) => Promise<unknown>) {
  const { client } = counter;
  const card = { pan, cvv: CVV, card_holder: HOLDER, expiry_month: 11, expiry_year: 2041 };
  const payment = { method: "card-ecom", amount: 250_000 };
  const { status, headers, json } = await client.post(PAYIN, {
    ...payinBody(client.projectId, { general: shop.urls(), payment }),
    card,
  });
  expect([status, json.code]).toEqual([200, undefined]);
  const payin = follow(counter, PAYIN, json);
  await play?.(payin);
  answers.push(JSON.stringify(headers), JSON.stringify(json), JSON.stringify(await payin.reaches(end)));
}

describe("a card's number and CVV", () => {
  it("go through A to B: charged, challenged, declined, timed out, and refused", async () => {
    await pay(CARDS.charged.pan, "success");
    await pay(CARDS.challenged.pan, "success", async (payin) => {
      await authenticate(await goToIssuer(await payin.reaches(AT_ISSUER)), shop.url(), "1234");
    });
    await pay(CARDS.declined.pan, "decline:provider_declined");
    await pay(CARDS.timedOut.pan, "success", async (payin) => {
      await payin.reaches("processing:new");
      await sleep(500);
      await line.passTime(31);
    });
    const { client } = counter;
    const wrong = { pan: CARDS.charged.pan, cvv: CVV, card_holder: HOLDER, expiry_month: 11, expiry_year: 2020 };
    const body = { ...payinBody(client.projectId, { payment: { method: "card-ecom" } }), card: wrong };
    const refused = await client.post(PAYIN, body);
    expect(refused.status).toBe(422);
    answers.push(JSON.stringify(refused.json));
    // The door saw each of them: what is searched for did go through A.
    const sent = door.passed.filter(({ path }) => path === PAYIN).map(({ rawBody }) => rawBody.toString("utf8"));
    for (const pan of PANS) expect(sent.some((text) => text.includes(pan))).toBe(true);
  });

  it("are found in no table, log, answer or callback", async () => {
    const { db } = gateways.a.database;
    const logged = async () => db.run({ text: "select from request_log" });
    await expect.poll(async () => (await logged()).length, { timeout: 60_000 }).toBeGreaterThan(0);
    const said = (where: string, texts: readonly string[]): Place[] => texts.map((text) => ({ where, text }));
    const received = shop.received().map(({ path, rawBody }) => `${path} ${rawBody.toString("utf8")}`);
    const places = [
      ...(await dumpDatabase(gateways.a.database.url)),
      ...said("log", [...gateways.a.service.logLines(), ...programs.flatMap((each) => each.output().split("\n"))]),
      ...said("answer", answers),
      ...said("shop", received),
    ];
    for (const where of ["public.card_payins", "public.request_log", "log", "answer", "shop"]) {
      expect(places.some((place) => place.where === where)).toBe(true);
    }
    expect(findLeaks(places, { texts: [...PANS, HOLDER], codes: [CVV] })).toEqual([]);
    const sealed = await openSealedValues(gateways.a.database.url, await serviceKeyring(db, gateways.a.service));
    expect(sealed.length).toBeGreaterThan(0);
    expect(sealed.filter(({ text }) => text === NOT_OPENED)).toEqual([]);
    expect(findLeaks(sealed, { texts: [...PANS, HOLDER], codes: [CVV] })).toEqual([]);
  });

  it("are in no byte of the worker's memory", async (context) => {
    if (!canReadMemory()) context.skip();
    expect(countInMemory(worker.pid, [...PANS, HOLDER, ...CVV_FORMS])).toEqual(
      [...PANS, HOLDER, ...CVV_FORMS].map(() => 0),
    );
  });

  it("live in neither heap after a collection", async () => {
    for (const { pid } of [worker, api]) {
      const strings = await readHeap(pid, directory);
      expect(strings.length).toBeGreaterThan(1_000);
      const held = strings.filter((text) => [...PANS, HOLDER, ...CVV_FORMS].some((secret) => text.includes(secret)));
      expect(held).toEqual([]);
    }
  });

  it("would be found by this search", async () => {
    const [pan = ""] = PANS;
    // It is put together there, so that the command line does not hold it.
    const program = `globalThis.kept = { pan: ${JSON.stringify([...pan])}.join(""), body: Buffer.from('{"cvv":"${CVV}"}') };
      globalThis.kept[globalThis.kept.pan] = 1; setInterval(() => {}, 1_000); console.log("ready")`;
    const env = { PATH: process.env.PATH ?? "", NODE_OPTIONS: heapOptions(directory) };
    const child = spawn(process.execPath, ["-e", program], { env, stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    const pid = child.pid ?? 0;
    if (canReadMemory())
      for (const count of countInMemory(pid, [pan, `"cvv":"${CVV}"`])) expect(count).toBeGreaterThan(0);
    expect((await readHeap(pid, directory)).some((text) => text.includes(pan))).toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
  });
});
