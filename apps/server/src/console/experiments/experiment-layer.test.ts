import { describe, expect, test } from "vitest";
import { catchViolations } from "../../../test/support/violations.ts";
import type { Violation } from "../../common/errors.ts";
import { newLayer } from "../layers/layer.ts";
import { newExperiment } from "./experiment.ts";
import { checkParameters, settleBuckets, shipTo } from "./experiment-layer.ts";

const context = { actor: { id: "key_1", name: "CONSOLE API", email: null }, projectID: "p", operationID: "createExperiment", now: 1 };
const layer = {
  ...newLayer({ name: "Checkout", idType: "companyID" }, context),
  parameters: [
    { name: "color", type: "string" as const, defaultValue: "blue" },
    { name: "steps", type: "number" as const, defaultValue: 4 },
    { name: "fields", type: "array" as const, defaultValue: [] },
    { name: "limits", type: "object" as const, defaultValue: {} },
    { name: "isNew", type: "boolean" as const, defaultValue: false },
  ],
};
const shared = { layer, others: [] };
const make = (parameterValues: Record<string, unknown>, given: object = {}) =>
  newExperiment(
    { name: "color", layerID: layer.id, groups: [{ id: "g", name: "All", size: 100, parameterValues }], ...given },
    shared,
    context,
  );

describe("an experiment in a layer", () => {
  test("must have the layer's unit ID type", () => {
    expect(make({}).idType).toBe("companyID");
    expect(catchViolations(() => make({}, { idType: "userID" }))).toEqual([
      { property: "idType", errorMessage: "must be companyID, the idType of layer checkout" },
    ]);
  });

  test("can set the layer's parameters", () => {
    const values = { color: "green", steps: 1, fields: [1], limits: { a: 1 }, isNew: true };
    expect(make(values).groups[0]?.parameterValues).toEqual(values);
  });

  test("cannot set other parameters, or values of another type", () => {
    const experiment = newExperiment(
      {
        name: "color",
        groups: [{ name: "All", size: 100, parameterValues: { colour: "green", color: null, steps: "1", fields: {}, limits: [] } }],
      },
      undefined,
      context,
    );
    const violations: Violation[] = [];
    checkParameters(experiment, shared, violations);
    expect(violations).toEqual([
      { property: "groups[0].parameterValues.colour", errorMessage: "is not a parameter of layer checkout" },
      { property: "groups[0].parameterValues.color", errorMessage: "must be string, the type of the parameter in layer checkout" },
      { property: "groups[0].parameterValues.steps", errorMessage: "must be number, the type of the parameter in layer checkout" },
      { property: "groups[0].parameterValues.fields", errorMessage: "must be array, the type of the parameter in layer checkout" },
      { property: "groups[0].parameterValues.limits", errorMessage: "must be object, the type of the parameter in layer checkout" },
    ]);
  });
});

describe("settleBuckets", () => {
  test("an experiment whose layer was deleted by force keeps its buckets and gets no more", () => {
    const experiment = make({}, { status: "active", allocation: 1 });
    expect(settleBuckets(experiment, undefined)).toEqual(experiment);
    expect(() => settleBuckets({ ...experiment, allocation: 2 }, undefined)).toThrow(
      "Layer checkout of experiment color no longer exists.",
    );
  });
});

describe("shipTo", () => {
  test("the launched group's values become the defaults; the others stay", () => {
    const later = { ...context, now: 2 };
    const shipped = shipTo(layer, { ...make({ color: "green" }), launchedGroupID: "g" }, later);
    expect(shipped).toEqual({
      ...layer,
      parameters: [{ ...layer.parameters[0], defaultValue: "green" }, ...layer.parameters.slice(1)],
      version: 2,
      lastModifiedTime: 2,
    });
  });

  test("a group whose values are the defaults changes nothing", () => {
    expect(shipTo(layer, { ...make({ color: "blue" }), launchedGroupID: "g" }, context)).toBeUndefined();
  });
});
