import { expect, it } from "vitest";
import { callerOf, includesAddress, isAddressOrNetwork, parseNetworks } from "./network.ts";

it.each(["192.0.2.7", "10.0.0.0/8", "0.0.0.0/0", "::1", "2001:db8::/32", "::ffff:10.0.0.1"])("takes %s", (text) => {
  expect(isAddressOrNetwork(text)).toBe(true);
});

it.each([
  "1",
  "10/8",
  "0x7f.1",
  "010.0.0.1",
  "10.0.0.0/33",
  "10.0.0.0/",
  "10.0.0.0/08",
  "::1%eth0",
  "::/129",
  "a.b.c.d",
  "",
  "1.2.3.4/8/8",
  "::1.2.3.4/96",
])("refuses %s", (text) => expect(isAddressOrNetwork(text)).toBe(false));

it("matches addresses to networks, however an IPv4 address is written", () => {
  const networks = parseNetworks(["192.0.2.0/24", "198.51.100.7", "2001:db8::/32", "::ffff:10.0.0.0/104"]);
  for (const inside of ["192.0.2.9", "::ffff:192.0.2.9", "198.51.100.7", "2001:db8:1::1", "10.9.9.9"]) {
    expect(includesAddress(networks, inside), inside).toBe(true);
  }
  for (const outside of ["192.0.3.1", "198.51.100.8", "2001:db9::1", "11.0.0.1", "nonsense", ""]) {
    expect(includesAddress(networks, outside), outside).toBe(false);
  }
});

it("counts an IPv6 customer's /64 as one caller", () => {
  expect(callerOf("2001:db8:0:1::1")).toBe(callerOf("2001:db8:0:1:ffff::2"));
  expect(callerOf("2001:db8:0:1::1")).not.toBe(callerOf("2001:db8:0:2::1"));
  expect(callerOf("192.0.2.1")).not.toBe(callerOf("192.0.2.2"));
  expect(callerOf("::ffff:192.0.2.1")).toBe(callerOf("192.0.2.1"));
});
