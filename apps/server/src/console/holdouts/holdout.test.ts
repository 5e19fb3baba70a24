import { describe, expect, test } from "vitest";
import type { AppError } from "../../common/errors.ts";
import { changeHoldout, newHoldout } from "./holdout.ts";

const context = { actor: { id: "key_1", name: "CONSOLE API", email: null }, projectID: "p", operationID: "createHoldout", now: 1 };

function catchViolations(work: () => unknown) {
  try {
    work();
  } catch (error) {
    return (error as AppError).violations;
  }
  return [];
}

describe("newHoldout", () => {
  test("fields that are left out have their defaults", () => {
    expect(newHoldout({ name: "Winter", passPercentage: 1.25, gateIDs: ["g"] }, context)).toMatchObject({
      isEnabled: true,
      isGlobal: false,
      passPercentage: 1.25,
      gateIDs: ["g"],
      experimentIDs: [],
      layerIDs: [],
      targetingGateID: null,
      version: 1,
    });
  });
});

describe("changeHoldout", () => {
  const holdout = newHoldout({ name: "Winter", gateIDs: ["a", "b"] }, context);

  test("changes only what is given, as the next version", () => {
    const later = { ...context, now: 2 };
    expect(changeHoldout(holdout, { passPercentage: 5 }, later)).toEqual({
      ...holdout,
      passPercentage: 5,
      lastModifiedTime: 2,
      version: 2,
    });
  });

  test("reports every violation: a step finer than 0.01, and the targeting gate among the gates", () => {
    expect(catchViolations(() => changeHoldout(holdout, { passPercentage: 0.125, targetingGateID: "b" }, context))).toEqual([
      { property: "passPercentage", errorMessage: "must be in steps of 0.01" },
      { property: "gateIDs[1]", errorMessage: "must not be the targeting gate of the holdout" },
    ]);
  });

  test.each([0, 0.01, 0.07, 0.29, 9.99, 10])("accepts a pass percentage of %d", (passPercentage) => {
    expect(changeHoldout(holdout, { passPercentage }, context).passPercentage).toBe(passPercentage);
  });
});
