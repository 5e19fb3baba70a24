import { expect, test } from "vitest";
import { proxyWarning } from "./proxies.ts";

test.each(["0.0.0.0", "::", "10.0.0.7", "gatehouse.internal"])(
  "a start at %s without trusted proxies warns operators who use a proxy",
  (host) => {
    expect(proxyWarning({ host, trustedProxies: [] })).toMatch(/^GATEHOUSE_TRUSTED_PROXIES is not set, so X-Forwarded-For/);
    expect(proxyWarning({ host, trustedProxies: ["10.0.0.0/8"] })).toBeUndefined();
  },
);

test.each(["127.0.0.1", "127.1.2.3", "::1", "localhost"])("a start at %s, which only this machine reaches, does not", (host) => {
  expect(proxyWarning({ host, trustedProxies: [] })).toBeUndefined();
});
