import type { Change } from "./change.ts";
import { type DescribedEntity, describeChanges } from "./changes.ts";
import { changedFields, jsonChange } from "./field-changes.ts";
import { FOLLOWING } from "./team-fields.ts";
import type { EntityChange } from "./types.ts";

type FieldChange = EntityChange["fields"][number];

/** Fields that follow from another one, by the field whose change says everything. */
const IMPLIED_BY: Readonly<Record<string, string>> = {
  defaultValue: "defaultValueJson5",
  schema: "schemaJson5",
  status: "isEnabled",
  ...FOLLOWING,
};

/** Fields that the server sets and that no request can change. */
const SET_BY_SERVER: ReadonlySet<string> = new Set([
  ...["id", "version", "createdTime", "creatorName"],
  ...["lastModifiedTime", "lastModifierID", "lastModifierName", "lastModifierEmail"],
  ...["checksPerHour", "typeReason", "count", "salt", "userBuckets", "healthChecks", "healthCheckStatus"],
]);

/** Fields that the server sets in rules, groups and variants. */
const SET_IN_ITEMS = /^(rules|groups|variants)\[.*\.(id|baseID|completedAutomatedRollouts)$/;

/** A dry run's changes in words, followed by every change without words as JSON, so that none is left out. */
export function withMissingChanges(described: readonly DescribedEntity[], changes: readonly EntityChange[]): DescribedEntity[] {
  const key = ({ entityType, entityID }: Pick<EntityChange, "entityType" | "entityID">) => `${entityType} ${entityID}`;
  const toFields = new Map(changes.map((change) => [key(change), change.fields]));
  const known = new Set(described.map(key));
  const others = changes.filter((change) => !known.has(key(change)));
  return [
    ...described.map((entity) => ({
      ...entity,
      changes: [...entity.changes, ...missingChanges(entity.changes, toFields.get(key(entity)) ?? [])],
    })),
    ...describeChanges(others.map(withoutServerFields), []),
  ];
}

/** The differences between two versions in words, followed by every changed field without words as JSON. @param title of an entity without words */
export function withMissingFields(
  [described, ...others]: readonly DescribedEntity[],
  before: object,
  after: object,
  title: DescribedEntity["title"],
): DescribedEntity[] {
  const entity = described ?? { entityType: "", entityID: "", title, changes: [] };
  const changes = [...entity.changes, ...missingChanges(entity.changes, changedFields(before, after))];
  return changes.length === 0 ? [...others] : [{ ...entity, changes }, ...others];
}

const withoutServerFields = (change: EntityChange): EntityChange => ({
  ...change,
  fields: change.fields.filter(({ field, before, after }) => before === null || after === null || !isSetByServer(field)),
});

/** The changed fields that have no words, as JSON. */
export function missingChanges(described: readonly Change[], fields: readonly FieldChange[]): Change[] {
  const mentioned = new Set(described.map(({ field }) => firstStep(field)));
  // A creation or deletion concerns the whole entity.
  if (mentioned.has("")) return [];
  return fields
    .filter(({ field }) => {
      const first = firstStep(field);
      if (mentioned.has(first) || mentioned.has(IMPLIED_BY[first] ?? first)) return false;
      return !isSetByServer(field);
    })
    .map(({ field, before, after }) => jsonChange(field, field, before, after));
}

const firstStep = (path: string): string => path.split(/[.[]/, 1)[0] ?? path;
const isSetByServer = (path: string): boolean => SET_BY_SERVER.has(firstStep(path)) || SET_IN_ITEMS.test(path);
