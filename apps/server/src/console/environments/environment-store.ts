import { fromText, toText } from "../../store/entity-text.ts";
import type { StoreContext } from "../../store/store-context.ts";
import { type EnvironmentSet, NO_ENVIRONMENTS } from "./environment-set.ts";

/** A project's environments are one entity, in one row. */
export function createEnvironmentStore({ db, projectID, log }: StoreContext) {
  const subject = { table: "environment_set", key: { projectID }, type: "environment_set", id: projectID } as const;
  return {
    async get(): Promise<EnvironmentSet> {
      const row = await db.environmentSet.findUnique({ where: { projectID }, select: { entity: true } });
      return row ? fromText(row.entity) : NO_ENVIRONMENTS;
    },

    replace: (before: EnvironmentSet, after: EnvironmentSet) =>
      before === NO_ENVIRONMENTS ? log.create(subject, after, toColumns(after)) : log.replace(subject, before, after, toColumns(after)),
  };
}

function toColumns(set: EnvironmentSet) {
  return { version: set.version, entity: toText(set) };
}
