import { BlockList } from "node:net";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { isGlobalAddress, isLoopbackAddress, SPECIAL_IPV4_NETWORKS, SPECIAL_IPV6_NETWORKS } from "./global-address.ts";

const IPV4_BITS = 32n;
const IPV6_BITS = 128n;

/** Address arithmetic of its own, so that the library that the code relies on is not asked about itself. */
function ipv4Text(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join(".");
}

function ipv6Text(value: bigint): string {
  return Array.from({ length: 8 }, (_, index) => ((value >> (112n - 16n * BigInt(index))) & 0xffffn).toString(16)).join(
    ":",
  );
}

function ipv4Value(text: string): bigint {
  return text.split(".").reduce((value, part) => value * 256n + BigInt(part), 0n);
}

function ipv6Value(text: string): bigint {
  const [head = "", tail = ""] = text.split("::");
  const parts = (side: string) => (side === "" ? [] : side.split(":"));
  const zeros = Array.from({ length: 8 - parts(head).length - parts(tail).length }, () => "0");
  return [...parts(head), ...zeros, ...parts(tail)].reduce((value, part) => value * 65536n + BigInt(`0x${part}`), 0n);
}

function firstAndLast(network: string): [bigint, bigint] {
  const [address = "", bits = ""] = network.split("/");
  const isV6 = network.includes(":");
  const first = isV6 ? ipv6Value(address) : ipv4Value(address);
  return [first, first + (1n << ((isV6 ? IPV6_BITS : IPV4_BITS) - BigInt(bits))) - 1n];
}

/** Every range that must be refused, written down a second time: a slip in the table would show. */
const REFUSED_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
const REFUSED_IPV6 = [
  "::/96",
  "::ffff:0:0/96",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "100::/64",
  "2001::/32",
  "2001:2::/48",
  "2001:10::/28",
  "2001:20::/28",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
  "4000::/3",
  "5f00::/16",
  "fc00::/7",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
];

describe("a global address", () => {
  test.each([
    ...["1.0.0.0", "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0"],
    ...["126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0"],
    ...["192.0.1.0", "192.0.3.0", "192.88.98.255", "192.88.100.0", "192.167.255.255", "192.169.0.0"],
    ...["198.17.255.255", "198.20.0.0", "198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0"],
    ...["223.255.255.255", "2000::", "2001:200::", "2001:4860:4860::8888", "2001:db7:ffff::", "2001:db9::"],
    ...["2003::1", "2606:4700::1111", "2a00:1450:4001::200e", "3ffe:ffff::", "3fff:1000::", "2606:4700::8.8.8.8"],
  ])("is %s", (text) => expect(isGlobalAddress(text)).toBe(true));

  test.each([
    ...["0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1"],
    ...["127.255.255.255", "169.254.0.0", "169.254.169.254", "172.16.0.0", "172.31.255.255", "192.0.0.0"],
    ...["192.0.0.255", "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.0", "198.19.255.255", "198.51.100.1"],
    ...["203.0.113.1", "224.0.0.0", "239.255.255.255", "240.0.0.0", "255.255.255.254", "255.255.255.255"],
    ...["::", "::1", "::8.8.8.8", "::ffff:8.8.8.8", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:0:8.8.8.8"],
    ...["64:ff9b::8.8.8.8", "64:ff9b:1::1", "100::1", "1fff:ffff::", "2001::", "2001:0:4136:e378::", "2001:1::1"],
    ...["2001:2::1", "2001:10::1", "2001:20::1", "2001:1ff:ffff::", "2001:db8::1", "2001:DB8::1", "2002:808:808::1"],
    ...["3fff::1", "3fff:fff:ffff::", "4000::", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1", "febf::1"],
    ...["fec0::1", "feff::1", "ff02::1", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ])("is not %s", (text) => expect(isGlobalAddress(text)).toBe(false));

  test.each([
    ...[
      "",
      " ",
      "8.8.8",
      "8",
      "134744072",
      "0x8.8.8.8",
      "010.8.8.8",
      "8.8.8.8 ",
      "8.8.8.8.",
      "8.8.8.256",
      "8.8.8.8/32",
    ],
    ...["[2606:4700::1]", "2606:4700::1%eth0", "fe80::1%1", "2606:4700::1::", "shop.example", "2606:4700::1/128"],
  ])("is not %j, which is not strictly an address", (text) => expect(isGlobalAddress(text)).toBe(false));

  it.each(REFUSED_IPV4)("is none of %s", (network) => {
    const [first, last] = firstAndLast(network);
    for (const edge of [first, last]) expect(isGlobalAddress(ipv4Text(edge))).toBe(false);
    fc.assert(fc.property(fc.bigInt(first, last), (value) => !isGlobalAddress(ipv4Text(value))));
  });

  it.each(REFUSED_IPV6)("is none of %s", (network) => {
    const [first, last] = firstAndLast(network);
    for (const edge of [first, last]) expect(isGlobalAddress(ipv6Text(edge))).toBe(false);
    fc.assert(fc.property(fc.bigInt(first, last), (value) => !isGlobalAddress(ipv6Text(value))));
  });

  it("is every IPv4 address that no refused range holds", () => {
    const refused = blockList(REFUSED_IPV4, "ipv4");
    fc.assert(
      fc.property(fc.bigInt(0n, (1n << IPV4_BITS) - 1n), (value) => {
        const text = ipv4Text(value);
        expect(isGlobalAddress(text), text).toBe(!refused.check(text, "ipv4"));
      }),
      { numRuns: 2000 },
    );
  });

  it("is every IPv6 address of 2000::/3 that no refused range holds", () => {
    const refused = blockList(REFUSED_IPV6, "ipv6");
    fc.assert(
      fc.property(fc.bigInt(...firstAndLast("2000::/3")), (value) => {
        const text = ipv6Text(value);
        expect(isGlobalAddress(text), text).toBe(!refused.check(text, "ipv6"));
      }),
      { numRuns: 2000 },
    );
  });

  it("is decided by tables that name no range twice", () => {
    expect([...SPECIAL_IPV4_NETWORKS]).toEqual(REFUSED_IPV4);
    expect(REFUSED_IPV6).toEqual(expect.arrayContaining([...SPECIAL_IPV6_NETWORKS]));
  });
});

describe("a loopback address", () => {
  test.each(["127.0.0.1", "127.1.2.3", "127.255.255.255", "::1", "0:0:0:0:0:0:0:1"])("is %s", (text) =>
    expect(isLoopbackAddress(text)).toBe(true),
  );

  test.each([
    ...["126.255.255.255", "128.0.0.0", "0.0.0.0", "::", "::2", "::ffff:127.0.0.1", "::127.0.0.1", "10.0.0.1"],
    ...["8.8.8.8", "127.1", "0x7f.0.0.1", "2130706433", "localhost", "::1%lo", ""],
  ])("is not %j", (text) => expect(isLoopbackAddress(text)).toBe(false));
});

function blockList(networks: readonly string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits = ""] = network.split("/");
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}
