import type { Change } from "./change.ts";
import { type DescribedEntity, describeChanges } from "./changes.ts";
import { changedFields, plainChange } from "./field-changes.ts";
import { isNothing } from "./field-words.ts";
import { firstStep, isSetByServer } from "./server-fields.ts";
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

/** A dry run's changes in words, followed by every other change, so that none is left out. */
export function withMissingChanges(described: readonly DescribedEntity[], changes: readonly EntityChange[]): DescribedEntity[] {
  const key = ({ entityType, entityID }: Pick<EntityChange, "entityType" | "entityID">) => `${entityType} ${entityID}`;
  const toFields = new Map(changes.map((change) => [key(change), change.fields]));
  const known = new Set(described.map(key));
  const others = changes.filter((change) => !known.has(key(change)) && !isSaidByHoldout(change, described));
  return [
    ...described.map((entity) => ({
      ...entity,
      changes: [...entity.changes, ...missingChanges(entity.changes, toFields.get(key(entity)) ?? [])],
    })),
    ...describeChanges(others, []),
  ];
}

/** Fields of a holdout that decide which gates, experiments and layers have it. */
const HELD: readonly string[] = ["gateIDs", "experimentIDs", "layerIDs", "isGlobal", "isEnabled"];

/** Whether a feature only gets or loses a holdout whose own change says so. */
function isSaidByHoldout({ fields }: EntityChange, described: readonly DescribedEntity[]): boolean {
  const isHolding = described.some(
    ({ entityType, changes }) => entityType === "holdout" && changes.some(({ field }) => HELD.includes(field)),
  );
  return isHolding && fields.every(({ field }) => isSetByServer(field) || firstStep(field) === "holdoutIDs");
}

/** The differences between two versions in words, followed by every other changed field. @param title of an entity without words */
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

/** The changed fields that no sentence mentions. */
export function missingChanges(described: readonly Change[], fields: readonly FieldChange[]): Change[] {
  const mentioned = new Set(described.flatMap(({ field, covers = [] }) => [firstStep(field), ...covers]));
  // A creation or deletion concerns the whole entity.
  if (mentioned.has("")) return [];
  return fields
    .filter(({ field, before, after }) => {
      if (isNothing(before) && isNothing(after)) return false;
      const first = firstStep(field);
      if (mentioned.has(first) || mentioned.has(IMPLIED_BY[first] ?? first)) return false;
      return !isSetByServer(field);
    })
    .map(({ field, before, after }) => plainChange(field, before, after));
}
