import { entityStore } from "../../store/entity-store.ts";
import type { StoreContext } from "../../store/store-context.ts";
import type { Window } from "../common/page.ts";
import { type EnvironmentSet, NO_ENVIRONMENTS } from "./environment-set.ts";

/** A project's environments are one entity, in one row, under the project's own id. */
export function createEnvironmentStore(context: StoreContext) {
  const { projectID } = context;
  const store = entityStore<EnvironmentSet>(context, {
    table: "environment_set",
    type: "environment_set",
    idColumn: "projectID",
    idOf: () => projectID,
    columns: () => ({}),
  });
  return {
    get: async (): Promise<EnvironmentSet> => (await store.find(projectID)) ?? NO_ENVIRONMENTS,

    replace: (before: EnvironmentSet, after: EnvironmentSet) =>
      before.version === 0 ? store.create(after, before) : store.replace(before, after),

    /** Its versions, newest first. */
    async listVersions(window: Window): Promise<{ data: EnvironmentSet[]; total: number }> {
      return (await store.find(projectID)) ? store.listVersions(projectID, window) : { data: [], total: 0 };
    },

    /** @throws AppError not_found */
    getVersion: (version: number) => store.getVersion(projectID, version),
  };
}
