import { expect, test } from "vitest";
import { changeWords } from "./change-words.ts";
import { parameterChanges } from "./parameter-changes.ts";
import { toText } from "./parts.ts";
import type { Parameter } from "./types.ts";

const COUPONS: Parameter = { name: "coupons", ref_type: "static", param_type: "boolean", value: true };
const COLUMNS: Parameter = { name: "columns", ref_type: "gate", param_type: "number", gate_name: "checkout", pass_value: 1, fail_value: 2 };
const PROMISE: Parameter = { name: "promise", ref_type: "experiment", param_type: "string", experiment_name: "abc", param_name: "promise" };
const NAMES = { abc: "Delivery promise ABC" };

const words = (...given: Parameters<typeof parameterChanges>) => parameterChanges(...given).map(({ parts }) => toText(parts));

test("the changes of parameters name each parameter and the source of its value", () => {
  expect(words([], [COUPONS, COLUMNS, PROMISE, { ...PROMISE, name: "text" }], NAMES)).toEqual([
    "Parameter “coupons” added: always true (type: true or false)",
    "Parameter “columns” added: a number from the gate “checkout”: 1 if the user passes, 2 if the user fails",
    "Parameter “promise” added: a text from the experiment “Delivery promise ABC”",
    "Parameter “text” added: a text from the experiment “Delivery promise ABC” (its parameter “promise”)",
  ]);
  const fixed: Parameter = { name: "promise", ref_type: "static", param_type: "string", value: "Today" };
  expect(words([COUPONS, PROMISE], [fixed])).toEqual([
    "Parameter “coupons” removed",
    'Parameter “promise”: a text from the experiment “abc” → always "Today" (type: text)',
  ]);
  expect(words([COUPONS, COLUMNS], [COLUMNS, COUPONS])).toEqual(["Parameters in another order"]);
  expect(words([COUPONS], [COUPONS])).toEqual([]);
});

test("long values are compared as texts", () => {
  const long = (value: string): Parameter => ({ name: "text", ref_type: "static", param_type: "string", value });
  const [change] = parameterChanges([long("a".repeat(99))], [long("b".repeat(99))]);
  expect(toText(change?.parts ?? [])).toBe("Parameter “text” changed");
  expect(change?.diff?.after).toContain("b".repeat(99));
});

test("reviewers see the same words", () => {
  const shown = (field: string, before: unknown, after: unknown, entity?: object) =>
    changeWords({ entityType: "param_store", entityID: "cart", fields: [{ field, before, after }] }, entity && { entity }).flatMap(
      ({ changes }) => changes.map(({ parts }) => toText(parts)),
    );
  expect(shown("parameters", [], [COUPONS])).toEqual(["Parameter “coupons” added: always true (type: true or false)"]);
  expect(shown("parameters[0].value", true, false, { parameters: [COUPONS] })).toEqual([
    "Parameter “coupons”: always true (type: true or false) → always false (type: true or false)",
  ]);
});
