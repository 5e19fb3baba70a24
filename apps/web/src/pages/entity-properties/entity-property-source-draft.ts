// Edits of an entity property source that are not saved yet. Pure.
import type { BatchRequest, Schema, WritableSchema } from "../../api.ts";
import type { UnitColumn } from "../../entity/unit-columns.tsx";
import { changedParts, describeFields, type FieldsDraft, fieldsModel } from "../../saving/draft-model.ts";
import { empty, faultsOfUnits, toMapping, toUnitColumns, unitTexts } from "../../sources/unit-faults.ts";
import type { DescribedEntity } from "../../targeting/changes.ts";
import type { FieldWords } from "../../targeting/field-changes.ts";
import { OWNER_WORDS, type OwnerFields } from "../../targeting/owner-fields.ts";
import { TEAM_WORDS } from "../../targeting/team-fields.ts";
import type { Fault } from "../../targeting/types.ts";

export type EntityPropertySource = Schema<"EntityPropertySource">;

const OWN = ["description", "tags", "team", "teamID", "sql", "timestampColumn", "timestampAsDay"] as const;
export type Fields = Pick<EntityPropertySource, (typeof OWN)[number]> & OwnerFields & { idTypeMapping: readonly UnitColumn[] };
export type EntityPropertySourceDraft = FieldsDraft<EntityPropertySource, Fields>;

const WORDS: Record<keyof Fields, FieldWords> = {
  sql: { label: "Query", as: "text" },
  timestampColumn: { label: "Time column", as: "value" },
  timestampAsDay: { label: "Times are days", as: "value" },
  idTypeMapping: { label: "ID columns", as: "names" },
  description: { label: "Description", as: "text" },
  tags: { label: "Tags", as: "names" },
  ...TEAM_WORDS,
  ...OWNER_WORDS,
};

const toFields = (source: EntityPropertySource): Fields => ({
  ...(Object.fromEntries(OWN.map((name) => [name, source[name]])) as Pick<EntityPropertySource, (typeof OWN)[number]>),
  owner: source.owner ?? null,
  idTypeMapping: toUnitColumns(source.idTypeMapping),
});

export const entityPropertySourceModel = fieldsModel<EntityPropertySource, Fields>(WORDS, toFields);

export function toWriteRequests(draft: EntityPropertySourceDraft): BatchRequest[] {
  const { idTypeMapping, ...changed } = changedParts(entityPropertySourceModel, draft);
  if (entityPropertySourceModel.countChanges(draft) === 0) return [];
  const body: WritableSchema<"EntityPropertySourcePatch"> = {
    ...changed,
    ...(idTypeMapping && { idTypeMapping: toMapping(idTypeMapping) }),
  };
  return [{ operationId: "patchEntityPropertySource", path: { name: draft.stored.entity.name }, body, ifMatch: draft.stored.etag }];
}

const toTexts = (fields: Fields) => ({ ...fields, idTypeMapping: unitTexts(fields.idTypeMapping) });

const difference = (id: string, before: Fields, after: Fields): DescribedEntity[] =>
  describeFields(WORDS, { type: "entity_property_source", noun: "Entity property source", id }, toTexts(before), toTexts(after));

export const describeDraft = ({ stored: { entity }, fields }: EntityPropertySourceDraft) =>
  difference(entity.name, toFields(entity), fields);

export const describeVersions = (before: EntityPropertySource, after: EntityPropertySource) =>
  difference(after.name, toFields(before), toFields(after));

/** The faults of the draft, each with its path in a request. */
export const faultsOfDraft = ({ fields }: Pick<EntityPropertySourceDraft, "fields">): Fault[] => [
  ...empty("sql", fields.sql, "Enter the query that returns the properties."),
  ...faultsOfUnits(fields.idTypeMapping),
];
