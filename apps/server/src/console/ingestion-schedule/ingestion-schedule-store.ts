import { entityStore } from "../../store/entities/entity-store.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { NOWHERE } from "../common/parts-elsewhere.ts";
import type { EntityKind } from "../slice.ts";
import { type IngestionSchedules, NEW_SCHEDULES } from "./ingestion-schedule.ts";

/** A project's schedules are one entity in one row, whose id is the project's. */
export const ingestionScheduleKind: EntityKind<"ingestion_schedule", IngestionSchedules> = {
  table: "ingestion_schedule",
  type: "ingestion_schedule",
  idColumn: "projectID",
  getID: (_schedules, projectID) => projectID,
  references: null,
  columns: {},
  listing: null,
  named: null,
  ruleset: null,
  needs: null,
  reach: NOWHERE,
};

export function createIngestionScheduleStore(deps: StoreDeps) {
  const { projectID } = deps;
  const store = entityStore(deps, ingestionScheduleKind);
  return {
    listNaming: store.listNaming,

    get: async (): Promise<IngestionSchedules> => (await store.find(projectID)) ?? NEW_SCHEDULES,

    /** @throws AppError conflict if `before` is outdated */
    replace: (before: IngestionSchedules, after: IngestionSchedules): Promise<IngestionSchedules> =>
      before.version === 0 ? store.create(after, before) : store.replace(before, after),
  };
}
