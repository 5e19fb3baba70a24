import { describe, expect, test } from "vitest";
import type { KeyType } from "../../common/context.ts";
import { calledUser } from "./called-user.ts";

const caller = (type: KeyType) => ({
  credentials: {
    actor: { id: "key_1", name: "", email: null },
    projectID: "p",
    scope: { type, environments: [], targetApps: [] },
    scopes: [],
    permissions: new Set<never>(),
    grantedBy: "",
    limits: null,
    publishing: null,
    administersInstance: false,
  },
  ip: "203.0.113.7",
  userAgent: "Mozilla/5.0",
  now: 0,
});

describe("calledUser", () => {
  test("takes IP address and user agent from a client key's request, if the user has none", () => {
    expect(calledUser({ userID: "alice" }, undefined, caller("CLIENT"))).toEqual({
      userID: "alice",
      ip: "203.0.113.7",
      userAgent: "Mozilla/5.0",
    });
    const given = { userID: "alice", ip: "198.51.100.1", userAgent: "curl" };
    expect(calledUser(given, undefined, caller("CLIENT"))).toEqual(given);
  });

  test("leaves them out for server keys, since servers call for other users", () => {
    for (const type of ["SERVER", "CONSOLE"] as const)
      expect(calledUser({ userID: "alice" }, null, caller(type))).toEqual({ userID: "alice" });
  });

  test("makes the device's stableID a unit ID, unless the user has it", () => {
    const metadata = { stableID: "device" };
    expect(calledUser(null, metadata, caller("SERVER"))).toEqual({ customIDs: { stableID: "device" } });
    expect(calledUser({ customIDs: { companyID: "acme" } }, metadata, caller("SERVER"))).toEqual({
      customIDs: { companyID: "acme", stableID: "device" },
    });
    expect(calledUser({ customIDs: { stableID: "own" } }, metadata, caller("SERVER"))).toEqual({ customIDs: { stableID: "own" } });
  });

  test("does not change the given user", () => {
    const given = Object.freeze({ userID: "alice", customIDs: Object.freeze({}) });
    calledUser(given, { stableID: "device" }, caller("CLIENT"));
    expect(given).toEqual({ userID: "alice", customIDs: {} });
  });
});
