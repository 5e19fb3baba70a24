import { createEvaluator } from "@gatehouse/evaluation";
import { describe, expect, test } from "vitest";
import { ruleset, spec } from "../../../test/support/ruleset.ts";
import { initialized } from "./initialized.ts";

const user = { userID: "alice", customIDs: { stableID: "device" }, ip: "203.0.113.7", privateAttributes: { salary: 1 } };

/** The response for a project with one gate. */
function answer(time: number, given: object = user, enabled = true) {
  const evaluator = createEvaluator(ruleset({ time, feature_gates: [spec("sale", { enabled })] }));
  const { json, checksum } = initialized(evaluator, time, given, "none");
  const body = JSON.parse(Buffer.concat(json).toString());
  expect(body.full_checksum).toBe(checksum);
  const { derived_fields, full_checksum, can_record_session, recording_blocked, ...evaluated } = body;
  expect(evaluated).toEqual(evaluator.initialize(given, { hash: "none" }));
  return body;
}

describe("initialized", () => {
  test("has the user's ids, without private attributes", () => {
    expect(answer(1)).toMatchObject({
      time: 1,
      evaluated_keys: { userID: "alice", customIDs: { stableID: "device" } },
      derived_fields: { ip: "203.0.113.7" },
      user: { userID: "alice", customIDs: { stableID: "device" }, ip: "203.0.113.7" },
      full_checksum: expect.stringMatching(/^[\w-]{22}$/),
      can_record_session: false,
      recording_blocked: true,
    });
    expect(answer(1).user).not.toHaveProperty("privateAttributes");
    expect(answer(1, {})).toMatchObject({ evaluated_keys: {}, derived_fields: {}, user: {} });
  });

  test("has the same checksum at another time, and another one for other values or another user", () => {
    const checksum = answer(1).full_checksum;
    expect(answer(2).full_checksum).toBe(checksum);
    expect(answer(1, user, false).full_checksum).not.toBe(checksum);
    expect(answer(1, { ...user, userID: "bob" }).full_checksum).not.toBe(checksum);
  });
});
