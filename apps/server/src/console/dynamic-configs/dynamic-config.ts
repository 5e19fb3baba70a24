import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { invalid, type Violation } from "../../common/errors.ts";
import { newID } from "../../common/identifier.ts";
import { toPlace } from "../../common/place.ts";
import type { CheckSchema } from "../../schema-checks/schema-check.ts";
import { json5Source } from "../common/json5-source.ts";
import { createLifecycle } from "../common/lifecycle.ts";
import { namedEach, namedInRules, namedLabels } from "../common/named.ts";
import { type Rule, readRules, type WritableRule } from "../common/rule.ts";
import { created, modified } from "../common/stamp.ts";
import { withSwitches } from "../common/switch.ts";
import type { Reference } from "../reference.ts";
import { namedByRelease } from "../releases/released.ts";
import { schemaSource } from "./schema-source.ts";
import { checkValues, type PlacedValue } from "./value-schema.ts";

export type DynamicConfig = Schema<"DynamicConfig">;
type DynamicConfigCreate = WritableSchema<"DynamicConfigCreate">;
type DynamicConfigPatch = WritableSchema<"DynamicConfigPatch">;

/** The values that a dynamic config returns, and the JSON Schema that they must satisfy. */
type Content = Pick<DynamicConfig, "rules" | "defaultValue" | "defaultValueJson5" | "schema" | "schemaJson5">;

/** A dynamic config before its check: the new version, the violations so far, and the values that its schema still has to check. */
export type DynamicConfigDraft = { config: DynamicConfig; violations: Violation[]; values: PlacedValue[] };

type ContentInput = Pick<DynamicConfigPatch, keyof Content>;

const DEFAULTS = {
  description: "",
  idType: "userID",
  tags: [],
  targetApps: [],
  holdoutIDs: [],
  team: null,
  teamID: null,
  checksPerHour: 0,
  releasePipelineID: null,
  isTemplate: false,
} satisfies Partial<DynamicConfig>;

export const configLifecycle = createLifecycle<DynamicConfig>({ noun: "Dynamic config", enabledStatus: "Enabled", touched: modified });

const EMPTY: Content = { rules: [], defaultValue: {}, defaultValueJson5: "{}", schema: null, schemaJson5: null };

/** Creates a dynamic config. By default it is enabled and has no rules and an empty default value. */
export function newDynamicConfig(given: DynamicConfigCreate, context: Context): DynamicConfigDraft {
  const { isEnabled = true } = given;
  const { content, ...found } = toContent(given, EMPTY, context.now);
  const status = configLifecycle.toStatus(isEnabled);
  const config = withSwitches({
    id: newID("dynamic_config", given, found.violations),
    ...DEFAULTS,
    ...created(context),
    ...given,
    isEnabled,
    status,
    ...content,
  });
  return { config, ...found };
}

/** The dynamic config with the given fields changed. @throws AppError conflict if it is archived */
export function changeDynamicConfig(config: DynamicConfig, given: DynamicConfigPatch, context: Context): DynamicConfigDraft {
  configLifecycle.requireInUse(config);
  const isEnabled = given.isEnabled ?? config.isEnabled;
  const { content, ...found } = toContent(given, config, context.now);
  const status = configLifecycle.toStatus(isEnabled);
  return { config: withSwitches({ ...config, ...given, isEnabled, status, ...content, ...modified(config, context) }), ...found };
}

/** Checks the draft's values against its schema. @throws AppError invalid_request with all violations, those of the draft included */
export async function requireValid({ config, violations, values }: DynamicConfigDraft, check: CheckSchema): Promise<DynamicConfig> {
  const found = config.schema === null || values.length === 0 ? [] : await checkValues(config.schema, values, check);
  const all = [...violations, ...found];
  if (all.length > 0) throw invalid(all);
  return config;
}

/** The dynamic config's references. */
export function namedByDynamicConfig(config: DynamicConfig): Reference[] {
  const { rules, disabledEnvironments = [], activeRelease } = config;
  return [
    ...namedByRelease(activeRelease),
    ...namedInRules(rules, "rules"),
    ...namedEach("environment", disabledEnvironments, "disabledEnvironments"),
    ...namedLabels(config),
  ];
}

function toContent(given: ContentInput, current: Content, now: number): { content: Content } & Omit<DynamicConfigDraft, "config"> {
  const violations: Violation[] = [];
  const rules = given.rules ? readRules(given.rules.map(withPassPercentage), current.rules, now, "rules", violations) : current.rules;
  const { value: defaultValue, text: defaultValueJson5 } = readDefaultValue(given, current, violations);
  const { schema, schemaJson5 } = schemaSource(given, current, violations);
  const isChanged = rules !== current.rules || defaultValue !== current.defaultValue || schema !== current.schema;
  const ofRules = rules.flatMap((rule, index) => returnValues(rule, `rules[${index}]`));
  const values = isChanged ? [{ place: "defaultValue", value: defaultValue }, ...ofRules] : [];
  return { content: { rules, defaultValue, defaultValueJson5, schema, schemaJson5 }, violations, values };
}

/** Without a percentage, a rule returns its value to all units that match. */
function withPassPercentage({ passPercentage = 100, ...rule }: WritableSchema<"GivenConfigRule">): WritableRule {
  return { ...rule, passPercentage };
}

function readDefaultValue(given: ContentInput, current: Content, violations: Violation[]) {
  const stored = { value: current.defaultValue, text: current.defaultValueJson5 };
  const places = { property: "defaultValue", textProperty: "defaultValueJson5" };
  return json5Source(places, { value: given.defaultValue, text: given.defaultValueJson5 }, violations, stored) ?? stored;
}

/** The return values of a rule and its variants. `place` is that of the rule, such as `rules[1]`. */
export function returnValues({ returnValue: value, variants = [] }: Pick<Rule, "returnValue" | "variants">, place: string): PlacedValue[] {
  const own = value ? [{ place: toPlace(["returnValue"], place), value }] : [];
  return [...own, ...variants.flatMap((variant, index) => returnValues(variant, toPlace(["variants", `${index}`], place)))];
}
