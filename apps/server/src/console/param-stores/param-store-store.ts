import { notFound } from "../../errors.ts";
import { fromText, toText } from "../../store/entity-text.ts";
import type { StoreContext } from "../../store/store-context.ts";
import type { Window } from "../common/page.ts";
import type { ParamStore } from "./param-store.ts";

export function createParamStoreStore({ db, projectID, log }: StoreContext) {
  const subject = (name: string) => ({ table: "param_store", key: { projectID, name }, type: "param_store", id: name }) as const;
  return {
    /** Newest first. */
    async list(window: Window): Promise<ParamStore[]> {
      const rows = await db.paramStore.findMany({
        where: { projectID },
        ...window,
        orderBy: [{ createdTime: "desc" }, { name: "asc" }],
        select: { entity: true },
      });
      return rows.map(toParamStore);
    },

    /** @throws AppError not_found */
    async get(name: string): Promise<ParamStore> {
      const row = await db.paramStore.findUnique({ where: { projectID_name: { projectID, name } }, select: { entity: true } });
      if (!row) throw notFound("Param store", name);
      return toParamStore(row);
    },

    create: (store: ParamStore) => log.create(subject(store.name), store, toColumns(store)),
    replace: (before: ParamStore, after: ParamStore) => log.replace(subject(before.name), before, after, toColumns(after)),
    delete: (store: ParamStore) => log.delete(subject(store.name), store),
  };
}

function toParamStore({ entity }: { entity: string }): ParamStore {
  return fromText(entity);
}

function toColumns(store: ParamStore) {
  return { version: store.version, createdTime: store.createdTime, entity: toText(store) };
}
