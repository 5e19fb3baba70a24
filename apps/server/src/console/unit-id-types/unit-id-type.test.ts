import { expect, test } from "vitest";
import { changeUnitIDType, newUnitIDType, requireDeletable } from "./unit-id-type.ts";

const context = {
  actor: { id: "key_1", name: "CONSOLE API", email: null },
  projectID: "default",
  operationID: "createUnitIDType",
  now: 1000,
};
const companyID = newUnitIDType({ name: "companyID" }, context);

test("a type's id is its name", () => {
  expect(companyID).toMatchObject({ id: "companyID", name: "companyID", description: "", version: 1 });
});

test.each([".", ".."])("the name %j, which no URL can address, is rejected", (name) => {
  expect(() => newUnitIDType({ name }, context)).toThrow(
    expect.objectContaining({
      violations: [{ property: "name", errorMessage: `cannot be ${name}, which has a special meaning in URLs` }],
    }),
  );
});

test("a change keeps what is not given, and may repeat the name", () => {
  const changed = changeUnitIDType(companyID, { name: "companyID", description: "An employer." }, { ...context, now: 2000 });
  expect(changed).toEqual({ ...companyID, description: "An employer.", lastModifiedTime: 2000, version: 2 });
  expect(changeUnitIDType(changed, {}, context).description).toBe("An employer.");
});

test("another name is rejected", () => {
  expect(() => changeUnitIDType(companyID, { name: "firmID" }, context)).toThrow(
    expect.objectContaining({ violations: [{ property: "name", errorMessage: "cannot be changed" }] }),
  );
});

test.each(["userID", "stableID"])("%s cannot be deleted", (name) => {
  const message = `Every project has the unit ID type ${name}: it cannot be deleted.`;
  expect(() => requireDeletable(newUnitIDType({ name }, context))).toThrow(message);
  expect(() => requireDeletable(companyID)).not.toThrow();
});
