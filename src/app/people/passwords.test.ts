import { scryptSync } from "node:crypto";
import { expect, it } from "vitest";
import { payInFull } from "../../testing/run/cheap-passwords.ts";
import { openPasswords } from "./passwords.ts";

const QUICK = { log2n: 4, blockSize: 8, parallel: 1 };

it("takes the right password and no other, however a keyboard composes it", async () => {
  const { hash, verify } = openPasswords(QUICK);
  const stored = (await hash("caf\u00e9 in the morning")) ?? "";
  expect(stored).toMatch(/^scrypt\$4\$8\$1\$/);
  expect(await verify("cafe\u0301 in the morning", stored)).toBe("right");
  expect(await verify("cafe in the morning", stored)).toBe("wrong");
  expect(await verify("caf\u00e9 in the morning", null)).toBe("wrong");
});

it("knows a hash that was made at other costs", async () => {
  const stored = (await openPasswords(QUICK).hash("seven green bottles")) ?? "";
  const dearer = openPasswords({ ...QUICK, log2n: 5 });
  expect([openPasswords(QUICK).isOutdated(stored), dearer.isOutdated(stored)]).toEqual([false, true]);
  expect(await dearer.verify("seven green bottles", stored)).toBe("right");
});

it("lets twenty wait, and turns the next away", async () => {
  const { verify } = openPasswords(QUICK);
  const verdicts = await Promise.all(Array.from({ length: 30 }, () => verify("x", null)));
  expect(verdicts.filter((verdict) => verdict === "busy")).toHaveLength(10);
  expect(await verify("x", null)).toBe("wrong");
});

it("takes as much processor time for a login that does not exist as for a wrong password", async () => {
  const { hash, verify } = openPasswords({ log2n: 11, blockSize: 8, parallel: 3 });
  const stored = await hash("seven green bottles");
  const spent = { known: 0, unknown: 0 };
  for (let run = 0; run < 20; run += 1) {
    for (const login of ["known", "unknown"] as const) {
      const start = process.cpuUsage();
      await verify("not this one", login === "known" ? (stored ?? "") : null);
      const { user, system } = process.cpuUsage(start);
      spent[login] += user + system;
    }
  }
  expect(spent.known / spent.unknown).toBeGreaterThan(0.6);
  expect(spent.known / spent.unknown).toBeLessThan(1.6);
});

it("pays what OWASP advises where no cost is given", async () => {
  payInFull();
  const { hash, verify } = openPasswords();
  const stored = (await hash("seven green bottles")) ?? "";
  const [, log2n, blockSize, parallel, salt = "", key] = stored.split("$");
  expect([log2n, blockSize, parallel]).toEqual(["15", "8", "3"]);
  const cost = { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 27 };
  const wanted = scryptSync("seven green bottles", Buffer.from(salt, "base64url"), 32, cost);
  expect(key).toBe(wanted.toString("base64url"));
  expect(await verify("seven green bottles", stored)).toBe("right");
});
