import type { Schema } from "@gatehouse/contract/console";
import fc from "fast-check";
import type { AutotuneWeights } from "../../src/console/autotunes/autotune-shares.ts";
import { newParamStore } from "../../src/console/param-stores/param-store.ts";
import { newPrompt, type PromptVersion } from "../../src/console/prompts/prompt.ts";
import type { Change, Part } from "../../src/evaluation/compile/project-state.ts";
import {
  buckets,
  buildAutotune,
  buildConfig,
  buildExperiment,
  buildGate,
  buildHoldout,
  buildLayer,
  buildSegment,
  context,
  group,
  NO_LISTS,
} from "./evaluated-project.ts";

/** The same in every autotune, since a new one creates its own ids. */
const VARIANTS = [
  { id: "blue", name: "Blue", json: { color: "blue" } },
  { id: "green", name: "Green", json: { color: "green" } },
];

/** Few ids for entities of all kinds, so that changes produce collisions, reference cycles and dangling references. */
const IDS = ["a", "b", "c", "d", "e"];
const USERS = ["u1", "u2", "u3", "U3", "u4"];
const ENVIRONMENTS = ["development", "staging", "production"];

const id = fc.constantFrom(...IDS);
const ids = fc.uniqueArray(id, { maxLength: 2 });
const users = fc.uniqueArray(fc.constantFrom(...USERS), { maxLength: 3 });
const environments = fc.option(fc.uniqueArray(fc.constantFrom(...ENVIRONMENTS), { minLength: 1, maxLength: 2 }), { freq: 2 });
const percentage = fc.constantFrom(0, 33.33, 50, 100);
const targetApps = fc.constantFrom<string[]>([], [], ["web"], ["ios"]);
/** Rarely global, since a global holdout holds everything. */
const holdoutIDs = fc.oneof({ weight: 3, arbitrary: fc.constant<string[]>([]) }, ids);

const condition = fc.oneof<fc.Arbitrary<Schema<"Condition">>[]>(
  fc.record({ type: fc.constant("public" as const) }),
  fc.record({ type: fc.constantFrom("passes_gate" as const, "fails_gate", "passes_segment", "fails_segment"), targetValue: id }),
  fc.record({
    type: fc.constant("experiment_group" as const),
    field: id,
    operator: fc.constantFrom("any" as const, "none"),
    targetValue: fc.constantFrom<string[]>(["control"], ["test"]),
  }),
  fc.record({ type: fc.constant("user_id" as const), operator: fc.constant("any" as const), targetValue: users }),
  fc.record({ type: fc.constant("target_app" as const), operator: fc.constant("any" as const), targetValue: fc.constant(["web"]) }),
);

const conditions = fc.array(condition, { minLength: 1, maxLength: 2 });
/** Mostly enabled, which rules do not say. */
const enabling = fc.constantFrom({}, {}, { isEnabled: false });

const rules = fc.array(fc.record({ passPercentage: percentage, conditions, environments, enabling }), { maxLength: 2 }).map((given) =>
  given.map(({ enabling, ...one }, index) => ({
    ...{ id: `rule_${index}`, baseID: `rule_${index}`, name: `rule_${index}` },
    ...enabling,
    ...one,
  })),
);

const overrideLists = fc
  .record({ passingUserIDs: users, failingUserIDs: users })
  .map((lists): Schema<"OverrideLists"> => ({ ...NO_LISTS, ...lists }));

