// Edits of a gate that are not saved yet. Pure.
import type { BatchRequest, Schema, WritableSchema } from "../../api.ts";
import { guardrailFaults } from "../../guardrails/guardrail-draft.ts";
import type { DraftModel, Stored } from "../../saving/draft-model.ts";
import { entityChanges, type KnownEntity } from "../../targeting/changes.ts";
import { offIn } from "../../targeting/environment-switches.ts";
import { equal } from "../../targeting/equal.ts";
import { fieldText } from "../../targeting/field-changes.ts";
import { metricsText } from "../../targeting/metric-changes.ts";
import { fromKeyedOverrides, type KeyedOverride, keyedOverridesText, toKeyedOverrides } from "../../targeting/override-draft.ts";
import { OWNER_WORDS, type OwnerFields } from "../../targeting/owner-fields.ts";
import { REVIEW_WORDS, type ReviewFields, reviewSettingsText, toReviewSettings } from "../../targeting/review-settings.ts";
import { isChanged, type RulesDraft, toDraft, toRules, toWrittenRules } from "../../targeting/rule-draft.ts";
import { faultsOfRules } from "../../targeting/rule-faults.ts";
import { rulesText } from "../../targeting/sentences.ts";
import { TEAM_WORDS } from "../../targeting/team-fields.ts";
import type { Fault } from "../../targeting/types.ts";

type Gate = Schema<"Gate">;
type Overrides = Schema<"OverrideLists">;

/** The fields that the page edits apart from the rules. */
const FIELDS = [
  "name",
  "description",
  "isEnabled",
  "disabledEnvironments",
  "type",
  "tags",
  "team",
  "teamID",
  "owner",
  "measureMetricLifts",
  "monitoringMetrics",
  "reviewSettings",
  "releasePipelineID",
] as const;
export type Fields = Pick<Gate, Exclude<(typeof FIELDS)[number], "owner" | "reviewSettings">> &
  OwnerFields &
  ReviewFields & { disabledEnvironments: string[] };

/** The gate as read, with the ETags: a save is refused if someone else saved since. */
export type StoredGate = Stored<Gate> & { readonly overrides: Overrides; readonly overridesEtag: string };

export type GateDraft = {
  /** The version that the edits began from. */
  readonly stored: StoredGate;
  readonly fields: Fields;
  readonly rules: RulesDraft;
  readonly overrides: Overrides;
};

const toFields = (gate: Gate): Fields =>
  ({
    ...Object.fromEntries(FIELDS.map((name) => [name, gate[name]])),
    owner: gate.owner ?? null,
    disabledEnvironments: offIn(gate),
    reviewSettings: toReviewSettings(gate.reviewSettings),
  }) as Fields;

export const setFields = (draft: GateDraft, fields: Partial<Fields>): GateDraft => ({ ...draft, fields: { ...draft.fields, ...fields } });

/** The gate's part of a save: only fields that differ from the version the edits began from. Undefined without any. */
export function toPatch({ stored: { entity: base }, fields, rules }: GateDraft): WritableSchema<"GatePatch"> | undefined {
  const known = toFields(base);
  const changed: WritableSchema<"GatePatch"> = Object.fromEntries(
    FIELDS.filter((name) => !equal(fields[name], known[name])).map((name) => [name, fields[name]]),
  );
  if (isChanged(rules, base.rules)) changed.rules = toWrittenRules(rules);
  return Object.keys(changed).length === 0 ? undefined : changed;
}

/** The requests of a save, which are stored together. Each names the version that it was decided on. */
export function toWriteRequests(draft: GateDraft): BatchRequest[] {
  const { entity: gate, etag, overrides, overridesEtag } = draft.stored;
  const path = { id: gate.id };
  const patch = toPatch(draft);
  const { passingUserIDs, failingUserIDs, passingCustomIDs, failingCustomIDs, environmentOverrides } = draft.overrides;
  const lists = { passingUserIDs, failingUserIDs, passingCustomIDs, failingCustomIDs, environmentOverrides };
  return [
    ...(patch ? [{ operationId: "patchGate" as const, path, body: patch, ifMatch: etag }] : []),
    ...(equal(draft.overrides, overrides)
      ? []
      : [{ operationId: "updateGateOverrides" as const, path, body: lists, ifMatch: overridesEtag }]),
  ];
}

