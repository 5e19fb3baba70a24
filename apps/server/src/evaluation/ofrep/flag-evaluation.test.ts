import { createEvaluator } from "@gatehouse/evaluation";
import { expect, test } from "vitest";
import { condition, ruleset, spec } from "../../../test/support/ruleset.ts";
import { evaluateFlag, evaluateFlags } from "./flag-evaluation.ts";

const user = { userID: "alice" };

function allFlags(evaluator: ReturnType<typeof createEvaluator>) {
  const pieces = Buffer.concat(evaluateFlags(evaluator, user)).toString();
  return JSON.parse(`[${pieces.slice(1)}]`);
}

test("the order of kinds decides which of several entities with one name is the flag; segments and holdouts are not flags", () => {
  const evaluator = createEvaluator(
    ruleset({
      feature_gates: [spec("a"), spec("segment:s", { entity: "segment" }), spec("h", { entity: "holdout" })],
      dynamic_configs: [
        spec("a", { entity: "experiment" }),
        spec("b", { entity: "experiment" }),
        spec("c", { entity: "dynamic_config" }),
        spec("h", { entity: "dynamic_config" }),
      ],
      layer_configs: [spec("c", { entity: "layer" }), spec("d", { entity: "layer" })],
      param_stores: { d: { parameters: {} }, e: { parameters: {} } },
    }),
  );
  const expected = [
    ["a", "gate"],
    ["b", "experiment"],
    ["c", "dynamic_config"],
    ["h", "dynamic_config"],
    ["d", "layer"],
    ["e", "param_store"],
  ];
  const flags = allFlags(evaluator);
  expect(flags.map(({ key, metadata }: (typeof flags)[0]) => [key, metadata.kind])).toEqual(expected);
  for (const flag of flags) {
    expect(JSON.parse(Buffer.from(evaluateFlag(evaluator, flag.key, user)?.json ?? []).toString())).toEqual(flag);
  }
  for (const name of ["segment:s", "nope", "__proto__"]) expect(evaluateFlag(evaluator, name, user)).toBeUndefined();
});

test("a param store is STATIC if its parameters are constants", () => {
  const constant = { param_type: "string", ref_type: "static", value: "x" } as const;
  const gated = { param_type: "boolean", ref_type: "gate", gate_name: "g", pass_value: true, fail_value: false } as const;
  const stores = { fixed: { parameters: { constant } }, gated: { parameters: { constant, gated } } };
  const evaluator = createEvaluator(ruleset({ param_stores: stores }));
  const flag = (key: string) => JSON.parse(Buffer.from(evaluateFlag(evaluator, key, user)?.json ?? []).toString());
  const metadata = { kind: "param_store" };
  expect(flag("fixed")).toEqual({ key: "fixed", value: { constant: "x" }, reason: "STATIC", metadata });
  expect(flag("gated")).toEqual({ key: "gated", value: { constant: "x", gated: false }, reason: "TARGETING_MATCH", metadata });
});

test("text beyond ASCII is returned unchanged", () => {
  const isBob = condition("user_field", { field: "userID", operator: "any", targetValue: ["bob"] });
  const rules = [{ id: "größe", groupName: "Größe 日本", conditions: [isBob], returnValue: { text: '\ud83d\ude80 "quoted"' } }];
  const evaluator = createEvaluator(ruleset({ dynamic_configs: [spec("größe", { entity: "dynamic_config", defaultValue: {}, rules })] }));
  const valueFor = (userID: string) => JSON.parse(Buffer.from(evaluateFlag(evaluator, "größe", { userID })?.json ?? []).toString());
  expect(valueFor("bob")).toMatchObject({ key: "größe", value: { text: '🚀 "quoted"' }, variant: "Größe 日本" });
  expect(valueFor("alice")).toMatchObject({ value: {}, variant: "default" });
});
