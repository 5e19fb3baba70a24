import type { Schema } from "@gatehouse/contract/console";
import type { RulesetV1 } from "@gatehouse/evaluation";
import { describe, expect, test } from "vitest";
import {
  buildConfig,
  buildExperiment,
  buildGate,
  buildHoldout,
  buildLayer,
  buildProject,
  buildSegment,
  buildState,
  changesBetween,
  compileProject,
  context,
  EVERYWHERE,
  findSpec,
  NO_LISTS,
  TIME,
  toV1,
} from "../../../test/support/evaluated-project.ts";
import type { EvaluatedProject } from "../../console/evaluated-project.ts";
import { newParamStore } from "../../console/param-stores/param-store.ts";
import { newPrompt } from "../../console/prompts/prompt.ts";
import { createCompiler } from "./compiler.ts";
import { allNodes } from "./project-state.ts";

const rule = (id: string, conditions: Schema<"Condition">[], environments: string[] | null = null) => ({
  id,
  baseID: id,
  name: id,
  passPercentage: 100,
  conditions,
  environments,
});
const passes = (id: string) => rule(`passes_${id}`, [{ type: "passes_gate", targetValue: id }]);
const inSegment = (id: string) => rule(`in_${id}`, [{ type: "passes_segment", targetValue: id }]);
const compile = (project: EvaluatedProject, scope = EVERYWHERE) => toV1(compileProject(project, scope));
const listNames = ({ feature_gates, dynamic_configs, layer_configs }: RulesetV1) =>
  [...feature_gates, ...dynamic_configs, ...layer_configs].map(({ name }) => name);

describe("a ruleset", () => {
  const parameters: Schema<"ParamStoreParameter">[] = [
    { name: "title", ref_type: "static", param_type: "string", value: "Hi" },
    { name: "beta", ref_type: "gate", param_type: "boolean", gate_name: "beta", pass_value: true, fail_value: false },
  ];
  const project = buildProject({
    gates: [
      buildGate("beta", { rules: [rule("r", [{ type: "public" }])] }),
      buildGate("alpha", { rules: [rule("r", [{ type: "public" }])] }),
    ],
    layers: [buildLayer("checkout")],
    experiments: [buildExperiment("green", { layerID: "checkout" })],
    paramStores: [newParamStore({ name: "home", parameters }, context)],
    prompts: [newPrompt({ name: "Greeting", targetApps: ["web"] }, context)],
  });
  const rest = {
    has_updates: true,
    time: TIME,
    id_lists: {},
    param_stores: {
      "prompt:greeting": {
        targetAppIDs: ["web"],
        parameters: { candidates: { ref_type: "static", param_type: "array", value: [] } },
      },
      home: {
        parameters: {
          title: { ref_type: "static", param_type: "string", value: "Hi" },
          beta: { ref_type: "gate", param_type: "boolean", gate_name: "beta", pass_value: true, fail_value: false },
        },
      },
    },
    prompt_configs: { greeting: { promptVersionIds: [], targetAppIDs: ["web"] } },
    default_environment: "production",
  };

  test("lists specs by id in the v1 shape, beside entries that do not depend on rules", () => {
    const { feature_gates, dynamic_configs, layer_configs, ...others } = compile(project);
    expect([feature_gates, dynamic_configs, layer_configs].map((specs) => specs.map(({ name }) => name))).toEqual([
      ["alpha", "beta"],
      ["green"],
      ["checkout"],
    ]);
    expect(others).toEqual({ ...rest, layers: { checkout: ["green"] } });
  });

  test("does not depend on the order of loading entities", () => {
    const reversed = { ...project, gates: new Map([...project.gates].reverse()) };
    expect(JSON.stringify(compile(reversed))).toBe(JSON.stringify(compile(project)));
  });
});

