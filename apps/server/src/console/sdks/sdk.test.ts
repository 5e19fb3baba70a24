import { expect, test } from "vitest";
import { compareVersions } from "./sdk.ts";

test("versions are compared by their numbers, with pre-releases before their release", () => {
  const ordered = ["", "beta", "0.9.10", "1.0.0-alpha.1", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0", "1.0.0.1", "1.2.9", "1.10.0", "2"];
  const shuffled = [...ordered].sort().reverse();
  expect(shuffled.sort(compareVersions)).toEqual(ordered);
});
