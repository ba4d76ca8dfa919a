import { describe, expect, it } from "vitest";
import { openPinner, type PinnerOptions } from "./pinned-addresses.ts";
import type { Resolve } from "./resolve.ts";

const KEPT_MS = 30_000;

function aPinner(resolve: Resolve, options: Partial<PinnerOptions> = {}) {
  const clock = { ms: 1_000_000, nowMs: () => clock.ms };
  const asked: string[] = [];
  const pin = openPinner({
    mode: "production",
    resolve: (hostname) => {
      asked.push(hostname);
      return resolve(hostname);
    },
    clock,
    keptMs: KEPT_MS,
    timeoutMs: 60_000,
    ...options,
  });
  return { pin, asked, clock };
}

const allowed = (...addresses: string[]) => ({ ok: true, value: addresses });
const NOT_ALLOWED = { ok: false, error: "address_not_allowed" };
const NOT_RESOLVED = { ok: false, error: "name_not_resolved" };

describe("pinned addresses", () => {
  it("are all that the name has, in their order", async () => {
    const { pin } = aPinner(async () => ["8.8.8.8", "2606:4700::1", "1.1.1.1"]);
    expect(await pin("shop.example")).toEqual(allowed("8.8.8.8", "2606:4700::1", "1.1.1.1"));
  });

  it.each([
    [["8.8.8.8", "127.0.0.1"]],
    [["127.0.0.1", "8.8.8.8"]],
    [["8.8.8.8", "1.1.1.1", "169.254.169.254"]],
    [["8.8.8.8", "::ffff:8.8.8.8"]],
    [["2606:4700::1", "fe80::1%eth0"]],
    [["8.8.8.8", "64:ff9b::a00:1"]],
    [["8.8.8.8", "nonsense"]],
    [["8.8.8.8", ""]],
  ])("are refused as a whole for one bad of %j", async (addresses) => {
    expect(await aPinner(async () => addresses).pin("shop.example")).toEqual(NOT_ALLOWED);
  });

  it("do not exist for a name that has none, or whose resolver fails or keeps silent", async () => {
    expect(await aPinner(async () => []).pin("shop.example")).toEqual(NOT_RESOLVED);
    expect(await aPinner(() => Promise.reject(new Error("NXDOMAIN"))).pin("shop.example")).toEqual(NOT_RESOLVED);
    const silent = aPinner(() => new Promise(() => {}), { timeoutMs: 10 });
    expect(await silent.pin("shop.example")).toEqual(NOT_RESOLVED);
    expect(await silent.pin("shop.example")).toEqual(NOT_RESOLVED);
    expect(silent.asked).toHaveLength(2);
  });

  it("need no resolver when the host is an address", async () => {
    const { pin, asked } = aPinner(async () => ["8.8.8.8"]);
    expect(await pin("1.1.1.1")).toEqual(allowed("1.1.1.1"));
    expect(await pin("10.0.0.1")).toEqual(NOT_ALLOWED);
    expect(await pin("::1")).toEqual(NOT_ALLOWED);
    expect(asked).toEqual([]);
  });

  it("are kept for a while, then resolved and checked again", async () => {
    const answers = [["8.8.8.8"], ["10.0.0.1"], ["1.1.1.1"]];
    const { pin, asked, clock } = aPinner(async () => answers.shift() ?? []);
    expect(await pin("shop.example")).toEqual(allowed("8.8.8.8"));
    clock.ms += KEPT_MS - 1;
    expect(await pin("shop.example")).toEqual(allowed("8.8.8.8"));
    expect(asked).toHaveLength(1);
    clock.ms += 1;
    expect(await pin("shop.example")).toEqual(NOT_ALLOWED);
    // A refusal is not kept: the name may be mended.
    expect(await pin("shop.example")).toEqual(allowed("1.1.1.1"));
    expect(asked).toHaveLength(3);
  });

  it("are not kept longer by a clock that is put back", async () => {
    const { pin, asked, clock } = aPinner(async () => ["8.8.8.8"]);
    await pin("shop.example");
    clock.ms -= 1;
    await pin("shop.example");
    expect(asked).toHaveLength(2);
  });

  it("are asked for once by all who come together, and for each name on its own", async () => {
    const { pin, asked } = aPinner(async (name) => (name === "a.example" ? ["8.8.8.8"] : ["1.1.1.1"]));
    const names = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? "a.example" : "b.example"));
    const pinned = await Promise.all(names.map((name) => pin(name)));
    expect(asked).toEqual(["a.example", "b.example"]);
    for (const [index, each] of pinned.entries())
      expect(each).toEqual(allowed(index % 2 === 0 ? "8.8.8.8" : "1.1.1.1"));
  });

  it("may in development be of this machine, but not of its network", async () => {
    const { pin } = aPinner(async (name) => (name === "localhost" ? ["127.0.0.1", "::1"] : ["192.168.1.1"]), {
      mode: "development",
    });
    expect(await pin("localhost")).toEqual(allowed("127.0.0.1", "::1"));
    expect(await pin("printer.example")).toEqual(NOT_ALLOWED);
    expect(await pin("127.9.9.9")).toEqual(allowed("127.9.9.9"));
    expect(await pin("8.8.8.8")).toEqual(allowed("8.8.8.8"));
    for (const other of ["10.0.0.1", "169.254.169.254", "0.0.0.0", "fd00::1", "::ffff:7f00:1"]) {
      expect(await pin(other)).toEqual(NOT_ALLOWED);
    }
  });
});
