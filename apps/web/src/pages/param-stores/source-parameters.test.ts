import { expect, test } from "vitest";
import { missingParameter, ofConfig, ofExperiment, ofLayer } from "./source-parameters.ts";

test("the parameters of a source are those of any of its values, each once", () => {
  const groups = [{ parameterValues: { promise: "fast", color: "red" } }, { parameterValues: { promise: "free" } }];
  expect(ofExperiment({ groups } as unknown as Parameters<typeof ofExperiment>[0])).toEqual(["color", "promise"]);
  const config = { defaultValue: { size: 1 }, rules: [{ returnValue: { color: "red" } }, { variants: [{ returnValue: { rows: 2 } }] }] };
  expect(ofConfig(config as unknown as Parameters<typeof ofConfig>[0])).toEqual(["color", "rows", "size"]);
  expect(ofLayer({ parameters: [{ name: "b" }, { name: "a" }] } as Parameters<typeof ofLayer>[0])).toEqual(["a", "b"]);
});

test("a parameter that its source lacks is named, once the source is known", () => {
  const source = { name: "Delivery promise ABC", parameters: ["promise"] };
  expect(missingParameter(source, "promiss")).toBe("“Delivery promise ABC” has no parameter “promiss”.");
  expect([missingParameter(source, "promise"), missingParameter(source, ""), missingParameter(undefined, "promiss")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
