import { isIP } from "node:net";
import { trustedAddresses } from "../common/addresses.ts";

/** The log message for the first request whose forwarded headers are ignored. */
export const FORWARDED_IGNORED =
  "A request had X-Forwarded-… headers, which were ignored: they count only from a peer in GATEHOUSE_TRUSTED_PROXIES. " +
  "If the peer is your proxy, add its address. Until then, rules on IP address and country see the proxy's address. This is logged once.";

/** A warning at the start for operators who may use a proxy. Undefined if it is not needed. */
export function proxyWarning({ host, trustedProxies }: { host: string; trustedProxies: string[] }): string | undefined {
  if (trustedProxies.length > 0 || isLoopback(host)) return undefined;
  return (
    "GATEHOUSE_TRUSTED_PROXIES is not set, so X-Forwarded-For, X-Forwarded-Proto, and X-Forwarded-Host are ignored. " +
    "Behind a proxy, set it to the proxy's addresses: otherwise rules on IP address and country see the proxy's address."
  );
}

function isLoopback(host: string): boolean {
  return host === "localhost" || (isIP(host) !== 0 && trustedAddresses(["loopback"])(host));
}
