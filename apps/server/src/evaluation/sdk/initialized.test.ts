import type { InitializeResponse } from "@gatehouse/evaluation";
import { describe, expect, test } from "vitest";
import { toInitialized } from "./initialized.ts";

const evaluated = (time: number, value = true): InitializeResponse => ({
  has_updates: true,
  time,
  hash_used: "none",
  feature_gates: { sale: { name: "sale", value } },
  dynamic_configs: {},
  layer_configs: {},
  param_stores: {},
});
const user = { userID: "alice", customIDs: { stableID: "device" }, ip: "203.0.113.7", privateAttributes: { salary: 1 } };

describe("toInitialized", () => {
  test("says whom the answer is for, without private attributes", () => {
    expect(toInitialized(evaluated(1), user)).toEqual({
      ...evaluated(1),
      sdkParams: {},
      evaluated_keys: { userID: "alice", customIDs: { stableID: "device" } },
      derived_fields: { ip: "203.0.113.7" },
      user: { userID: "alice", customIDs: { stableID: "device" }, ip: "203.0.113.7" },
      full_checksum: expect.stringMatching(/^[\w-]{22}$/),
    });
    expect(toInitialized(evaluated(1), {})).toMatchObject({ evaluated_keys: {}, derived_fields: {}, user: {} });
  });

  test("has the same checksum at another time, and another one for another answer or user", () => {
    const checksum = toInitialized(evaluated(1), user).full_checksum;
    expect(toInitialized(evaluated(2), user).full_checksum).toBe(checksum);
    expect(toInitialized(evaluated(1, false), user).full_checksum).not.toBe(checksum);
    expect(toInitialized(evaluated(1), { ...user, userID: "bob" }).full_checksum).not.toBe(checksum);
  });
});
