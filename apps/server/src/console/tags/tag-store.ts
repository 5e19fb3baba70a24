import type { Context } from "../../context.ts";
import type { Reference } from "../../reference.ts";
import type { Kind } from "../../store/entity-store.ts";
import { namedStore, register } from "../../store/named-store.ts";
import type { StoreContext } from "../../store/store-context.ts";
import { newTag, type Tag } from "./tag.ts";

const kind: Kind<Tag> = {
  table: "tag",
  type: "tag",
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  columns: ({ name }) => ({ name }),
};

export function createTagStore(context: StoreContext) {
  return {
    ...namedStore(context, kind),

    /** Makes those tags that are named for the first time. */
    register: (references: Reference[], by: Context) => register(context, kind, references, ({ id }) => newTag({ name: id }, by)),
  };
}
