// Edits of a holdout that are not saved yet. Pure.
import type { BatchRequest, Schema, WritableSchema } from "../../api.ts";
import { changedParts, type DraftModel, describeFields, type Stored } from "../../saving/draft-model.ts";
import type { DescribedEntity } from "../../targeting/changes.ts";
import { type FieldWords, fieldText } from "../../targeting/field-changes.ts";
import type { KnownNames } from "../../targeting/field-words.ts";
import { overrideChanges } from "../../targeting/override-changes.ts";
import { fromKeyedOverrides, type KeyedOverride, keyedOverridesText, toKeyedOverrides } from "../../targeting/override-draft.ts";
import { OWNER_WORDS, type OwnerFields } from "../../targeting/owner-fields.ts";
import { subject, text } from "../../targeting/parts.ts";
import { TEAM_WORDS } from "../../targeting/team-fields.ts";

export type Holdout = Schema<"Holdout">;
type Overrides = Schema<"OverrideLists">;

/** The holdout as read and its overrides, both with ETags. */
export type StoredHoldout = Stored<Holdout> & { readonly overrides: Overrides; readonly overridesEtag: string };

const FIELDS = [
  "name",
  "description",
  "isEnabled",
  "passPercentage",
  "isGlobal",
  "gateIDs",
  "experimentIDs",
  "layerIDs",
  "targetingGateID",
  "monitoringMetrics",
  "tags",
  "team",
  "teamID",
] as const;
export type Fields = Pick<Holdout, (typeof FIELDS)[number]> & OwnerFields;
type Parts = Fields & { overrides: readonly KeyedOverride[] };

export type HoldoutDraft = { readonly stored: StoredHoldout; readonly fields: Fields; readonly overrides: Overrides };

const WORDS: Record<keyof Fields, FieldWords> = {
  isEnabled: { label: "Switched", as: "switch" },
  passPercentage: { label: "Held-out share", as: "value" },
  isGlobal: { label: "Applies to everything", as: "value" },
  gateIDs: { label: "Gates", as: "names" },
  experimentIDs: { label: "Experiments", as: "names" },
  layerIDs: { label: "Layers", as: "names" },
  targetingGateID: { label: "Targeting gate", as: "value" },
  monitoringMetrics: { label: "Monitoring metrics", as: "names" },
  name: { label: "Name", as: "value" },
  description: { label: "Description", as: "text" },
  tags: { label: "Tags", as: "names" },
  ...TEAM_WORDS,
  ...OWNER_WORDS,
};

const toFields = (holdout: Holdout): Fields => ({
  ...(Object.fromEntries(FIELDS.map((name) => [name, holdout[name]])) as Pick<Holdout, (typeof FIELDS)[number]>),
  owner: holdout.owner ?? null,
});

export const setFields = (draft: HoldoutDraft, fields: Partial<Fields>): HoldoutDraft => ({
  ...draft,
  fields: { ...draft.fields, ...fields },
});

export const holdoutModel: DraftModel<StoredHoldout, HoldoutDraft, Parts> = {
  getEtag: ({ etag, overridesEtag }) => `${etag} ${overridesEtag}`,
  storedParts: ({ entity, overrides }) => ({ ...toFields(entity), overrides: toKeyedOverrides(overrides, entity.idType) }),
  draftParts: ({ stored: { entity }, fields, overrides }) => ({ ...fields, overrides: toKeyedOverrides(overrides, entity.idType) }),
  createDraft: (stored, { overrides, ...fields }) => ({
    ...{ stored, fields },
    overrides: fromKeyedOverrides(overrides, stored.overrides, stored.entity.idType),
  }),
  countChanges: (draft) => describeDraft(draft).reduce((sum, { changes }) => sum + changes.length, 0),
  getName: (part) => (part === "overrides" ? "Overrides" : WORDS[part].label),
  toText: (part, value) => (part === "overrides" ? keyedOverridesText(value as readonly KeyedOverride[]) : fieldText(WORDS[part], value)),
};

/** The requests of a save, which are stored together. */
export function toWriteRequests(draft: HoldoutDraft): BatchRequest[] {
  const { entity, etag, overridesEtag } = draft.stored;
  const path = { id: entity.id };
  const { overrides, ...fields } = changedParts(holdoutModel, draft);
  const { passingUserIDs, failingUserIDs, passingCustomIDs, failingCustomIDs, environmentOverrides } = draft.overrides;
  const lists = { passingUserIDs, failingUserIDs, passingCustomIDs, failingCustomIDs, environmentOverrides };
  return [
    ...(Object.keys(fields).length > 0
      ? [{ operationId: "patchHoldout" as const, path, body: fields as WritableSchema<"HoldoutPatch">, ifMatch: etag }]
      : []),
    ...(overrides ? [{ operationId: "updateHoldoutOverrides" as const, path, body: lists, ifMatch: overridesEtag }] : []),
  ];
}