describe("an incremental compilation", () => {
  const entities = () => ({
    gates: [buildGate("beta", { rules: [passes("web")], holdoutIDs: ["held"] }), buildGate("web")],
    dynamicConfigs: [buildConfig("theme")],
    experiments: [
      buildExperiment("green", { layerID: "checkout" }),
      buildExperiment("red", { layerID: "checkout" }),
      buildExperiment("blue"),
    ],
    layers: [buildLayer("checkout")],
    segments: [buildSegment("staff", "id_list", { count: 1 })],
    segmentIDs: { staff: ["u1"] },
    holdouts: [buildHoldout("held", { gateIDs: ["beta"] }), buildHoldout("all", { isGlobal: true })],
    gateOverrides: { beta: NO_LISTS },
    paramStores: [newParamStore({ name: "home" }, context)],
  });
  const project = buildProject(entities());

  /** The names of the specs that are compiled again when the project changes. */
  function recompiled(change: Partial<EvaluatedProject>) {
    const state = buildState(project);
    const compiler = createCompiler(state, EVERYWHERE);
    const before = toV1(compiler.compile(TIME));
    compiler.affect(state.apply(changesBetween(project, { ...project, ...change })));
    const after = toV1(compiler.compile(TIME + 1));
    return listNames(after).filter((name = "") => findSpec(before, name) !== findSpec(after, name));
  }
  const replaced = <E extends { id: string }>(map: ReadonlyMap<string, E>, id: string, given: Partial<E>) =>
    new Map([...map].map(([key, entity]) => [key, key === id ? { ...entity, ...given } : entity]));

  test("keeps the object of every spec that did not change", () => {
    const state = buildState(project);
    const compiler = createCompiler(state, EVERYWHERE);
    const before = toV1(compiler.compile(TIME));
    compiler.affect({ nodes: allNodes(state), mustReselect: true });
    const later = toV1(compiler.compile(TIME + 1));
    expect(listNames(later)).toEqual(listNames(before));
    expect(listNames(later).every((name = "") => findSpec(later, name) === findSpec(before, name))).toBe(true);
    expect(later.param_stores?.home).toBe(before.param_stores?.home);
  });

  test("a change of a gate recompiles its spec", () => {
    expect(recompiled({ gates: replaced(project.gates, "web", { description: "d" }) })).toEqual(["web"]);
    expect(recompiled({ gateOverrides: new Map([["beta", { ...NO_LISTS }]]) })).toEqual(["beta"]);
  });

  test("changing an experiment recompiles its own spec and its layer's spec, and leaves other experiments alone", () => {
    expect(recompiled({ experiments: replaced(project.experiments, "green", { description: "d" }) })).toEqual(["green", "checkout"]);
    expect(recompiled({ experiments: replaced(project.experiments, "blue", { description: "d" }) })).toEqual(["blue"]);
  });

  test("a change of a layer recompiles its experiments' specs", () => {
    expect(recompiled({ layers: replaced(project.layers, "checkout", { description: "d" }) })).toEqual(["green", "red", "checkout"]);
  });

  test("a change of a holdout's share does not recompile what it holds, but disabling it does", () => {
    expect(recompiled({ holdouts: replaced(project.holdouts, "held", { passPercentage: 5 }) })).toEqual(["held"]);
    expect(recompiled({ holdouts: replaced(project.holdouts, "held", { isEnabled: false }) })).toEqual(["beta", "held"]);
  });

  test("a change of a segment's ids recompiles its spec", () => {
    expect(recompiled({ segmentIDs: new Map([["staff", ["u1", "u2"]]]) })).toEqual(["segment:staff"]);
  });

  test("each scope has its own specs and does not evict those of other scopes", () => {
    const state = buildState(project);
    const [staging, everywhere] = [{ environments: ["staging"], targetApps: [] }, EVERYWHERE].map((scope) => createCompiler(state, scope));
    const before = staging?.compile(TIME).gates.get("beta");
    everywhere?.compile(TIME);
    expect(staging?.compile(TIME).gates.get("beta")).toBe(before);
  });
});

describe("a key that is limited to target apps", () => {
  const web = { targetApps: ["web"] };
  const ios = { targetApps: ["ios"] };
  const project = buildProject({
    gates: [
      buildGate("all"),
      buildGate("shop", { ...web, rules: [passes("needed")], holdoutIDs: ["held"] }),
      buildGate("needed", { ...ios, rules: [inSegment("staff")] }),
      buildGate("phone", ios),
      buildGate("target", ios),
      buildGate("into", ios),
    ],
    segments: [buildSegment("staff", "rule_based", ios), buildSegment("phones", "rule_based", ios)],
    holdouts: [buildHoldout("held", { ...ios, gateIDs: ["shop"], targetingGateID: "target" }), buildHoldout("other", ios)],
    layers: [buildLayer("checkout", ios), buildLayer("menu", ios)],
    experiments: [
      buildExperiment("green", { ...web, layerID: "checkout" }),
      buildExperiment("red", { ...ios, layerID: "checkout", status: "active", userBuckets: [1] }),
    ],
    experimentOverrides: {
      green: { overrides: [{ type: "gate", id: "into", groupID: "test" }], userIDOverrides: [], version: 1, createdTime: 1 },
    },
    dynamicConfigs: [buildConfig("theme", web), buildConfig("phone_theme", ios)],
  });

  test("gets what is for one of them or for all, and everything that this depends on", () => {
    const ruleset = compile(project, { environments: [], targetApps: ["web", "tv"] });
    expect(listNames(ruleset)).toEqual(["all", "into", "needed", "shop", "target", "held", "segment:staff", "theme", "green", "checkout"]);
    expect(ruleset.layers).toEqual({ checkout: ["green"] });
    expect(findSpec(ruleset, "checkout")?.rules.map(({ configDelegate }) => configDelegate)).toEqual(["green"]);
  });

  test("gets everything if it is limited to none", () => {
    expect(listNames(compile(project))).toHaveLength(16);
  });
});

test("rules for environments that a key does not reach are not in its ruleset", () => {
  const gate = buildGate("beta", { rules: [rule("stage", [], ["staging"]), rule("prod", [], ["production"]), rule("all", [])] });
  const ruleset = compile(buildProject({ gates: [gate] }), { environments: ["production"], targetApps: [] });
  expect(findSpec(ruleset, "beta")?.rules.map(({ id, conditions }) => [id, conditions])).toEqual([
    ["prod", []],
    ["all", []],
  ]);
  expect(ruleset.default_environment).toBe("production");
});
