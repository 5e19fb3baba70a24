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
 * Parses an address as sockets and proxies write it: with a port, in brackets, with a zone, or as IPv4 mapped into IPv6.
 * @returns undefined if the text is not an address, such as `unknown`
 */
export function readAddress(text: string): string | undefined {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const [address = ""] = (bracketed ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")).split("%", 1);
  return isIP(address) === 0 ? undefined : ipaddr.process(address).toString();
}

/** The log message for the first request whose forwarded headers are ignored. */
export const FORWARDED_IGNORED =
  "A request had X-Forwarded-… headers, which were ignored: they count only from a peer in GATEHOUSE_TRUSTED_PROXIES. " +
  "If the peer is your proxy, add its address. Until then, rules on IP address and country see the proxy's address. This is logged once.";

/** A warning at the start for operators who may use a proxy. Undefined if it is not needed. */
export function proxyWarning({ host, trustedProxies }: { host: string; trustedProxies: string[] }): string | undefined {
  if (trustedProxies.length > 0 || isLoopback(host)) return undefined;
  return (
    "GATEHOUSE_TRUSTED_PROXIES is not set, so X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host are ignored. " +
    "Behind a proxy, set it to the proxy's addresses: otherwise rules on IP address and country see the proxy's address."
  );
}

function isLoopback(host: string): boolean {
  return host === "localhost" || (isIP(host) !== 0 && trustedAddresses(["loopback"])(host));
}