/** Generators of the entities of each part of a project. */
const VALUES: { [P in Part]: (id: string) => fc.Arbitrary<object> } = {
  gates: (id) =>
    fc
      .record({
        rules,
        targetApps,
        holdoutIDs,
        isEnabled: fc.boolean(),
        status: fc.constantFrom("In Progress" as const, "Launched", "Archived"),
      })
      .map((given) => buildGate(id, given)),
  gateOverrides: () => overrideLists,
  autotunes: (id) =>
    fc
      .record({ targetApps, isStarted: fc.boolean(), hasWinner: fc.boolean(), version: fc.constantFrom(1, 2) })
      .map(({ isStarted, hasWinner, ...given }) =>
        buildAutotune(id, {
          ...given,
          variants: VARIANTS,
          salt: id,
          ...(isStarted && { isStarted, startTime: 1, winner: hasWinner ? { id: "green", name: "Green" } : null }),
        }),
      ),
  autotuneWeights: () =>
    fc.record({ startTime: fc.constantFrom(1, 1, 2), blue: fc.constantFrom(0, 300, 1000) }).map(({ startTime, blue }): AutotuneWeights => {
      const shares = [
        { id: "blue", buckets: blue },
        { id: "green", buckets: 1000 - blue },
      ];
      return { version: 1, createdTime: 1, startTime, shares };
    }),
  dynamicConfigs: (id) =>
    fc
      .record({ rules, targetApps, isEnabled: fc.boolean(), createdTime: fc.constantFrom(1, 2, 3) })
      .map((given) => buildConfig(id, { ...given, rules: given.rules.map((rule) => ({ ...rule, returnValue: { rule: rule.id } })) })),
  experiments: (id) =>
    fc
      .record({
        layerID: fc.option(id === "e" ? fc.constant("a") : fc.constantFrom(...IDS)),
        status: fc.constantFrom("setup" as const, "active", "decision_made", "archived"),
        targetingGateID: fc.option(fc.constantFrom(...IDS), { freq: 2 }),
        inlineTargetingRules: rules,
        createdTime: fc.constantFrom(1, 2, 3),
        targetApps,
        holdoutIDs,
      })
      .map((given) =>
        buildExperiment(id, { ...given, userBuckets: buckets(0, 500), groups: [group("control", 50), group("test", 50, { id })] }),
      ),
  experimentOverrides: () =>
    fc.record({ gate: id, users }).map(
      ({ gate, users }): Schema<"ExperimentOverrides"> => ({
        overrides: [{ type: "gate", id: gate, groupID: "test" }],
        userIDOverrides: [{ groupID: "control", ids: users, unitType: "userID" }],
        version: 1,
        createdTime: 1,
      }),
    ),
  layers: (id) =>
    fc
      .record({ targetApps, holdoutIDs, value: fc.constantFrom("x", "y") })
      .map(({ value, ...given }) => buildLayer(id, { ...given, parameters: [{ name: "p", type: "string", defaultValue: value }] })),
  layerOverrides: () =>
    fc.record({ gate: id, experimentName: fc.option(id, { nil: undefined }), users }).map(
      ({ gate, experimentName, users: listed }): Schema<"LayerOverrides"> => ({
        conditionalOverrides: [{ type: "gate", name: gate, experimentName: experimentName ?? "a", groupName: "test" }],
        idOverrides: [{ groupName: "control", ids: listed, idType: null, environment: null, ...(experimentName && { experimentName }) }],
        version: 1,
        createdTime: 1,
      }),
    ),
  segments: (id) =>
    fc
      .record({ type: fc.constantFrom("rule_based" as const, "id_list"), rules, isEnabled: fc.boolean(), count: fc.constantFrom(0, 2) })
      .map(({ type, ...given }) => buildSegment(id, type, { ...given, rules: type === "rule_based" ? given.rules : [] })),
  segmentIDs: () => users,
  holdouts: (id) =>
    fc
      .record({
        isEnabled: fc.boolean(),
        isGlobal: fc.boolean(),
        passPercentage: percentage,
        targetingGateID: fc.option(fc.constantFrom(...IDS)),
        targetApps,
      })
      .map((given) => buildHoldout(id, given)),
  holdoutOverrides: () => overrideLists,
  paramStores: (id) =>
    fc
      .record({ gate: fc.constantFrom(...IDS), targetAppIDs: targetApps })
      .map(({ gate, targetAppIDs }) =>
        newParamStore(
          {
            name: id,
            targetAppIDs,
            parameters: [{ name: "p", ref_type: "gate", param_type: "string", gate_name: gate, pass_value: "x", fail_value: "y" }],
          },
          context,
        ),
      )
      .map((store) => ({ ...store, id })),
  prompts: (id) =>
    fc.record({ targetApps, liveVersionID: fc.constantFrom(null, `${id}_v1`, `${id}_v2`) }).map((given) => ({
      ...newPrompt({ name: "Greeting" }, context),
      ...{ ...given, id, versions: ["v1", "v2"].map((name) => promptVersion(`${id}_${name}`, name)) },
    })),
};

function promptVersion(id: string, name: string): PromptVersion {
  return { id, name, description: "", prompts: [], createdTime: 1, creatorID: "key_1", creatorName: "CONSOLE API" };
}

/** A random change of a project: creates, edits, restores or deletes an entity. */
export const anyChange: fc.Arbitrary<Change> = fc
  .record({ part: fc.constantFrom(...(Object.keys(VALUES) as Part[])), id, fate: fc.nat({ max: 3 }) })
  .chain(({ part, id, fate }) => {
    const value: fc.Arbitrary<object | undefined> = fate === 0 ? fc.constant(undefined) : VALUES[part](id);
    return value.map((given): Change => ({ part, id, value: given }));
  });
