/** Reports of SDKs are data, so they have no kind. */
export const kind = null;

export { sdkHandlers as handlers } from "./sdk-handlers.ts";
export { createSdkStore as createStore } from "./sdk-store.ts";
