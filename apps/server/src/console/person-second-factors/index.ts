/** Second factors are not entities. The audit log of the instance records their changes as events. */
export const kind = null;

export { personSecondFactorHandlers as handlers } from "./person-second-factor-handlers.ts";
export { createPersonSecondFactorStore as createStore } from "./person-second-factor-store.ts";
