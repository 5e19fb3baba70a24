import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { type CallersOptions, createCallers } from "./callers.ts";

const INNER = "10.0.0.7";

function callers(options: Partial<CallersOptions> = {}) {
  return createCallers({ trustedProxies: ["10.0.0.0/8", "2001:db8::/32"], publicUrl: undefined, onIgnored: () => {}, ...options });
}

function request(headers: IncomingMessage["headers"], remoteAddress = INNER): IncomingMessage {
  return { headers, socket: { remoteAddress, localAddress: "127.0.0.1", localPort: 4000 } } as IncomingMessage;
}

function resolveAddress(forwardedFor: string, peer?: string, options?: Partial<CallersOptions>): string {
  return callers(options).resolveAddress(request({ "x-forwarded-for": forwardedFor }, peer));
}

function resolveOrigin(headers: IncomingMessage["headers"], peer?: string, options?: Partial<CallersOptions>): string {
  return callers(options).resolveOrigin(request({ host: "gatehouse:4000", ...headers }, peer));
}

describe("the address of a caller", () => {
  test("is the peer of the connection if that is not a trusted proxy", () => {
    expect(resolveAddress("203.0.113.7", "198.51.100.1")).toBe("198.51.100.1");
    expect(resolveAddress("203.0.113.7", INNER, { trustedProxies: [] })).toBe(INNER);
  });

  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["192.0.2.66, 203.0.113.7", "203.0.113.7"],
    ["192.0.2.66, 203.0.113.7, 10.0.0.8", "203.0.113.7"],
    ["192.0.2.66,203.0.113.7 ,10.0.0.8, 10.0.0.9", "203.0.113.7"],
    ["10.0.0.8, 10.0.0.9", "10.0.0.8"],
    ["", INNER],
  ])("is the last of %j that no trusted proxy has", (header, expected) => {
    expect(resolveAddress(header)).toBe(expected);
  });

  test.each([
    ["203.0.113.7:51234", "203.0.113.7"],
    ["[2a00:db8::1]:51234", "2a00:db8::1"],
    ["[2a00:db8::1]", "2a00:db8::1"],
    ["2A00:0DB8::0001", "2a00:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::ffff:cb00:7107", "203.0.113.7"],
    ["192.0.2.66, ::ffff:10.0.0.9", "192.0.2.66"],
    ["192.0.2.66, 2001:db8::9", "192.0.2.66"],
  ])("is read from %j", (header, expected) => {
    expect(resolveAddress(header)).toBe(expected);
  });

  test.each(["unknown", "_hidden", "203.0.113", "999.0.0.1", "010.1.1.1", "<script>", "203.0.113.7, ", ","])(
    "is that of the proxy if the proxy gives none, as in %j",
    (header) => {
      expect(resolveAddress(header)).toBe(INNER);
    },
  );

  test("is found through an IPv4 proxy on an IPv6 socket", () => {
    expect(resolveAddress("203.0.113.7", "::ffff:10.0.0.7")).toBe("203.0.113.7");
    expect(resolveAddress("203.0.113.7", "::ffff:198.51.100.1")).toBe("198.51.100.1");
  });

  test("is searched through at most 32 proxies", () => {
    const hops = Array.from({ length: 4_000 }, (_, index) => `10.1.${index >> 8}.${index & 255}`);
    expect(resolveAddress(["203.0.113.7", ...hops].join())).toBe(hops.at(-32));
  });
});

describe("the origin of URLs in responses", () => {
  test("is the Host if no trusted proxy forwards another", () => {
    const forwarded = { "x-forwarded-proto": "https", "x-forwarded-host": "evil.example" };
    expect(resolveOrigin(forwarded, "198.51.100.1")).toBe("http://gatehouse:4000");
    expect(resolveOrigin(forwarded, INNER, { trustedProxies: [] })).toBe("http://gatehouse:4000");
  });

  test("is what a trusted proxy forwards: the last value of each header", () => {
    expect(resolveOrigin({ "x-forwarded-proto": "HTTPS", "x-forwarded-host": "flags.example.com" })).toBe("https://flags.example.com");
    expect(resolveOrigin({ "x-forwarded-proto": "http, https", "x-forwarded-host": "evil.example, flags.example.com:8443" })).toBe(
      "https://flags.example.com:8443",
    );
    expect(resolveOrigin({ "x-forwarded-host": "[2001:db8::1]:8443" })).toBe("http://[2001:db8::1]:8443");
  });

  test.each(["javascript", "javascript://", "ftp", "https://", ""])("never has the scheme %j", (proto) => {
    expect(resolveOrigin({ "x-forwarded-proto": proto })).toBe("http://gatehouse:4000");
  });

  test.each(["evil.example/path", "user@evil.example", 'a"><script>', "a b", "a:b", "-:4000/", "", "a..b", "[::1"])(
    "never has the host %j",
    (host) => {
      expect(resolveOrigin({ "x-forwarded-host": host })).toBe("http://gatehouse:4000");
      expect(resolveOrigin({ host })).toBe("http://127.0.0.1:4000");
    },
  );

  test("is the address of the server for a request without a Host", () => {
    expect(resolveOrigin({ host: undefined })).toBe("http://127.0.0.1:4000");
  });

  test("is the public URL if one is set, for any headers", () => {
    const publicUrl = "https://flags.example.com";
    const headers = { "x-forwarded-proto": "http", "x-forwarded-host": "evil.example", host: "evil.example" };
    expect(resolveOrigin(headers, INNER, { publicUrl })).toBe(publicUrl);
    expect(resolveOrigin(headers, "198.51.100.1", { publicUrl })).toBe(publicUrl);
  });
});

test("ignored forwarded headers are reported once, with the address of their sender", () => {
  const ignored: string[] = [];
  const { resolveAddress: find } = callers({ onIgnored: (peer) => ignored.push(peer) });
  find(request({}, "198.51.100.1"));
  find(request({ "x-forwarded-for": "203.0.113.7" }, INNER));
  expect(ignored).toEqual([]);
  find(request({ "x-forwarded-proto": "https" }, "::ffff:198.51.100.2"));
  find(request({ "x-forwarded-for": "203.0.113.7" }, "198.51.100.3"));
  expect(ignored).toEqual(["198.51.100.2"]);
});
