import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Id } from "../core/ids.ts";
import { Secret } from "./secret.ts";
import { masterKey, newDataKey, openKeyring, unwrapDataKey, wrapDataKey } from "./secrets.ts";

const place = { table: "api_keys", column: "secret", row: "01" };

describe("a secret", () => {
  it("does not show, however it is printed", () => {
    const secret = new Secret("hunter2");
    const printed = [
      String(secret),
      `${secret}`,
      JSON.stringify({ secret }),
      inspect({ secret }, { depth: 5, showHidden: true }),
    ];
    for (const text of printed) {
      expect(text).not.toContain("hunter2");
      expect(text).toContain("[secret]");
    }
    expect(secret.reveal()).toBe("hunter2");
  });
});

describe("a sealed value", () => {
  const old = newDataKey("encrypt");
  const lookup = newDataKey("lookup");
  const keyring = openKeyring([old, lookup]);

  it("opens in its own place", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const value = Buffer.from(bytes);
        expect(keyring.unseal(place, keyring.seal(place, value)).reveal().equals(value)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it("is an error in another row, column or table", () => {
    const sealed = keyring.seal(place, Buffer.from("value"));
    for (const elsewhere of [
      { ...place, row: "02" },
      { ...place, column: "x" },
      { ...place, table: "banks" },
    ]) {
      expect(() => keyring.unseal(elsewhere, sealed)).toThrow();
    }
    // Parts that run together differently are still other places.
    const shifted = { table: "api_key", column: "ssecret", row: "01" };
    expect(() => keyring.unseal(shifted, sealed)).toThrow();
  });

  it("is an error when any one bit of it changed", () => {
    const sealed = keyring.seal(place, Buffer.from("value"));
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => keyring.unseal(place, changed)).toThrow();
    }
  });

  it("still opens after a new data key took over", () => {
    const sealed = keyring.seal(place, Buffer.from("value"));
    const newer = openKeyring([old, lookup, newDataKey("encrypt")]);
    expect(newer.unseal(place, sealed).reveal().toString()).toBe("value");
    expect(newer.seal(place, Buffer.from("value")).subarray(1, 17)).not.toEqual(sealed.subarray(1, 17));
  });

  it("never looks the same twice, but its lookup hash does", () => {
    expect(keyring.seal(place, Buffer.from("v")).equals(keyring.seal(place, Buffer.from("v")))).toBe(false);
    expect(keyring.lookupHash("pan", "4242")).toEqual(keyring.lookupHash("pan", "4242"));
    expect(keyring.lookupHash("pan", "4242")).not.toEqual(keyring.lookupHash("phone", "4242"));
    expect(keyring.lookupHash("pan", "4242")).not.toEqual(
      openKeyring([old, newDataKey("lookup")]).lookupHash("pan", "4242"),
    );
  });
});

describe("a data key", () => {
  const first = masterKey(randomBytes(32));
  const second = masterKey(randomBytes(32));
  const dataKey = newDataKey("encrypt");

  it("opens under the master key that wrapped it, and moves to the next one", () => {
    const wrapped = wrapDataKey(first, dataKey);
    expect(unwrapDataKey([second, first], wrapped).key.reveal()).toEqual(dataKey.key.reveal());
    expect(() => unwrapDataKey([second], wrapped)).toThrow(/was not given/);
    const rewrapped = wrapDataKey(second, unwrapDataKey([second, first], wrapped));
    expect(unwrapDataKey([second], rewrapped).key.reveal()).toEqual(dataKey.key.reveal());
  });

  it("is an error under another id or purpose", () => {
    const wrapped = wrapDataKey(first, dataKey);
    expect(() => unwrapDataKey([first], { ...wrapped, purpose: "lookup" })).toThrow();
    expect(() => unwrapDataKey([first], { ...wrapped, id: newDataKey("encrypt").id as Id })).toThrow();
  });
});