const OUTCOMES = { pass: "Always held out", fail: "Never held out" };

/** The fields with the names of gates, experiments and layers in place of their IDs. */
function withNames(fields: Fields, names: KnownNames): Fields {
  const named = (ids: readonly string[]) => ids.map((id) => names[id] ?? id);
  return { ...fields, gateIDs: named(fields.gateIDs), experimentIDs: named(fields.experimentIDs), layerIDs: named(fields.layerIDs) };
}

/** The changes of a draft in words. @param names of gates, experiments and layers by their IDs */
export function describeDraft(draft: HoldoutDraft, names: KnownNames = {}): DescribedEntity[] {
  const { stored, fields, overrides } = draft;
  const { entity, overrides: before } = stored;
  const changes = overrideChanges(before, overrides, entity.idType, OUTCOMES);
  const title = [text("Overrides of holdout"), subject(`“${entity.id}”`)];
  return [
    ...describeFields(
      WORDS,
      { type: "holdout", noun: "Holdout", id: entity.id },
      withNames(toFields(entity), names),
      withNames(fields, names),
    ),
    ...(changes.length > 0 ? [{ entityType: "holdout_overrides", entityID: entity.id, title, changes }] : []),
  ];
}

const LISTS = [
  { type: "gate", field: "gateIDs" },
  { type: "experiment", field: "experimentIDs" },
  { type: "layer", field: "layerIDs" },
] as const;

/** The gates, experiments and layers that the draft adds or removes. */
export function changedFeatures({ stored: { entity }, fields }: HoldoutDraft) {
  return LISTS.flatMap(({ type, field }) => {
    const [old, now] = [new Set(entity[field]), new Set(fields[field])];
    const added = fields[field].filter((id) => !old.has(id)).map((id) => ({ type, id, isAdded: true }));
    return [...added, ...entity[field].filter((id) => !now.has(id)).map((id) => ({ type, id, isAdded: false }))];
  });
}

const shareOf = ({ isEnabled, passPercentage }: Pick<Fields, "isEnabled" | "passPercentage">) => (isEnabled ? passPercentage : 0);

const holdsMore = ({ stored: { entity }, fields }: HoldoutDraft): boolean => shareOf(fields) > shareOf(entity);

/**
 * The experiments and layers that the draft begins to hold, or holds for more users.
 * `areAll`: every experiment of the project.
 */
export function newlyHeld(draft: HoldoutDraft): { experimentIDs: string[]; layerIDs: string[]; areAll: boolean } {
  const { stored, fields } = draft;
  const { entity } = stored;
  const none = { experimentIDs: [], layerIDs: [] };
  const isMore = holdsMore(draft);
  if (shareOf(fields) === 0) return { ...none, areAll: false };
  if (fields.isGlobal) return { ...none, areAll: isMore || !entity.isGlobal };
  if (entity.isGlobal && !isMore) return { ...none, areAll: false };
  const added = (list: "experimentIDs" | "layerIDs") => fields[list].filter((id) => isMore || !entity[list].includes(id));
  return { experimentIDs: added("experimentIDs"), layerIDs: added("layerIDs"), areAll: false };
}

type Held = Pick<Schema<"Experiment">, "id" | "name" | "status" | "layerID">;

/** The names of the running experiments that users leave with the draft. @param held the experiments of `newlyHeld`, each once or more */
export function leftExperiments(draft: HoldoutDraft, held: readonly Held[]): string[] {
  const { entity } = draft.stored;
  const isOld = ({ id, layerID }: Held) =>
    !holdsMore(draft) && (entity.experimentIDs.includes(id) || (layerID !== null && entity.layerIDs.includes(layerID)));
  const left = held.filter((one) => (one.status === "active" || one.status === "assignment_stopped") && !isOld(one));
  return [...new Map(left.map(({ id, name }) => [id, name])).values()];
}

/** The differences between two versions, in words. A version has no overrides. */
export const describeVersions = (before: Holdout, after: Holdout): DescribedEntity[] =>
  describeFields(WORDS, { type: "holdout", noun: "Holdout", id: after.id }, toFields(before), toFields(after));
