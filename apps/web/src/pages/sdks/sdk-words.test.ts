import { expect, test } from "vitest";
import { describeAllErrors } from "./sdk-words.ts";

test("errors of an SDK are counted by status, with the last exception", () => {
  expect(
    describeAllErrors([
      { status: 403, count: 1200, lastTime: 1, detail: null },
      { status: 418, count: 2, lastTime: 1, detail: null },
      { status: null, count: 1, lastTime: 1, detail: "TypeError in getFeatureGate" },
    ]),
  ).toBe("1,200 × 403 forbidden, 2 × 418, 1 exception (TypeError in getFeatureGate)");
});
