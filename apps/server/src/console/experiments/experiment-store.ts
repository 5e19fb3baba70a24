import { entityStore, type Kind } from "../../store/entity-store.ts";
import { filters } from "../../store/filters.ts";
import type { StoreContext } from "../../store/store-context.ts";
import type { Window } from "../common/page.ts";
import { type Experiment, namedByExperiment } from "./experiment.ts";

type ExperimentFilter = {
  creatorID?: string | null;
  creatorName?: string | null;
  idType?: string;
  layerID?: string;
  teamID?: string;
  status?: Experiment["status"][];
  tags?: string[];
};

const kind: Kind<Experiment> = {
  table: "experiment",
  type: "experiment",
  idOf: ({ id }) => id,
  references: namedByExperiment,
  isArchived: ({ status }) => status === "archived",
  columns: (experiment) => ({
    creatorID: experiment.creatorID,
    creatorName: experiment.creatorName,
    status: experiment.status,
    layerID: experiment.layerID,
    idType: experiment.idType,
    teamID: experiment.teamID,
    tags: experiment.tags,
  }),
};

export function createExperimentStore(context: StoreContext) {
  const store = entityStore(context, kind);
  return {
    ...store,

    /** Newest first. */
    list({ status, tags, ...columns }: ExperimentFilter, window: Window) {
      return store.list([...filters.equal(columns), ...filters.oneOf({ status }), ...filters.holding({ tags })], window);
    },
  };
}
