import { describe, expect, test } from "vitest";
import type { AppError } from "../../common/errors.ts";
import { newSegment, type Segment } from "./segment.ts";
import { recount, requireChangeableIDs, requireListVersion, requireReadableIDs } from "./segment-ids.ts";

const context = { actor: { id: "key_1", name: "CONSOLE API", email: null }, projectID: "default", operationID: "test", now: 1 };
const ofType = (type: Segment["type"]) => newSegment({ name: "beta testers", type }, context);

function catchRefusal(work: () => void): Pick<AppError, "code" | "message" | "violations"> {
  try {
    work();
  } catch (error) {
    const { code, message, violations } = error as AppError;
    return { code, message, violations };
  }
  throw new Error("It was expected to be refused.");
}

describe("requireReadableIDs", () => {
  test("accepts both types of lists that callers write", () => {
    for (const type of ["id_list", "user_store_id_list"] as const) expect(() => requireReadableIDs(ofType(type))).not.toThrow();
  });

  test.each(["rule_based", "analysis_list"] as const)("rejects a segment of type %s", (type) => {
    expect(catchRefusal(() => requireReadableIDs(ofType(type)))).toEqual({
      code: "invalid_request",
      message: "Segment must be of type 'id_list' to be read on this endpoint",
      violations: undefined,
    });
  });
});

describe("requireChangeableIDs", () => {
  const segment = ofType("id_list");

  test("accepts ids of up to 2000 bytes with any characters", () => {
    expect(() => requireChangeableIDs(segment, "id_list", [".", "🚪".repeat(500), "a".repeat(1000)])).not.toThrow();
  });

  test("reports every id that cannot be stored", () => {
    const ids = ["a", "half \ud83d of a pair", "b", "€".repeat(667)];
    expect(catchRefusal(() => requireChangeableIDs(segment, "id_list", ids)).violations).toEqual([
      { property: "ids[1]", errorMessage: "must be valid Unicode" },
      { property: "ids[3]", errorMessage: "must not be longer than 2000 bytes in UTF-8" },
    ]);
  });

  test("rejects a segment of another type", () => {
    expect(catchRefusal(() => requireChangeableIDs(segment, "user_store_id_list", [])).message).toBe(
      "Segment must be of type 'user_store_id_list' to be modified on this endpoint",
    );
  });

  test("rejects an archived segment", () => {
    expect(catchRefusal(() => requireChangeableIDs({ ...segment, isEnabled: false }, "id_list", []))).toMatchObject({
      code: "conflict",
      message: "Segment beta_testers is archived. Unarchive it first.",
    });
  });
});

test("requireListVersion compares versions only if the call gives one", () => {
  const segment = ofType("user_store_id_list");
  requireListVersion(segment, 7, undefined);
  requireListVersion(segment, 7, 7);
  expect(catchRefusal(() => requireListVersion(segment, 7, 6))).toMatchObject({
    code: "conflict",
    message: "The id list of segment beta_testers is at version 7, not 6. Read it again.",
  });
});

describe("recount", () => {
  const segment = ofType("id_list");

  test("makes the next version, up to two million ids", () => {
    const later = { ...context, actor: { id: "key_2", name: "Kim", email: null }, now: 2 };
    expect(recount(segment, 2_000_000, later)).toEqual({
      ...segment,
      count: 2_000_000,
      version: 2,
      lastModifierID: "key_2",
      lastModifierName: "Kim",
      lastModifiedTime: 2,
    });
  });

  test("rejects more", () => {
    expect(catchRefusal(() => recount(segment, 2_000_001, context))).toMatchObject({
      code: "conflict",
      message: "Segment beta_testers would contain 2000001 ids, but at most 2000000 are allowed. Remove some or add fewer.",
    });
  });
});
