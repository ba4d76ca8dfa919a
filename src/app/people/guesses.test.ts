import { beforeEach, describe, expect, it } from "vitest";
import { openLog } from "../../platform/log.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database, Statement } from "../../store/db.ts";
import { aMember, TEST_PASSWORD, type TestMember } from "../../testing/account-client.ts";
import { aProject, testKeyring } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { shortIt, sizeOf } from "../../testing/run/run-form.ts";
import { newBrowserMark } from "./known-browser.ts";
import { openPasswords, type Passwords } from "./passwords.ts";
import type { PeopleDeps } from "./people-deps.ts";
import { signIn } from "./sign-in.ts";

const { db } = useTestDatabase();
const GUESSES = sizeOf({ short: 300, long: 10_000 });
const AT_ONCE = 100;
let nowMs = 1_800_000_000_000;
let hashes = 0;
let member: TestMember;
let deps: PeopleDeps;

beforeEach(async () => {
  member = await aMember(db, (await aProject(db)).merchantId, "owner");
  nowMs += 86_400_000;
  hashes = 0;
  deps = depsOn(db);
});

function depsOn(database: Database): PeopleDeps {
  const real = openPasswords({ log2n: 4, blockSize: 8, parallel: 1 });
  const passwords: Passwords = {
    ...real,
    verify: async (password, hash) => {
      hashes += 1;
      return hash === null || password !== TEST_PASSWORD ? "wrong" : real.verify(password, hash);
    },
  };
  const log = openLog({ level: "silent", destination: { write: () => undefined } });
  const clock = { nowMs: () => nowMs };
  return {
    db: database,
    keyring,
    clock,
    log,
    passwords,
    publicUrl: () => "https://pay.example",
    sendNotice: undefined,
  };
}
const keyring = testKeyring();

async function guess(email: string, address: string, password = "not the password", browserMark?: string) {
  const signed = await signIn(deps, { email, password, caller: { address, userAgent: "", browserMark } });
  return signed.ok ? "in" : signed.error.code;
}

async function guessMany(callOf: (number: number) => readonly [email: string, address: string]): Promise<string[]> {
  const answers: string[] = [];
  for (let from = 0; from < GUESSES; from += AT_ONCE) {
    const batch = Array.from({ length: AT_ONCE }, (_, index) => guess(...callOf(from + index)));
    answers.push(...(await Promise.all(batch)));
  }
  return answers;
}

const addressOf = (number: number) => `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;

describe(`${GUESSES} guesses`, { timeout: 240_000 }, () => {
  it("at one login from as many addresses reach the password ten times", async () => {
    const answers = await guessMany((number) => [member.email, addressOf(number)]);
    expect(hashes).toBe(10);
    expect(answers.filter((answer) => answer === "rate_limited")).toHaveLength(GUESSES - 10);
    // Ten minutes later there are three more, and the right password is given back what it took.
    nowMs += 600_000;
    expect(await guess(member.email, "192.0.2.9", TEST_PASSWORD)).toBe("in");
    const later = [];
    for (let number = 0; number < 5; number += 1) later.push(await guess(member.email, "192.0.2.9"));
    expect(later).toEqual(["sign_in_failed", "sign_in_failed", "sign_in_failed", "rate_limited", "rate_limited"]);
  });

  it("from one address at as many logins reach a password fifty times", async () => {
    await guessMany((number) => [`person-${number}@shop.example`, "192.0.2.77"]);
    expect(hashes).toBe(50);
    expect(await guess(member.email, "192.0.2.78", TEST_PASSWORD)).toBe("in");
  });
});

shortIt("does the same for a login that exists and for one that does not", async () => {
  const seen = async (email: string) => {
    const texts: string[] = [];
    const run: Database["run"] = (statement: Statement) => {
      texts.push(statement.text);
      return db.run(statement);
    };
    deps = depsOn({ ...db, run });
    hashes = 0;
    return { answer: await guess(email, "192.0.2.1"), hashes, texts };
  };
  const known = await seen(member.email);
  expect(known).toMatchObject({ answer: "sign_in_failed", hashes: 1 });
  expect(known.texts).toHaveLength(3);
  expect(await seen("no-one@shop.example")).toEqual(known);
  expect(await seen("not an address")).toEqual(known);
  expect(await seen(`${newId()}@shop.example`)).toEqual(known);
});

shortIt("tells nothing by when it begins to refuse", async () => {
  const sequence = async (email: string) => {
    const answers = [];
    for (let number = 0; number < 12; number += 1) answers.push(await guess(email, `198.51.100.${number}`));
    return answers;
  };
  const known = await sequence(member.email);
  expect(known.slice(9)).toEqual(["sign_in_failed", "rate_limited", "rate_limited"]);
  expect(await sequence("no-one-else@shop.example")).toEqual(known);
});

describe("a browser in which the person signed in before", () => {
  const others = async () => {
    for (let number = 0; number < 12; number += 1) await guess(member.email, `203.0.113.${number}`);
    for (let number = 0; number < 60; number += 1) await guess(`x${number}@shop.example`, "192.0.2.5");
    return [await guess(member.email, "198.51.100.200"), await guess("y@shop.example", "192.0.2.5")];
  };

  shortIt("is not kept out by a stranger who guesses at its login, or by others at its address", async () => {
    const mark = newBrowserMark(keyring, member.email);
    expect(await others()).toEqual(["rate_limited", "rate_limited"]);
    expect(await guess(member.email, "192.0.2.5", TEST_PASSWORD, mark)).toBe("in");
  });

  shortIt("has as few guesses as any other, and a mark counts for its own login alone", async () => {
    const mark = newBrowserMark(keyring, member.email);
    expect(await others()).toEqual(["rate_limited", "rate_limited"]);
    const answers = [];
    for (let number = 0; number < 12; number += 1) answers.push(await guess(member.email, "192.0.2.6", "wrong", mark));
    expect(answers.slice(9)).toEqual(["sign_in_failed", "rate_limited", "rate_limited"]);
    const forged = [newBrowserMark(keyring, "y@shop.example"), `${mark.slice(0, -2)}AA`, "x", "", ".", "a.b.c"];
    for (const given of forged) expect(await guess(member.email, "192.0.2.7", "wrong", given)).toBe("rate_limited");
  });
});

shortIt("counts the addresses of one IPv6 network as one", async () => {
  const answers = [];
  for (let number = 0; number < 60; number += 1)
    answers.push(await guess(`z${number}@shop.example`, `2001:db8:1:1::${number.toString(16)}`));
  expect(answers.filter((answer) => answer === "sign_in_failed")).toHaveLength(50);
  expect(await guess("z@shop.example", "2001:db8:1:2::1")).toBe("sign_in_failed");
});
