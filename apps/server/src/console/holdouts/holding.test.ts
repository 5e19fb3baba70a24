import { describe, expect, test } from "vitest";
import { held, idsInEither } from "./holding.ts";
import { newHoldout } from "./holdout.ts";

const context = { actor: { id: "key_1", name: "CONSOLE API", email: null }, projectID: "p", operationID: "updateHoldout", now: 7 };
const entity = { id: "g", holdoutIDs: ["a", "c"], version: 4, name: "G" };

describe("held", () => {
  test("the holdout joins the others in order, in a new version", () => {
    const after = held(entity, "b", true, context);
    expect(after).toMatchObject({ id: "g", name: "G", holdoutIDs: ["a", "b", "c"], version: 5, lastModifiedTime: 7 });
  });

  test("the holdout leaves, and the others stay", () => {
    expect(held(entity, "c", false, context)).toMatchObject({ holdoutIDs: ["a"], version: 5 });
  });

  test("no change makes no new version", () => {
    expect(held(entity, "a", true, context)).toBeUndefined();
    expect(held(entity, "b", false, context)).toBeUndefined();
  });
});

describe("idsInEither", () => {
  const before = newHoldout({ name: "Winter", gateIDs: ["c", "a"] }, context);
  const after = { ...before, gateIDs: ["b", "a"] };

  test("returns the ids of both, each once", () => {
    expect(idsInEither("gateIDs", before, after)).toEqual(["c", "a", "b"]);
  });

  test("a missing holdout lists nothing", () => {
    expect(idsInEither("gateIDs", null, after)).toEqual(["b", "a"]);
    expect(idsInEither("layerIDs", before, null)).toEqual([]);
  });
});
