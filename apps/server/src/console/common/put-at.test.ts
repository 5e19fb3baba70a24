import { expect, test } from "vitest";
import { putAt } from "./put-at.ts";

const entity = { tags: ["a", "b"], rules: [{ name: "r", conditions: [{ customID: "x" }, { customID: "y" }] }] };

test("sets a value at a place without changing the original", () => {
  const before = structuredClone(entity);
  expect(putAt(entity, "tags[1]", "c")).toEqual({ ...entity, tags: ["a", "c"] });
  expect(putAt(entity, "rules[0].conditions[1].customID", "z")).toEqual({
    ...entity,
    rules: [{ name: "r", conditions: [{ customID: "x" }, { customID: "z" }] }],
  });
  expect(putAt({ idType: "x" }, "idType", "y")).toEqual({ idType: "y" });
  expect(entity).toEqual(before);
});
