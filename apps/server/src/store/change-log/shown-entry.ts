import type { EntityType } from "@gatehouse/contract/console";
import { entityChanges, type FieldChange } from "../entities/entity-changes.ts";
import type { Versioned } from "../requests/entity-tag.ts";
import type { StoredEntry } from "./read-entries.ts";

type Fields = { [field: string]: unknown };
type Shown = { readonly [field: string]: (value: unknown) => unknown };

/** Fields whose values give access to something outside of the server, with what is shown of a value. */
const SECRET: { readonly [Type in EntityType]?: Shown } = {
  webhook: { url: (url) => (typeof url === "string" ? `${new URL(url).origin}/…` : url) },
};

/** The changed fields of an entry and its entity, for everyone who can read the audit log or who gets its events. */
export function shownEntry({
  entityType: type,
  entityID: id,
  ...texts
}: Pick<StoredEntry, "entityType" | "entityID" | "before" | "after">) {
  const [before, after] = [parse(texts.before), parse(texts.after)];
  const [change] = entityChanges([{ type, id, before, after }]);
  const secret = Object.entries(SECRET[type as EntityType] ?? {});
  const entity: Fields = { ...(after ?? before) };
  for (const [field, show] of secret) if (field in entity) entity[field] = show(entity[field]);
  const toShown = (one: FieldChange): FieldChange => {
    const show = secret.find(([field]) => field === one.field)?.[1];
    return show ? { ...one, before: show(one.before), after: show(one.after) } : one;
  };
  return { fields: (change?.fields ?? []).map(toShown), entity };
}

function parse(text: string | null): (Versioned & Fields) | null {
  return text === null ? null : JSON.parse(text);
}
