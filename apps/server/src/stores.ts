import { createDynamicConfigStore } from "./console/dynamic-configs/dynamic-config-store.ts";
import { createEnvironmentStore } from "./console/environments/environment-store.ts";
import { createEventStore } from "./console/events/event-store.ts";
import { createExperimentStore } from "./console/experiments/experiment-store.ts";
import { createGateCheckStore } from "./console/gates/gate-check-store.ts";
import { createGateStore } from "./console/gates/gate-store.ts";
import { createHoldoutStore } from "./console/holdouts/holdout-store.ts";
import { createKeyStore } from "./console/keys/key-store.ts";
import { createLayerStore } from "./console/layers/layer-store.ts";
import { createMetricSourceStore } from "./console/metric-sources/metric-source-store.ts";
import { createParamStoreStore } from "./console/param-stores/param-store-store.ts";
import { createPromptStore } from "./console/prompts/prompt-store.ts";
import { createReleasePipelineStore } from "./console/release-pipelines/release-pipeline-store.ts";
import { createSegmentIDStore } from "./console/segments/segment-id-store.ts";
import { createSegmentStore } from "./console/segments/segment-store.ts";
import { createTagStore } from "./console/tags/tag-store.ts";
import { createTargetAppStore } from "./console/target-apps/target-app-store.ts";
import { createTeamStore } from "./console/teams/team-store.ts";
import { createUnitIDTypeStore } from "./console/unit-id-types/unit-id-type-store.ts";
import type { Context } from "./context.ts";
import type { CheckSchema } from "./schema-checks/schema-check.ts";
import type { ChangeLog } from "./store/change-log.ts";
import type { StoreContext } from "./store/store-context.ts";
import type { Db } from "./store/unit-of-work.ts";

/** The stores of what a body makes by naming it for the first time. */
const REGISTERING = { tag: createTagStore, target_app: createTargetAppStore, unit_id_type: createUnitIDTypeStore };

/** Every store, bound to one transaction and one project. A request makes only those that it uses. */
export function createStores({ db, context, log }: { db: Db; context: Context; log: ChangeLog }) {
  const store: StoreContext = {
    db,
    projectID: context.projectID,
    log,
    async register(type, references) {
      if (type in REGISTERING) await REGISTERING[type as keyof typeof REGISTERING](store).register(references, context);
    },
  };
  return {
    get dynamicConfigs() {
      return createDynamicConfigStore(store, context);
    },
    get environments() {
      return createEnvironmentStore(store);
    },
    get events() {
      return createEventStore(store);
    },
    get experiments() {
      return createExperimentStore(store);
    },
    get gateChecks() {
      return createGateCheckStore(store);
    },
    get gates() {
      return createGateStore(store, context);
    },
    get holdouts() {
      return createHoldoutStore(store, context);
    },
    get keys() {
      return createKeyStore(store);
    },
    get layers() {
      return createLayerStore(store);
    },
    get metricSources() {
      return createMetricSourceStore(store);
    },
    get paramStores() {
      return createParamStoreStore(store);
    },
    get prompts() {
      return createPromptStore(store);
    },
    get releasePipelines() {
      return createReleasePipelineStore(store);
    },
    get segmentIDs() {
      return createSegmentIDStore(store);
    },
    get segments() {
      return createSegmentStore(store);
    },
    get tags() {
      return createTagStore(store);
    },
    get targetApps() {
      return createTargetAppStore(store);
    },
    get teams() {
      return createTeamStore(store);
    },
    get unitIDTypes() {
      return createUnitIDTypeStore(store);
    },
  };
}

export type Stores = ReturnType<typeof createStores>;

/** What the server adds to an operation's request. */
export type Env = { context: Context; stores: Stores };

/** The same, for operations that check JSON Schemas of callers. */
export type SchemaEnv = Env & { checkSchema: CheckSchema };
