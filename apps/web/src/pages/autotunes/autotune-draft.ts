// Edits of an autotune that are not saved yet. Pure.
import type { BatchRequest, WritableSchema } from "../../api.ts";
import { changedParts, describeFields, type FieldsDraft, fieldsModel, type Stored } from "../../saving/draft-model.ts";
import type { DescribedEntity } from "../../targeting/changes.ts";
import type { FieldWords } from "../../targeting/field-changes.ts";
import { freshName } from "../../targeting/names.ts";
import { OWNER_WORDS, type OwnerFields } from "../../targeting/owner-fields.ts";
import { TEAM_WORDS, type TeamFields, toTeamFields } from "../../targeting/team-fields.ts";
import type { Fault } from "../../targeting/types.ts";
import { faultsOfText, parseObject } from "../../targeting/values.ts";
import type { Autotune } from "./states.ts";

export type StoredAutotune = Stored<Autotune>;

/** A variant as it is edited: its value is a text. A variant without an id is new. */
export type VariantDraft = { id: string | null; name: string; value: string };

export type Fields = Pick<
  Autotune,
  | "name"
  | "description"
  | "tags"
  | "successEvent"
  | "successEventValue"
  | "metadataField"
  | "optimizationParameter"
  | "valueColumn"
  | "higherIsBetter"
  | "explorationWindow"
  | "explorationWindowRate"
  | "attributionWindowUnit"
  | "winnerThreshold"
> &
  TeamFields &
  OwnerFields & {
    /** How many of its units the attribution window has. */
    attribution: string;
    longtermExplorationAllocation: number | null;
    goalRichText: string;
    variants: readonly VariantDraft[];
  };

export type AutotuneDraft = FieldsDraft<Autotune, Fields>;

const WORDS: Record<keyof Fields, FieldWords> = {
  variants: { label: "Variants", as: "json" },
  successEvent: { label: "Outcome", as: "value" },
  successEventValue: { label: "Outcome text", as: "value" },
  metadataField: { label: "Metadata key of the text", as: "value" },
  optimizationParameter: { label: "Goal is", as: "value" },
  valueColumn: { label: "Metadata key of the number", as: "value" },
  higherIsBetter: { label: "Higher is better", as: "switch" },
  explorationWindow: { label: "Exploration", as: "value" },
  explorationWindowRate: { label: "Equal traffic during exploration", as: "value" },
  longtermExplorationAllocation: { label: "Equal traffic after exploration", as: "value" },
  attribution: { label: "Outcome window", as: "value" },
  attributionWindowUnit: { label: "Unit of the outcome window", as: "value" },
  winnerThreshold: { label: "Wins at", as: "value" },
  goalRichText: { label: "Purpose", as: "text" },
  name: { label: "Name", as: "value" },
  description: { label: "Description", as: "text" },
  tags: { label: "Tags", as: "names" },
  ...TEAM_WORDS,
  ...OWNER_WORDS,
};

const toFields = (autotune: Autotune): Fields => ({
  name: autotune.name ?? "",
  description: autotune.description ?? "",
  tags: autotune.tags ?? [],
  ...toTeamFields(autotune),
  owner: autotune.owner ?? null,
  successEvent: autotune.successEvent,
  successEventValue: autotune.successEventValue,
  metadataField: autotune.metadataField,
  optimizationParameter: autotune.optimizationParameter,
  valueColumn: autotune.valueColumn,
  higherIsBetter: autotune.higherIsBetter,
  explorationWindow: autotune.explorationWindow,
  explorationWindowRate: autotune.explorationWindowRate,
  attribution: String(Number.parseInt(autotune.attributionWindow, 10)),
  attributionWindowUnit: autotune.attributionWindowUnit,
  longtermExplorationAllocation: autotune.longtermExplorationAllocation ?? null,
  winnerThreshold: autotune.winnerThreshold,
  goalRichText: autotune.goalRichText ?? "",
  variants: autotune.variants.map(({ id, name, json }) => ({ id, name, value: JSON.stringify(json, undefined, 2) })),
});

export const autotuneModel = fieldsModel<Autotune, Fields>(WORDS, toFields);

/** Adds a variant with the value of the last one. */
export function addVariant(variants: readonly VariantDraft[]): VariantDraft[] {
  const name = freshName(
    "Variant",
    variants.map((variant) => variant.name),
  );
  return [...variants, { id: null, name, value: variants.at(-1)?.value ?? "{}" }];
}

export function toWriteRequests(draft: AutotuneDraft): BatchRequest[] {
  const { variants, attribution, attributionWindowUnit, ...fields } = changedParts(autotuneModel, draft);
  const isOtherWindow = attribution !== undefined || attributionWindowUnit !== undefined;
  const body = {
    ...fields,
    ...(isOtherWindow && {
      attributionWindow: draft.fields.attribution,
      attributionWindowUnit: draft.fields.attributionWindowUnit,
    }),
    ...(variants && {
      variants: variants.map(({ id, name, value }) => ({ ...(id !== null && { id }), name, json: parseObject(value) ?? {} })),
    }),
  } as WritableSchema<"AutotunePatch">;
  if (Object.keys(body).length === 0) return [];
  return [{ operationId: "patchAutotune", path: { id: draft.stored.entity.id }, body, ifMatch: draft.stored.etag }];
}

/** The faults of the draft's texts. */
export const findFaults = ({ fields: { variants } }: AutotuneDraft): Fault[] =>
  variants.flatMap(({ value }, index) => faultsOfText(value, `variants[${index}].json`));

const described = (id: string, before: Fields, after: Fields): DescribedEntity[] =>
  describeFields(WORDS, { type: "autotune", noun: "Autotune", id }, before, after);

/** The changes of a draft in words. */
export const describeDraft = ({ stored: { entity }, fields }: AutotuneDraft) => described(entity.id, toFields(entity), fields);

/** The differences between two versions, in words. */
export function describeVersions(before: Autotune, after: Autotune): DescribedEntity[] {
  const words = {
    ...WORDS,
    isStarted: { label: "Started", as: "switch" },
    winner: { label: "Winner", as: "value" },
    decisionReason: { label: "Reason", as: "text" },
  } as const;
  const of = (autotune: Autotune) => ({
    ...toFields(autotune),
    isStarted: autotune.isStarted,
    winner: autotune.winner?.name ?? null,
    decisionReason: autotune.decisionReason,
  });
  return describeFields(words, { type: "autotune", noun: "Autotune", id: after.id }, of(before), of(after));
}
