import type { Schema } from "@gatehouse/contract/console";

export type Change = Schema<"Change">;
type Field = { field: string; before: unknown; after: unknown };

/** An entry of the change log about an entity, with the fields that changed. */
export type ChangeEntry = Pick<
  Change,
  "seq" | "time" | "actorID" | "operationID" | "entityType" | "entityID" | "version" | "isDeletion" | "reason" | "requestID"
> & {
  actorName: string;
  actorEmail: string | null;
  fields: Field[];
  /** The entity after the change, or before its deletion. */
  entity: { name?: unknown };
};

const MAX_FIELDS = 20;
/** The most characters of a value as JSON. */
const MAX_VALUE_LENGTH = 1_000;
/** Creator and creation time, which the change already records. */
const STAMPS = new Set(["creatorID", "creatorName", "creatorEmail", "createdTime"]);

export function toChange({ actorName, actorEmail, fields, entity, ...entry }: ChangeEntry): Change {
  const changed = fields.filter(({ field }) => !STAMPS.has(field));
  return {
    ...entry,
    // A person without a name is called by the email address in the log.
    actorName: actorName === actorEmail ? null : actorName,
    entityName: typeof entity.name === "string" ? entity.name : null,
    fields: changed.slice(0, MAX_FIELDS).map(bounded),
    fieldCount: changed.length,
  };
}

function bounded({ field, before, after }: Field): Change["fields"][number] {
  const [first, second] = [before, after].map((value) => (isShort(value) ? value : null));
  return { field, before: first, after: second, isCut: !(isShort(before) && isShort(after)) };
}

function isShort(value: unknown): boolean {
  return value === undefined || JSON.stringify(value).length <= MAX_VALUE_LENGTH;
}
