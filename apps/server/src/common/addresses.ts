import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import proxyAddr from "proxy-addr";

/** Whether an address is that of a trusted proxy. */
export type TrustsAddress = (address: string) => boolean;

/**
 * Compiles addresses and ranges of trusted proxies.
 * @param proxies addresses, ranges in CIDR notation, and the names `loopback`, `linklocal` and `uniquelocal`
 * @throws TypeError if one is not any of these
 */
export function trustedAddresses(proxies: string[]): TrustsAddress {
  const trusts = proxyAddr.compile(proxies);
  return (address) => trusts(address, 0);
}

/**
 * Parses an address as sockets and proxies write it. It may have a port, brackets or a zone, or be IPv4 mapped into IPv6.
 * @returns undefined if the text is not an address, such as `unknown`
 */
export function readAddress(text: string): string | undefined {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const [address = ""] = (bracketed ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")).split("%", 1);
  return isIP(address) === 0 ? undefined : ipaddr.process(address).toString();
}
