import type { Condition, Rule, Spec } from "../../src/index.ts";
import { condition, config, rule } from "../support/ruleset.ts";
import { bucket, buckets, fails, field, passes, unit } from "./conditions.ts";

type Value = Record<string, unknown>;

const when = (id: string, conditions: Condition[], returnValue: Value, given: Partial<Rule> = {}) =>
  rule(id, { conditions, returnValue, ...given });
const always = (id: string, returnValue: Value, given: Partial<Rule> = {}) => rule(id, { returnValue, ...given });

const DYNAMIC_CONFIGS: Spec[] = [
  config(
    "colours",
    "dynamic_config",
    [
      when("staff", [passes("segment:staff")], { main: "red" }, { groupName: "Staff" }),
      when("some", [passes("two decimals")], { main: "green" }, { groupName: "Some", passPercentage: 40 }),
      always("half", { main: "blue", accent: null }, { passPercentage: 50 }),
    ],
    { defaultValue: { main: "grey" } },
  ),
  config("values of every kind", "dynamic_config", [
    when("paying", [field("plan", "any", ["pro"])], {
      ...{
        text: "Größe 🗻",
        empty: "",
        whole: 42,
        fraction: 0.1,
        large: 9_999_999_999,
        huge: 1e60,
        tiny: 1e-7,
        exact: 0.9999999999999991,
        negative: -1,
      },
      ...{ yes: true, no: false, nothing: null, list: [1, "a", null, [true]], nested: { deep: { deeper: [] } }, __proto: 1 },
    }),
  ]),
  config("no rules at all", "dynamic_config", [], { defaultValue: { steps: 4 } }),
  config("switched off", "dynamic_config", [always("everyone", { steps: 1 })], { enabled: false, defaultValue: { steps: 4 } }),
  config("by devices", "dynamic_config", [always("half", { on: true }, { passPercentage: 50, idType: "stableID" })], {
    idType: "stableID",
  }),
  config("unsupported config", "dynamic_config", [when("odd", [condition("javascript")], { odd: true })], { defaultValue: { odd: false } }),
  config("tuned", "autotune", [
    when("winner", [field("age", "lt", 30)], { variant: "a" }, { groupName: "A" }),
    always("rest", { variant: "b" }),
  ]),
];

const group = (id: string, conditions: Condition[], returnValue: Value, given: Partial<Rule> = {}): Rule =>
  when(id, conditions, returnValue, { groupName: id.toUpperCase(), isExperimentGroup: true, ...given });

const EXPERIMENTS: Spec[] = [
  config(
    "halves",
    "experiment",
    [
      when(
        "test:userID:id_override",
        [unit("any_case_sensitive", ["user_1", "user_11"])],
        { label: "Buy now" },
        { groupName: "TEST", isExperimentGroup: true },
      ),
      when("control:override", [passes("segment:friends")], { label: "Buy" }, { groupName: "CONTROL", isExperimentGroup: true }),
      when("holdout", [passes("holdout")], {}, { passPercentage: 0 }),
      when("layerAssignment", [bucket("any", ["-1"], "halves:allocation")], {}),
      when("targetingGate", [fails("two decimals")], {}),
      group("control", [bucket("lt", 500, "halves")], { label: "Buy" }),
      group("test", [bucket("lt", 1000, "halves")], { label: "Buy now" }),
    ],
    { isActive: true, defaultValue: {} },
  ),
  config(
    "thirds of companies",
    "experiment",
    [
      when("layerAssignment", [bucket("none", buckets(0, 700), "thirds:allocation", "companyID")], { size: 0 }, { idType: "companyID" }),
      when("inlineTargetingRules", [fails("segment:of segments")], { size: 0 }, { idType: "companyID" }),
      group("one", [bucket("lt", 333, "thirds", "companyID")], { size: 1 }, { idType: "companyID" }),
      group("two", [bucket("lt", 666, "thirds", "companyID")], { size: 2 }, { idType: "companyID" }),
      group("three", [bucket("lt", 1000, "thirds", "companyID")], { size: 3 }, { idType: "companyID" }),
    ],
    { isActive: true, idType: "companyID", defaultValue: { size: 0 } },
  ),
  config("of devices", "experiment", [group("a", [bucket("lt", 500, "devices", "stableID")], { a: 1 }), group("b", [], { a: 2 })], {
    isActive: true,
    idType: "stableID",
  }),
  config("not started", "experiment", [when("prestart", [condition("public")], {})], { isActive: false }),
  config(
    "shipped",
    "experiment",
    [when("held", [passes("holdout")], {}, { passPercentage: 0 }), always("launchedGroup", { label: "Buy now" }, { groupName: "TEST" })],
    {
      isActive: false,
    },
  ),
  config("stopped", "experiment", [always("abandoned", {})], { isActive: false, defaultValue: { label: "Buy" } }),
  config("disabled experiment", "experiment", [group("a", [], { a: 1 })], { isActive: true, enabled: false }),
];

