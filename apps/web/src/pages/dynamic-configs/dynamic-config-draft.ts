// Edits of a dynamic config that are not saved yet. Pure.
import type { BatchRequest, Schema, WritableSchema } from "../../api.ts";
import { changedParts, type DraftModel, type Stored } from "../../saving/draft-model.ts";
import { entityChanges, type KnownEntity } from "../../targeting/changes.ts";
import { offIn } from "../../targeting/environment-switches.ts";
import { fieldText } from "../../targeting/field-changes.ts";
import { OWNER_WORDS, type OwnerFields } from "../../targeting/owner-fields.ts";
import { type RulesDraft, toDraft, toRules, toWrittenRules } from "../../targeting/rule-draft.ts";
import { rulesText } from "../../targeting/sentences.ts";
import { TEAM_WORDS } from "../../targeting/team-fields.ts";
import type { Fault } from "../../targeting/types.ts";
import { faultsOfText, faultsOfValues, parseObject, textOfValue } from "../../targeting/values.ts";

export type DynamicConfig = Schema<"DynamicConfig">;
export type StoredConfig = Stored<DynamicConfig>;

/** The fields that the page edits apart from the rules. The texts carry comments that their values have not. */
const FIELDS = [
  "name",
  "description",
  "isEnabled",
  "disabledEnvironments",
  "defaultValueJson5",
  "schemaJson5",
  "tags",
  "team",
  "teamID",
  "owner",
  "releasePipelineID",
] as const;
export type Fields = Pick<DynamicConfig, Exclude<(typeof FIELDS)[number], "owner">> & OwnerFields & { disabledEnvironments: string[] };
type Parts = Fields & { rules: DynamicConfig["rules"] };

export type ConfigDraft = { readonly stored: StoredConfig; readonly fields: Fields; readonly rules: RulesDraft };

const NAMES: Record<keyof Parts, string> = {
  name: "Name",
  description: "Description",
  isEnabled: "Enabled",
  disabledEnvironments: "Environments where it’s off",
  defaultValueJson5: "Default value",
  schemaJson5: "JSON Schema",
  tags: "Tags",
  team: TEAM_WORDS.team.label,
  teamID: TEAM_WORDS.teamID.label,
  owner: OWNER_WORDS.owner.label,
  releasePipelineID: "Release pipeline",
  rules: "Rules",
};

const toFields = (config: DynamicConfig): Fields =>
  ({
    ...Object.fromEntries(FIELDS.map((name) => [name, config[name]])),
    owner: config.owner ?? null,
    disabledEnvironments: offIn(config),
  }) as Fields;

export const setFields = (draft: ConfigDraft, fields: Partial<Fields>): ConfigDraft => ({
  ...draft,
  fields: { ...draft.fields, ...fields },
});

const toParts = (fields: Fields, rules: RulesDraft): Parts => ({ ...fields, rules: toRules(rules) as Parts["rules"] });

export const configModel: DraftModel<StoredConfig, ConfigDraft, Parts> = {
  getEtag: ({ etag }) => etag,
  storedParts: ({ entity }) => toParts(toFields(entity), toDraft(entity.rules)),
  draftParts: ({ fields, rules }) => toParts(fields, rules),
  createDraft: (stored, { rules, ...fields }) => ({ stored, fields, rules: toDraft(rules) }),
  countChanges,
  getName: (part) => NAMES[part],
  toText: (part, value, { entity }) => {
    if (part === "rules") return rulesText(value as Parts["rules"], entity.idType, "value");
    if (part === "owner") return fieldText(OWNER_WORDS.owner, value);
    if (typeof value === "boolean") return value ? "Yes" : "No";
    return Array.isArray(value) ? value.join(", ") || "None" : String(value ?? "") || "Empty";
  },
};

/** The body of a save: only the differences. Undefined without any. */
export function toPatch(draft: ConfigDraft): WritableSchema<"DynamicConfigPatch"> | undefined {
  const changed = changedParts(configModel, draft);
  const written = { ...changed, ...(changed.rules && { rules: toWrittenRules(draft.rules) }) };
  return Object.keys(written).length === 0 ? undefined : (written as WritableSchema<"DynamicConfigPatch">);
}

export function toWriteRequests(draft: ConfigDraft): BatchRequest[] {
  const body = toPatch(draft);
  const { entity, etag } = draft.stored;
  return body ? [{ operationId: "patchDynamicConfig", path: { id: entity.id }, body, ifMatch: etag }] : [];
}

/** The dynamic config as it would be, to show it. */
export function toPreview({ stored: { entity }, fields, rules }: ConfigDraft): DynamicConfig & Fields {
  const defaultValue = parseObject(fields.defaultValueJson5) ?? entity.defaultValue;
  const status = fields.isEnabled === entity.isEnabled ? entity.status : fields.isEnabled ? "Enabled" : "Disabled";
  return { ...entity, ...fields, status, defaultValue, rules: toRules(rules) as DynamicConfig["rules"] };
}

/** Both states, to put the difference into words. */
export function knownEntities(draft: ConfigDraft): KnownEntity[] {
  const { entity } = draft.stored;
  return [{ type: "dynamic_config", id: entity.id, before: entity, after: toPreview(draft) }];
}

function countChanges(draft: ConfigDraft): number {
  return toWriteRequests(draft).length === 0 ? 0 : Math.max(1, knownEntities(draft).flatMap((one) => entityChanges(one)).length);
}

/** The faults of the draft's texts. The server checks values against the schema. */
export function faultsOfTexts({ fields, rules }: ConfigDraft): Fault[] {
  return [
    ...faultsOfText(fields.defaultValueJson5, "defaultValueJson5"),
    ...(fields.schemaJson5 === null ? [] : faultsOfText(fields.schemaJson5, "schemaJson5")),
    ...faultsOfValues(rules),
  ];
}

/** The texts of the draft's values, each with the name of its editor and its place in a request. */
export function textsOfDraft({ fields, rules }: ConfigDraft): { label: string; place: string; text: string }[] {
  return [
    { label: "Default value", place: "defaultValue", text: fields.defaultValueJson5 },
    ...toRules(rules).flatMap((rule, index) => {
      const { variants = [] } = rule;
      if (variants.length === 0) return [{ label: `Value of ${rule.name}`, place: `rules[${index}].returnValue`, text: textOfValue(rule) }];
      return variants.map((variant, at) => ({
        label: `Value of ${variant.name}`,
        place: `rules[${index}].variants[${at}].returnValue`,
        text: textOfValue(variant),
      }));
    }),
  ];
}

/** The tab that shows a field of a request, and the name of its editor. */
export function placeOf(draft: ConfigDraft, property: string): { tab: "values" | "schema" | "details"; label?: string } {
  if (property.startsWith("schema")) return { tab: "schema", label: "JSON Schema" };
  const shown = textsOfDraft(draft).find(({ place }) => property.startsWith(place));
  if (shown) return { tab: "values", label: shown.label };
  return { tab: /^(rules|isEnabled|disabledEnvironments)/.test(property) ? "values" : "details" };
}
