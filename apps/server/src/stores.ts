import { createEnvironmentStore } from "./console/environments/environment-store.ts";
import { createGateStore } from "./console/gates/gate-store.ts";
import { createKeyStore } from "./console/keys/key-store.ts";
import { createLayerStore } from "./console/layers/layer-store.ts";
import { createSegmentStore } from "./console/segments/segment-store.ts";
import { createTeamStore } from "./console/teams/team-store.ts";
import type { Context } from "./context.ts";
import type { StoreContext } from "./store/store-context.ts";

/** Every store, bound to one transaction and one project. */
export function createStores(store: StoreContext) {
  return {
    environments: createEnvironmentStore(store),
    gates: createGateStore(store),
    keys: createKeyStore(store),
    layers: createLayerStore(store),
    segments: createSegmentStore(store),
    teams: createTeamStore(store),
  };
}

export type Stores = ReturnType<typeof createStores>;

/** What the server adds to an operation's request. */
export type Env = { context: Context; stores: Stores };