/** The parameters of the layer `page`, with their values outside of experiments. */
const PAGE = { title: "Checkout", steps: 3, colour: "grey" };

const onLayer = (id: string, taken: string[], rules: Rule[], explicitParameters: string[]): Spec =>
  config(id, "experiment", [when("layerAssignment", [bucket("none", taken, "page")], PAGE), ...rules], {
    isActive: true,
    defaultValue: PAGE,
    hasSharedParams: true,
    explicitParameters,
  });

const ON_LAYERS: Spec[] = [
  onLayer(
    "page title",
    buckets(0, 400),
    [
      when("targetingGate", [passes("tenth")], PAGE),
      group("control", [bucket("lt", 500, "title")], PAGE),
      group("test", [bucket("lt", 1000, "title")], { ...PAGE, title: "Pay" }),
    ],
    ["title"],
  ),
  onLayer(
    "page steps",
    buckets(400, 900),
    [
      when("holdout", [passes("holdout")], PAGE),
      group("one", [bucket("lt", 300, "steps")], { ...PAGE, steps: 1 }),
      group("two", [bucket("lt", 600, "steps")], { ...PAGE, steps: 2, colour: "green" }, { passPercentage: 50 }),
      group("three", [bucket("lt", 1000, "steps")], PAGE),
    ],
    ["steps", "colour"],
  ),
  config("page over", "experiment", [always("launchedGroup", { ...PAGE, colour: "blue" }, { groupName: "BLUE" })], {
    isActive: false,
    defaultValue: PAGE,
    hasSharedParams: true,
    explicitParameters: ["colour"],
  }),
];

export const CONFIGS: Spec[] = [...DYNAMIC_CONFIGS, ...EXPERIMENTS, ...ON_LAYERS];

/** Conditions on a user's group are known to newer SDKs alone. */
export const OF_A_GROUP = config("of a group", "dynamic_config", [
  when("test", [condition("experiment_group", { field: "halves", operator: "any", targetValue: ["TEST"] })], { of: "test" }),
  when("no control", [condition("experiment_group", { field: "halves", operator: "none", targetValue: ["control"] })], { of: "neither" }),
]);

const toExperiment = (id: string, configDelegate: string, conditions: Condition[]) => when(id, conditions, PAGE, { configDelegate });

export const LAYERS: Spec[] = [
  config(
    "page",
    "layer",
    [
      toExperiment("page title test:id_override", "page title", [unit("any_case_sensitive", ["user_8", "user_9"])]),
      toExperiment("page steps two:override", "page steps", [passes("segment:staff"), passes("salted")]),
      when("holdout of companies", [passes("holdout of companies")], PAGE),
      toExperiment("experimentAssignment", "page steps", [bucket("any", buckets(400, 900), "page")]),
      toExperiment("experimentAssignment", "page title", [bucket("any", buckets(0, 400), "page")]),
    ],
    { defaultValue: PAGE },
  ),
  config("page that is over", "layer", [toExperiment("experimentAssignment", "page over", [passes("two decimals")])], {
    defaultValue: PAGE,
    explicitParameters: ["title"],
  }),
  config("page without experiments", "layer", [], { defaultValue: { title: "Basket" }, idType: "companyID" }),
  config("page of a missing experiment", "layer", [toExperiment("experimentAssignment", "missing", [passes("tenth")])], {
    defaultValue: PAGE,
  }),
  config("page that is off", "layer", [toExperiment("experimentAssignment", "page title", [])], { defaultValue: PAGE, enabled: false }),
  config("page of an unsupported config", "layer", [toExperiment("r", "unsupported config", [passes("segment:friends")])], {
    defaultValue: PAGE,
  }),
];
