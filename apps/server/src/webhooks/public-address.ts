import { BlockList, isIPv6 } from "node:net";

/** The special-purpose addresses of IPv4 (IANA's registry, RFC 6890), and multicast. */
const SPECIAL = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const;

/** Global unicast addresses of IPv6, and the parts of them that are special: protocol assignments, documentation and 6to4. */
const GLOBAL = ["2000::", 3] as const;
const SPECIAL_V6 = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const;

const special = new BlockList();
for (const [address, prefix] of SPECIAL) special.addSubnet(address, prefix, "ipv4");
for (const [address, prefix] of SPECIAL_V6) special.addSubnet(address, prefix, "ipv6");
const global = new BlockList();
global.addSubnet(...GLOBAL, "ipv6");

/** Whether an IP address is one that anybody on the Internet can have. */
export function isPublicAddress(address: string): boolean {
  if (isIPv6(address)) return global.check(address, "ipv6") && !special.check(address, "ipv6");
  return !special.check(address, "ipv4");
}
