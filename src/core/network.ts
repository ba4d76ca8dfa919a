import ipaddr from "ipaddr.js";

/** A list of addresses and networks, parsed once. */
export type NetworkList = readonly (readonly [ipaddr.IPv4 | ipaddr.IPv6, number])[];

export function isAddressOrNetwork(text: string): boolean {
  return ipaddr.isValid(text) || ipaddr.isValidCIDR(text);
}

export function parseNetworks(texts: readonly string[]): NetworkList {
  return texts.map((text) => {
    if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
    const address = ipaddr.process(text);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  });
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
