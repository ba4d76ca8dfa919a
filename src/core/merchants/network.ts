import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** A list of addresses and networks, parsed once. */
export type NetworkList = readonly (readonly [ipaddr.IPv4 | ipaddr.IPv6, number])[];

/** An IPv4 or IPv6 address, without a network's length or an interface's name behind it. */
export function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes("%");
}

/** Strict: `10/8`, `0x7f.1` and `010.0.0.1` mean different things to different programs, so they mean nothing here. */
export function isAddressOrNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || address.includes("%") || rest.length > 0) return false;
  // IPv4 inside IPv6 is read in several ways, unless it is the mapped form.
  if (version === 6 && address.includes(".") && !address.toLowerCase().startsWith("::ffff:")) return false;
  return bits === undefined || (/^(0|[1-9][0-9]{0,2})$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

export function parseNetworks(texts: readonly string[]): NetworkList {
  return texts.map((text) => {
    if (text.includes("/")) return unmapNetwork(ipaddr.parseCIDR(text));
    const address = ipaddr.process(text);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  });
}

const MAPPED_PREFIX_BITS = 96;

function unmapNetwork([network, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number]): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const mapped = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= MAPPED_PREFIX_BITS;
  return mapped ? [network.toIPv4Address(), bits - MAPPED_PREFIX_BITS] : [network, bits];
}

/** An IPv4 address that arrived as IPv6 (`::ffff:192.0.2.1`) counts as the IPv4 address that it is. */
export function includesAddress(networks: NetworkList, text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

const IPV6_CUSTOMER_PARTS = 4;

/** What counts as one caller: an IPv4 address, or the /64 that an IPv6 customer is given. */
export function callerOf(text: string): string {
  if (!text.includes(":")) return text;
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  return address instanceof ipaddr.IPv6
    ? `${address.parts.slice(0, IPV6_CUSTOMER_PARTS).join(":")}/64`
    : address.toString();
}