/** The gate as it would be, to show it. */
export function toPreview({ stored, fields, rules }: GateDraft): Gate & Fields {
  const { entity } = stored;
  const status = fields.isEnabled === entity.isEnabled ? entity.status : fields.isEnabled ? "In Progress" : "Disabled";
  // Settings that are not edited stay as they are stored, which may be without reviewers.
  const isSame = equal(fields.reviewSettings, toReviewSettings(entity.reviewSettings));
  const reviewSettings = isSame ? entity.reviewSettings : fields.reviewSettings;
  return { ...entity, ...fields, reviewSettings, status, rules: toRules(rules) as Gate["rules"] };
}

/** Both states of the parts that a save writes, to put the difference into words. */
export function knownEntities(draft: GateDraft): KnownEntity[] {
  const { entity: gate, overrides } = draft.stored;
  const { id, idType } = gate;
  return [
    { type: "gate", id, before: gate, after: toPreview(draft) },
    { type: "gate_overrides", id, idType, before: overrides, after: draft.overrides },
  ];
}

/** How many things differ, as the review lists them. */
export function countChanges(draft: GateDraft): number {
  return toWriteRequests(draft).length === 0 ? 0 : Math.max(1, knownEntities(draft).flatMap((one) => entityChanges(one)).length);
}

/**
 * The faults for which the server would refuse it. Rollouts that are paused come later by as long as the pause takes, so their times may
 * have passed.
 * @param now ms since the epoch
 */
export function findFaults({ rules, fields, stored: { entity } }: GateDraft, now: number): Fault[] {
  const from = Math.min(now, ...(entity.pausedBy ?? []).map(({ pausedTime }) => pausedTime));
  return [
    ...faultsOfRules(rules, entity.rules, from),
    ...guardrailFaults("monitoringMetrics", fields.monitoringMetrics, entity.monitoringMetrics),
  ];
}

/** The parts that two people can change independently. */
export type Parts = Fields & { rules: Gate["rules"]; overrides: readonly KeyedOverride[] };

const PARTS: Record<keyof Parts, string> = {
  name: "Name",
  description: "Description",
  isEnabled: "Enabled",
  disabledEnvironments: "Environments where it’s off",
  type: "Type",
  tags: "Tags",
  team: TEAM_WORDS.team.label,
  teamID: TEAM_WORDS.teamID.label,
  owner: OWNER_WORDS.owner.label,
  measureMetricLifts: "Measure lifts of metrics",
  monitoringMetrics: "Monitoring metrics",
  reviewSettings: REVIEW_WORDS.reviewSettings.label,
  releasePipelineID: "Release pipeline",
  rules: "Rules",
  overrides: "Overrides",
};

const toParts = (gate: Gate, overrides: Overrides): Parts => ({
  ...toFields(gate),
  rules: toRules(toDraft(gate.rules)) as Gate["rules"],
  overrides: toKeyedOverrides(overrides, gate.idType),
});

export const gateModel: DraftModel<StoredGate, GateDraft, Parts> = {
  getEtag: ({ etag, overridesEtag }) => `${etag} ${overridesEtag}`,
  storedParts: ({ entity, overrides }) => toParts(entity, overrides),
  draftParts: (draft) => toParts(toPreview(draft), draft.overrides),
  createDraft: (stored, { rules, overrides, ...fields }) => ({
    ...{ stored, fields },
    rules: toDraft(rules),
    overrides: fromKeyedOverrides(overrides, stored.overrides, stored.entity.idType),
  }),
  countChanges,
  getName: (part) => PARTS[part],
  toText: partText,
};

/** A value in words, to compare two. */
function partText(part: keyof Parts, value: unknown, { entity: { idType } }: StoredGate): string {
  if (part === "rules") return rulesText(value as Gate["rules"], idType);
  if (part === "overrides") return keyedOverridesText(value as readonly KeyedOverride[]);
  if (part === "monitoringMetrics") return metricsText(value as Gate["monitoringMetrics"], { hasRollouts: true });
  if (part === "reviewSettings") return reviewSettingsText(value);
  if (part === "owner") return fieldText(OWNER_WORDS.owner, value);
  if (value === null) return "None";
  if (typeof value === "string") return value === "" ? "Empty" : value;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return JSON.stringify(value, undefined, 2);
}
