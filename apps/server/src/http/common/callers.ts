import type { IncomingMessage } from "node:http";
import { readAddress, type TrustsAddress, trustedAddresses } from "../../common/addresses.ts";
import { basePathOf } from "../../common/base-path.ts";

export type CallersOptions = {
  /** Addresses and ranges of trusted proxies. Without any, forwarded headers are ignored. */
  trustedProxies: string[];
  /** The URL at which callers reach the server, without a slash at its end. It takes precedence over headers. */
  publicUrl: string | undefined;
  /** Called once, at the first request whose forwarded headers are ignored, with the address of its sender. */
  onIgnored(peer: string): void;
};

/** Finds the addresses of callers, and the URLs at which they reached the server. */
export type Callers = {
  /** The address of the application. */
  resolveAddress(request: IncomingMessage): string;
  /** Whether forwarded headers of the request are ignored, so that its address may be that of a proxy. */
  ignoresForwarded(request: IncomingMessage): boolean;
  /** The origin at which the caller reached the server: `https://example.com`. */
  resolveOrigin(request: IncomingMessage): string;
  /** The URL at which the caller reached the server, with its base path: `https://example.com/gatehouse`. */
  resolveBaseUrl(request: IncomingMessage): string;
  /** The path of that URL: `/gatehouse`. Empty if the server has its own host. */
  basePath: string;
};

/** The most proxies of one request that are examined. */
const MAX_HOPS = 32;
const FORWARDED_HEADERS = ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"];
/** A host name or an address, with or without a port. */
const HOST_PATTERN = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Reads `X-Forwarded-For`, `-Proto` and `-Host` if a trusted proxy sent them. Callers may send these headers too, so each is read from its
 * end, where the nearest proxy wrote.
 */
export function createCallers({ trustedProxies, publicUrl, onIgnored }: CallersOptions): Callers {
  const trusts: TrustsAddress = trustedProxies.length > 0 ? trustedAddresses(trustedProxies) : () => false;
  const publicOrigin = publicUrl && new URL(publicUrl).origin;
  let hasReported = false;

  function resolveOrigin({ headers, socket }: IncomingMessage): string {
    if (publicOrigin !== undefined) return publicOrigin;
    const isTrusted = trusts(peerAddress(socket));
    const proto = isTrusted ? last(headers["x-forwarded-proto"])?.toLowerCase() : undefined;
    const hosts = [isTrusted ? last(headers["x-forwarded-host"]) : undefined, headers.host];
    const host = hosts.find((given) => given !== undefined && HOST_PATTERN.test(given)) ?? localHost(socket);
    return `${proto === "https" ? "https" : "http"}://${host}`;
  }

  function ignoresForwarded({ headers, socket }: IncomingMessage): boolean {
    return FORWARDED_HEADERS.some((name) => headers[name] !== undefined) && !trusts(peerAddress(socket));
  }

  return {
    resolveOrigin,
    ignoresForwarded,
    resolveBaseUrl: (request) => publicUrl ?? resolveOrigin(request),
    basePath: basePathOf(publicUrl),

    resolveAddress(request) {
      const peer = peerAddress(request.socket);
      if (trusts(peer)) return client(peer, request.headers["x-forwarded-for"], trusts);
      if (!hasReported && ignoresForwarded(request)) {
        hasReported = true;
        onIgnored(peer);
      }
      return peer;
    },
  };
}

/** The first address from the right that is not a trusted proxy's, or else the leftmost one. */
function client(peer: string, header: string | string[] | undefined, trusts: TrustsAddress): string {
  let found = peer;
  let rest = String(header ?? "");
  for (let hops = 0; hops < MAX_HOPS && rest !== "" && trusts(found); hops += 1) {
    const address = readAddress(last(rest) ?? "");
    if (address === undefined) break;
    found = address;
    rest = rest.slice(0, Math.max(0, rest.lastIndexOf(",")));
  }
  return found;
}

function peerAddress({ remoteAddress = "" }: IncomingMessage["socket"]): string {
  // Most addresses are plain IPv4 and need no parsing.
  return remoteAddress.includes(":") ? (readAddress(remoteAddress) ?? "") : remoteAddress;
}

/** The last value of a header that proxies append to. Node joins headers of the same name. */
function last(header: string | string[] | undefined): string | undefined {
  const text = header === undefined ? "" : String(header);
  return text.slice(text.lastIndexOf(",") + 1).trim() || undefined;
}

/** The local address of the connection, for requests without a usable `Host`. */
function localHost({ localAddress = "127.0.0.1", localPort = 80 }: IncomingMessage["socket"]): string {
  const address = readAddress(localAddress) ?? "127.0.0.1";
  return `${address.includes(":") ? `[${address}]` : address}:${localPort}`;
}
