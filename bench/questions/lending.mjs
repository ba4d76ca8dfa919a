// How many requisites does one pool lend a minute? 64 lenders at once on 20 accounts, as workers ask for them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openKeyring } from "../../dist/app/processes/open-keyring.js";
import { masterKey } from "../../dist/platform/secrets.js";
import { openPoolDesk } from "../../dist/pool/app/open-pool-desk.js";
import { openDatabase } from "../../dist/store/db.js";
import { startService } from "../kit/service.mjs";

const ACCOUNTS = 20;
const LENDERS = 64;
const LENDINGS = 6_000;
const AIM_A_MINUTE = 2_000;

export async function benchLending() {
  const service = await startService({ role: "api" });
  const db = openDatabase({
    connection: service.database,
    connectionsMax: 20,
    applicationName: "bench",
    onIdleError: () => {},
  });
  try {
    for (let index = 0; index < ACCOUNTS; index += 1) addAccount(service, index);
    const master = masterKey(Buffer.from(readFileSync(join(service.stateDir, "master.key"), "utf8").trim(), "hex"));
    const keyring = await openKeyring(db, { current: master, previous: undefined });
    if (!keyring.ok) throw new Error(keyring.error);
    const desk = openPoolDesk({ db, keyring: keyring.value, log: { error: () => {} } });
    const { seconds, waits } = await lendAll(desk, service.sandbox.project_id);
    const spread = await db.run({
      text: "select count(*)::int as lent from lendings group by account_id order by 1",
    });
    const mean = LENDINGS / ACCOUNTS;
    const furthest = Math.max(...spread.map(({ lent }) => Math.abs(lent - mean))) / mean;
    return {
      question: `requisites lent from one pool: ${LENDERS} lenders at once, ${ACCOUNTS} accounts, ${LENDINGS} sums`,
      rows: [
        {
          name: "lent",
          perSecond: LENDINGS / seconds,
          p50Ms: waits[Math.floor(waits.length / 2)],
          p99Ms: waits[Math.floor(waits.length * 0.99)],
          aim: `thousands a minute; ${Math.round((LENDINGS / seconds) * 60)} a minute (${AIM_A_MINUTE} at least)`,
        },
      ],
      notes: [`The account furthest from an even share is ${(furthest * 100).toFixed(1)} % off (at most 20 %)`],
    };
  } finally {
    await db.close();
    await service.stop();
  }
}

async function lendAll(desk, projectId) {
  let next = 0;
  const waits = [];
  const began = performance.now();
  const lend = async () => {
    while (next < LENDINGS) {
      const number = next;
      next += 1;
      const asked = performance.now();
      const answer = await desk.lend({
        ...{ reference: `bench-${number}`, projectId, method: "card-p2p", currency: "RUB", bank: undefined },
        amount: BigInt(10_000 + number),
        expiresAt: new Date(),
      });
      if (answer.kind !== "issued") throw new Error(`lending ${number} was answered ${answer.kind}`);
      waits.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: LENDERS }, lend));
  return { seconds: (performance.now() - began) / 1000, waits: waits.sort((one, other) => one - other) };
}

function addAccount({ cli }, index) {
  const code = `bench-${index}`;
  const about = ["--bank", "sberbank", "--currency", "RUB", "--country", "RU", "--holder", "IVAN I.", "--book", "test"];
  cli("pool", "account", "add", code, ...about);
  cli("pool", "requisite", "add", code, "--type", "card", "--value", cardNumber(index));
}

/** With the check digit that ends every card's number. */
function cardNumber(index) {
  const stem = `2200000${String(index).padStart(8, "0")}`;
  const sum = [...stem].reverse().reduce((total, digit, place) => {
    const value = place % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${stem}${(10 - (sum % 10)) % 10}`;
}
