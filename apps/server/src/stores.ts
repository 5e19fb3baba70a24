import { createDynamicConfigStore } from "./console/dynamic-configs/dynamic-config-store.ts";
import { createEnvironmentStore } from "./console/environments/environment-store.ts";
import { createEventStore } from "./console/events/event-store.ts";
import { createExperimentStore } from "./console/experiments/experiment-store.ts";
import { createGateStore } from "./console/gates/gate-store.ts";
import { createKeyStore } from "./console/keys/key-store.ts";
import { createLayerStore } from "./console/layers/layer-store.ts";
import { createMetricSourceStore } from "./console/metric-sources/metric-source-store.ts";
import { createParamStoreStore } from "./console/param-stores/param-store-store.ts";
import { createPromptStore } from "./console/prompts/prompt-store.ts";
import { createReleasePipelineStore } from "./console/release-pipelines/release-pipeline-store.ts";
import { createSegmentStore } from "./console/segments/segment-store.ts";
import { createTeamStore } from "./console/teams/team-store.ts";
import type { Context } from "./context.ts";
import type { StoreContext } from "./store/store-context.ts";

/** Every store, bound to one transaction and one project. */
export function createStores(store: StoreContext) {
  return {
    dynamicConfigs: createDynamicConfigStore(store),
    environments: createEnvironmentStore(store),
    events: createEventStore(store),
    experiments: createExperimentStore(store),
    gates: createGateStore(store),
    keys: createKeyStore(store),
    layers: createLayerStore(store),
    metricSources: createMetricSourceStore(store),
    paramStores: createParamStoreStore(store),
    prompts: createPromptStore(store),
    releasePipelines: createReleasePipelineStore(store),
    segments: createSegmentStore(store),
    teams: createTeamStore(store),
  };
}

export type Stores = ReturnType<typeof createStores>;

/** What the server adds to an operation's request. */
export type Env = { context: Context; stores: Stores };
