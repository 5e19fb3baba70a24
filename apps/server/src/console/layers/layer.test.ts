import { describe, expect, test } from "vitest";
import type { AppError } from "../../common/errors.ts";
import { changeLayer, newLayer } from "./layer.ts";
import type { Parameter } from "./layer-parameters.ts";

const context = { actor: { id: "key_1", name: "CONSOLE API", email: null }, projectID: "p", operationID: "updateLayer", now: 1 };
const color: Parameter = { name: "color", type: "string", defaultValue: "blue" };
const limit: Parameter = { name: "limit", type: "number", defaultValue: 20 };
const layer = newLayer({ name: "Checkout", idType: "userID", parameters: [color, limit] }, context);
const using = (id: string, ...parameterValues: Record<string, unknown>[]) => ({
  id,
  name: id,
  status: "setup" as const,
  groups: parameterValues.map((values, index) => ({ name: `${index}`, size: 0, parameterValues: values })),
});

function catchViolations(work: () => unknown) {
  try {
    work();
  } catch (error) {
    return (error as AppError).violations;
  }
  return [];
}

describe("newLayer", () => {
  test("refuses a name that no ID follows from with its other faults, unless an ID is given", () => {
    const given = { name: "结账", idType: "userID", parameters: [{ name: "a", type: "string" as const, defaultValue: 1 }] };
    const errorMessage = "is required, because the name has too few letters from a to z and digits to derive an id";
    expect(catchViolations(() => newLayer(given, context))).toEqual([
      { property: "id", errorMessage },
      { property: "parameters[0].defaultValue", errorMessage: "must be of the parameter's type, string, not number" },
    ]);
    expect(newLayer({ ...given, id: "checkout", parameters: [] }, context)).toMatchObject({ id: "checkout", name: "结账" });
  });

  test("names of parameters are unique, and each default is of its parameter's type", () => {
    const wrong: Parameter[] = [
      { name: "a", type: "string", defaultValue: 1 },
      { name: "b", type: "number", defaultValue: "1" },
      { name: "c", type: "boolean", defaultValue: {} },
      { name: "d", type: "object", defaultValue: [] },
      { name: "e", type: "array", defaultValue: true },
      { name: "e", type: "array", defaultValue: [] },
    ];
    const refused = (index: number, type: string, given: string) => ({
      property: `parameters[${index}].defaultValue`,
      errorMessage: `must be of the parameter's type, ${type}, not ${given}`,
    });
    expect(catchViolations(() => newLayer({ name: "Checkout", idType: "userID", parameters: wrong }, context))).toEqual([
      { property: "parameters[5].name", errorMessage: "must be unique in parameters, but e is given twice" },
      refused(0, "string", "number"),
      refused(1, "number", "string"),
      refused(2, "boolean", "object"),
      refused(3, "object", "array"),
      refused(4, "array", "boolean"),
    ]);
  });
});

describe("changeLayer", () => {
  test("changes only what is given, as the next version", () => {
    const changed = changeLayer(layer, { parameters: [limit] }, [], { ...context, now: 2 });
    expect(changed).toEqual({ ...layer, parameters: [limit], lastModifiedTime: 2, version: 2 });
  });

  test("a parameter that a group of an experiment sets cannot be dropped; one that none sets can", () => {
    const users = [using("one", {}, { color: "green" }), using("two", { color: "red" }), using("three", {})];
    expect(catchViolations(() => changeLayer(layer, { parameters: [] }, users, context))).toEqual([
      { property: "parameters", errorMessage: "Parameter(s) missing: [color]. They are used by experiments in the layer: one, two" },
    ]);
    expect(changeLayer(layer, { parameters: [color] }, users, context).parameters).toEqual([color]);
  });

  test("a parameter in use can change its default but not its type", () => {
    const users = [using("one", { limit: 30 })];
    const asText: Parameter = { ...limit, type: "string", defaultValue: "20" };
    expect(catchViolations(() => changeLayer(layer, { parameters: [color, asText] }, users, context))).toEqual([
      { property: "parameters[1].type", errorMessage: "must stay number, as the parameter is used by experiments in the layer: one" },
    ]);
    expect(changeLayer(layer, { parameters: [asText] }, [], context).parameters).toEqual([asText]);
    const raised = { ...limit, defaultValue: 40 };
    expect(changeLayer(layer, { parameters: [raised] }, users, context).parameters).toEqual([raised]);
  });

  test("archived experiments do not count as use", () => {
    const archived = { ...using("one", { limit: 30 }), status: "archived" as const };
    expect(changeLayer(layer, { parameters: [], idType: "stableID" }, [archived], context).parameters).toEqual([]);
  });

  test("a parameter with the name of a built-in property counts as used only if an experiment sets it", () => {
    const odd = newLayer({ name: "Odd", idType: "userID", parameters: [{ ...color, name: "toString" }] }, context);
    expect(changeLayer(odd, { parameters: [] }, [using("one", {})], context).parameters).toEqual([]);
  });

  test("idType cannot change while the layer has experiments", () => {
    expect(catchViolations(() => changeLayer(layer, { idType: "stableID" }, [using("one", {})], context))).toEqual([
      { property: "idType", errorMessage: "must stay userID while the layer contains experiments: one" },
    ]);
    expect(changeLayer(layer, { idType: "stableID" }, [], context).idType).toBe("stableID");
  });
});
