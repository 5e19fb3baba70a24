import { expect, test } from "vitest";
import { nameInChange, reviewTitle } from "./review-title.ts";

const entity = (entityID: string, entityType = "gate") => ({ entityType, entityID, version: 1 });
const field = (name: string, before: unknown, after: unknown) => ({ field: name, before, after });

test("titles have the names of three entities, and count the others", () => {
  expect(reviewTitle({ entities: [] }, [])).toBe("Change");
  expect(reviewTitle({ entities: [entity("default", "settings")] }, [undefined])).toBe("Change to settings");
  expect(reviewTitle({ entities: [entity("a"), entity("b"), entity("c"), entity("d")] }, ["A", "B", "C", "D"])).toBe(
    "Change to gate A, gate B, gate C, and 1 more",
  );
});

test("a created or deleted entity has its name in the change, and a renamed one the name before", () => {
  const named = (before: unknown, after: unknown) =>
    nameInChange({ changes: [{ ...entity("a"), fields: [field("id", before, after), field("name", before, after)] }] }, entity("a"));
  expect([named(undefined, "New"), named("Old", undefined), named("Old", "New"), named(null, null)]).toEqual([
    "New",
    "Old",
    "Old",
    undefined,
  ]);
  expect(nameInChange({ changes: [] }, entity("a"))).toBe(undefined);
});
