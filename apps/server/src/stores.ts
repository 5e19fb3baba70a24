import { createEventStore } from "./console/events/event-store.ts";
import { createGateStore } from "./console/gates/gate-store.ts";
import { createKeyStore } from "./console/keys/key-store.ts";
import type { Context } from "./context.ts";
import type { StoreContext } from "./store/store-context.ts";

/** Every store, bound to one transaction and one project. */
export function createStores(store: StoreContext) {
  return {
    events: createEventStore(store),
    gates: createGateStore(store),
    keys: createKeyStore(store),
  };
}

export type Stores = ReturnType<typeof createStores>;

/** What the server adds to an operation's request. */
export type Env = { context: Context; stores: Stores };
