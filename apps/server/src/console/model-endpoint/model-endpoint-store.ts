import { invalid } from "../../common/errors.ts";
import { ModelFailure } from "../../models/model-failure.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
import type { Chat } from "../../store/database/models.ts";
import { matches } from "../../store/database/row.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import { entityStore } from "../../store/entities/entity-store.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { EVERYWHERE } from "../common/parts-elsewhere.ts";
import type { EntityKind } from "../slice.ts";
import { type ModelEndpoint, NO_ENDPOINT } from "./model-endpoint.ts";

/** A project's endpoint is one entity in one row, whose id is the project's. Its API key is beside it, in no version. */
export const modelEndpointKind: EntityKind<"model_endpoint", ModelEndpoint> = {
  table: "model_endpoint",
  type: "model_endpoint",
  idColumn: "projectID",
  getID: (_endpoint, projectID) => projectID,
  references: () => [],
  columns: {},
  listing: null,
  named: null,
  ruleset: null,
  needs: null,
  reach: EVERYWHERE,
};

export function createModelEndpointStore(deps: StoreDeps) {
  const { db, projectID } = deps;
  const store = entityStore(deps, modelEndpointKind);
  return {
    listNaming: store.listNaming,

    get: async (): Promise<ModelEndpoint> => (await store.find(projectID)) ?? NO_ENDPOINT,

    /** @throws AppError conflict if `before` is outdated; invalid_request if the server may not ask at a new URL */
    async replace(before: ModelEndpoint, after: ModelEndpoint): Promise<ModelEndpoint> {
      if (after.url !== null && after.url !== before.url) requireAllowed(after.url);
      return before.version === 0 ? store.create(after, before) : store.replace(before, after);
    },

    /** @param key null deletes it. @throws AppError invalid_request if the server cannot encrypt it */
    async keepKey(key: string | null): Promise<void> {
      const kept = key === null ? undefined : (db.models?.protect(projectID, key) ?? { fault: "needs a server that asks models" });
      if (kept && "fault" in kept) throw invalid([{ property: "apiKey", errorMessage: kept.fault }]);
      await db.$executeRaw`delete from model_secret where ${matches({ projectID })}`;
      if (kept) await db.$executeRaw`insert into model_secret ("projectID", encrypted) values (${projectID}, ${kept.encrypted})`;
    },

    /** The models of the endpoint. @throws ModelFailure if the project has none, or the server may not ask it */
    open: (): Promise<Chat> => openModels(db, projectID),
  };

  function requireAllowed(url: string): void {
    const errorMessage = db.models ? db.models.refusal(url) : "needs a server that asks models";
    if (errorMessage !== undefined) throw invalid([{ property: "url", errorMessage }]);
  }
}

/** The models of a project's endpoint. @throws ModelFailure if the project has none, or the server may not ask it */
export async function openModels(db: Db, projectID: string): Promise<Chat> {
  const [row] = await db.$queryRaw<{ entity: string; encrypted: string | null }[]>`
    select entity, encrypted from model_endpoint left join model_secret using ("projectID") where "projectID" = ${projectID}`;
  const { url } = row ? fromText<ModelEndpoint>(row.entity) : NO_ENDPOINT;
  if (!row || !db.models || url === null) throw new ModelFailure("endpoint", "The project has no model endpoint.");
  return db.models.open(projectID, { url, encrypted: row.encrypted });
}
