import { isIP } from "node:net";
import { includesAddress, parseNetworks } from "./network.ts";

/** IPv4 networks that are not the public internet, from IANA's registry of special-purpose addresses. */
export const SPECIAL_IPV4_NETWORKS = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // shared by a carrier's customers
  "127.0.0.0/8", // loopback
  "169.254.0.0/16", // link-local, where clouds keep their metadata
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.88.99.0/24", // relays of 6to4
  "192.168.0.0/16", // private
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and broadcast as its last address
] as const;

/**
 * The only IPv6 space that is handed out as global unicast. Loopback, link-local, unique-local, site-local, multicast,
 * NAT64 (64:ff9b::), IPv4-mapped (::ffff:0:0) and IPv4-compatible (::) addresses all lie outside of it.
 */
const GLOBAL_IPV6 = parseNetworks(["2000::/3"]);

/** What is special within the global space. Addresses that hide an IPv4 address are refused whatever they hide. */
export const SPECIAL_IPV6_NETWORKS = [
  "2001::/23", // protocol assignments: Teredo, benchmarks, ORCHID
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4, which hides an IPv4 address
  "3fff::/20", // documentation
] as const;

const SPECIAL_IPV4 = parseNetworks(SPECIAL_IPV4_NETWORKS);
const SPECIAL_IPV6 = parseNetworks(SPECIAL_IPV6_NETWORKS);
const LOOPBACK_IPV4 = parseNetworks(["127.0.0.0/8"]);
const LOOPBACK_IPV6 = parseNetworks(["::1"]);

/** Whether the text is one plain address of the public internet. What cannot be read strictly is not. */
export function isGlobalAddress(text: string): boolean {
  switch (versionOf(text)) {
    case 4:
      return !includesAddress(SPECIAL_IPV4, text);
    case 6:
      // An IPv4-mapped address counts as IPv4 to includesAddress, so it is in no IPv6 network, and thereby refused.
      return includesAddress(GLOBAL_IPV6, text) && !includesAddress(SPECIAL_IPV6, text);
    default:
      return false;
  }
}

/** Whether the text is an address of this very machine, in its plain form: `::ffff:127.0.0.1` is not taken. */
export function isLoopbackAddress(text: string): boolean {
  switch (versionOf(text)) {
    case 4:
      return includesAddress(LOOPBACK_IPV4, text);
    case 6:
      return includesAddress(LOOPBACK_IPV6, text);
    default:
      return false;
  }
}

/** A zone (`fe80::1%eth0`) names an interface of this machine, which nothing global needs. */
function versionOf(text: string): number {
  return text.includes("%") ? 0 : isIP(text);
}
