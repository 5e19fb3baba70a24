import type { Context } from "../../context.ts";
import type { Reference } from "../../reference.ts";
import type { Kind } from "../../store/entity-store.ts";
import { namedStore, register } from "../../store/named-store.ts";
import type { StoreContext } from "../../store/store-context.ts";
import { newTargetApp, type TargetApp } from "./target-app.ts";

const kind: Kind<TargetApp> = {
  table: "target_app",
  type: "target_app",
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  columns: ({ name }) => ({ name }),
};

export function createTargetAppStore(context: StoreContext) {
  return {
    ...namedStore(context, kind),

    /** Makes those apps that are named for the first time. */
    register: (references: Reference[], by: Context) => register(context, kind, references, ({ id }) => newTargetApp({ name: id }, by)),
  };
}
