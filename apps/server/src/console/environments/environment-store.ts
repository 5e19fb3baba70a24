import type { Db } from "../../store/database/unit-of-work.ts";
import { entityStore } from "../../store/entities/entity-store.ts";
import { createReferences } from "../../store/entities/references.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { VersionPage } from "../../store/entities/versions.ts";
import type { Window } from "../common/page.ts";
import { EVERYWHERE } from "../common/parts-elsewhere.ts";
import type { NamedKind } from "../slice.ts";
import { droppedNames, type EnvironmentSet, NO_ENVIRONMENTS } from "./environment-set.ts";

/** A project's environments are one entity in one row, whose id is the project's. */
export const environmentSetKind: NamedKind<"environment_set", EnvironmentSet, "environment"> = {
  table: "environment_set",
  type: "environment_set",
  idColumn: "projectID",
  getID: (_set, projectID) => projectID,
  references: null,
  columns: { ignoresReviews: { begins: false } },
  listing: null,
  named: { as: "environment", check: "by its referrer" },
  ruleset: "environments",
  needs: null,
  reach: EVERYWHERE,
};

export function createEnvironmentStore(deps: StoreDeps) {
  const { projectID } = deps;
  const store = entityStore(deps, environmentSetKind);
  return {
    listNaming: store.listNaming,

    /** `lock` locks the set against other writers until the transaction ends. */
    get: async (options?: { lock?: boolean }): Promise<EnvironmentSet> => (await store.find(projectID, options)) ?? NO_ENVIRONMENTS,

    /** @throws AppError conflict if `before` is outdated, or a key, a gate or a dynamic config references a name that it drops */
    async replace(before: EnvironmentSet, after: EnvironmentSet): Promise<EnvironmentSet> {
      if (before.version === 0) return store.create(after, before);
      // Writes that reference an environment lock the set first, so no new reference to a dropped name can appear.
      await store.find(projectID, { lock: true });
      await createReferences(deps).requireUnreferenced("environment", droppedNames(before, after), "removed or renamed");
      return store.replace(before, after);
    },

    /** Newest first. */
    async listVersions(window: Window): Promise<VersionPage<EnvironmentSet>> {
      return (await store.find(projectID)) ? store.listVersions(projectID, window) : { data: [], reasons: [], total: 0 };
    },

    /** @throws AppError not_found */
    getVersion: (version: number) => store.getVersion(projectID, version),
  };
}

/** The projects whose environments have flags from before reviews had an effect. */
export async function listIgnoringReviews(db: Db): Promise<string[]> {
  const rows = await db.$queryRaw<{ projectID: string }[]>`select "projectID" from environment_set where "ignoresReviews"`;
  return rows.map(({ projectID }) => projectID);
}
