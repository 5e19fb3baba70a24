import { expect, test } from "vitest";
import { describeLimits, describePower, describeWriteLimit, type Key, keyState } from "./key-words.ts";

const NOW = Date.UTC(2026, 5, 15);
const DAY_MS = 86_400_000;
const limits = (given: Partial<Key>) => ({
  type: "CONSOLE" as const,
  environments: [],
  primaryTargetApp: null,
  secondaryTargetApps: [],
  allowedAddresses: [],
  ...given,
});

test.each([
  [{ type: "SERVER", scopes: [], role: null }, "Reads flags and rules, and logs events"],
  [{ type: "CLIENT", scopes: [], role: null }, "Reads flags for one user, and logs events"],
  [{ type: "CLIENT", scopes: ["client_download_config_specs"], role: null }, "Reads flags for one user, downloads rules, and logs events"],
  [{ type: "CONSOLE", scopes: ["omni_read_only"], role: null }, "Read the project"],
  [{ type: "CONSOLE", scopes: ["omni_read_only", "can_access_keys"], role: null }, "Read the project, and sees keys"],
  [
    { type: "CONSOLE", scopes: ["omni_read_write", "can_access_keys"], role: "Release" },
    "Read and change the project, and manages keys, as far as the role Release does",
  ],
  [{ type: "CONSOLE", scopes: ["omni_read_write", "bypass_reviews"], role: null }, "Read and change the project, without reviews"],
  [{ type: "CONSOLE", scopes: ["omni_read_write", "mcp_write"], role: null }, "Read and change the project, also over MCP"],
] satisfies [Pick<Key, "type" | "scopes" | "role">, string][])("%j: %s", (key, text) => {
  expect(describePower(key)).toBe(text);
});

test("limits name environments, target apps and addresses", () => {
  expect(describeLimits(limits({}))).toBe("Everywhere");
  expect(describeLimits(limits({ environments: ["staging", "production"] }))).toBe("Only in staging and production");
  expect(describeLimits(limits({ environments: ["staging"], primaryTargetApp: "iOS", secondaryTargetApps: ["Watch"] }))).toBe(
    "Only in staging, for the target apps iOS and Watch",
  );
  expect(describeLimits(limits({ allowedAddresses: ["10.0.0.0/8", "::1"] }))).toBe("Only from 10.0.0.0/8 and ::1");
  expect(describeLimits(limits({ allowedAddresses: ["10.0.0.1", "10.0.0.2", "::1"] }))).toBe("Only from 3 addresses and ranges");
});

test("limits of a console key limit its writes", () => {
  expect(describeWriteLimit(limits({}))).toBeUndefined();
  expect(describeWriteLimit(limits({ type: "SERVER", environments: ["staging"] }))).toBeUndefined();
  expect(describeWriteLimit(limits({ allowedAddresses: ["::1"] }))).toBeUndefined();
  expect(describeWriteLimit(limits({ environments: ["staging"] }))).toMatch(/^Reads the whole project/);
});

test.each([
  ["active", null, "Active", true],
  ["active", NOW + 60 * DAY_MS, "Active", true],
  ["active", NOW + DAY_MS, "Expires soon", true],
  ["active", NOW, "Expired", false],
  ["deactivated", null, "Deactivated", false],
] as const)("a key that is %s and expires at %s is shown as %s", (status, expiresTime, text, isUsable) => {
  expect(keyState({ status, expiresTime }, NOW)).toMatchObject({ text, isUsable });
});
