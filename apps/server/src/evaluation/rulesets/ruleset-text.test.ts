import { describe, expect, test } from "vitest";
import {
  buildExperiment,
  buildGate,
  buildLayer,
  buildProject,
  compileProject,
  context,
  findSpec,
  TIME,
  toV1,
} from "../../../test/support/evaluated-project.ts";
import { newParamStore } from "../../console/param-stores/param-store.ts";
import { addVersion, changePrompt, newPrompt } from "../../console/prompts/prompt.ts";
import { computeChecksum, v1Text, v2Text, withoutPrompts } from "./ruleset-text.ts";

const added = addVersion(newPrompt({ name: "Greeting", targetApps: ["web"] }, context), { name: "Polite", model: "small" }, context);
const greeting = changePrompt(added.prompt, { liveVersionID: added.version.id }, context);
const rules = [{ id: "r", baseID: "r", name: "r", passPercentage: 100, conditions: [{ type: "public" as const }], environments: null }];
const project = buildProject({
  gates: [buildGate("beta", { rules }), buildGate("alpha", { rules })],
  layers: [buildLayer("checkout")],
  experiments: [buildExperiment("green", { layerID: "checkout" })],
  paramStores: [newParamStore({ name: "home" }, context)],
  prompts: [newPrompt({ name: "Empty" }, context), greeting],
});
const ruleset = compileProject(project);
const parsed = (pieces: Buffer[]) => JSON.parse(Buffer.concat(pieces).toString());

describe("the text of a ruleset", () => {
  test("is the ruleset with its checksum in the v1 shape", () => {
    expect(parsed(v1Text(ruleset, "sum"))).toEqual({ ...JSON.parse(JSON.stringify(toV1(ruleset))), checksum: "sum" });
  });

  test("maps names to specs in the v2 shape, with each condition once", () => {
    const v1 = toV1(ruleset);
    const { feature_gates, dynamic_configs, layer_configs, condition_map, ...others } = parsed(v2Text(ruleset, "sum"));
    expect(others).toEqual({
      has_updates: true,
      time: TIME,
      response_format: "dcs-v2",
      experiment_to_layer: { green: "checkout" },
      id_lists: {},
      param_stores: v1.param_stores,
      prompt_configs: v1.prompt_configs,
      default_environment: "production",
      checksum: "sum",
    });
    expect(Object.values(condition_map)).toEqual([findSpec(v1, "beta")?.rules[0]?.conditions[0]]);
    const [id] = Object.keys(condition_map);
    for (const [name, spec] of Object.entries<object>({ ...feature_gates, ...dynamic_configs, ...layer_configs })) {
      const before = findSpec(v1, name);
      expect({ name, ...spec }).toEqual({ ...before, rules: before?.rules.map((one) => ({ ...one, conditions: [id] })) });
    }
  });

  test("has prompts only for keys that may read them", () => {
    const rest = (pieces: Buffer[]) => {
      const { dynamic_configs, param_stores, prompt_configs } = parsed(pieces);
      return [dynamic_configs, param_stores, prompt_configs];
    };
    const { home } = toV1(ruleset).param_stores ?? {};
    const green = findSpec(toV1(ruleset), "green");
    expect(rest(v1Text(withoutPrompts(ruleset), "sum"))).toEqual([[JSON.parse(JSON.stringify(green))], { home }, {}]);
    expect(Object.keys(rest(v2Text(withoutPrompts(ruleset), "sum"))[0])).toEqual(["green"]);
    expect(Object.keys(rest(v2Text(ruleset, "sum"))[0])).toEqual(["green", `prompt:${added.version.id}`]);
  });

  test("of an empty project is complete", () => {
    const nothing = compileProject(buildProject({ environments: [] }));
    expect(parsed(v1Text(nothing, "sum"))).toEqual({ ...toV1(nothing), checksum: "sum" });
    expect(parsed(v2Text(nothing, "sum"))).toMatchObject({ feature_gates: {}, condition_map: {}, experiment_to_layer: {} });
  });
});

describe("the checksum of a ruleset", () => {
  const sum = (given = ruleset, lists: string[] = []) => computeChecksum(given, lists);

  test("is the same for equal projects, whenever they changed", () => {
    expect(sum({ ...compileProject(project), time: TIME + 1 })).toBe(sum());
  });

  test("differs with another spec, name, entry, environment or state of a list", () => {
    const others = [
      compileProject({ ...project, gates: new Map([["beta", buildGate("beta")]]) }),
      compileProject({ ...project, layers: new Map([["menu", buildLayer("menu")]]) }),
      compileProject({ ...project, paramStores: new Map() }),
      compileProject({ ...project, prompts: new Map() }),
      { ...ruleset, defaultEnvironment: "staging" },
      { ...ruleset, idLists: ["staff"] },
    ];
    const sums = [sum(), sum(ruleset, ["staff:1"]), ...others.map((other) => sum(other))];
    expect(new Set(sums).size).toBe(sums.length);
  });
});
