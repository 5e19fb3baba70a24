export { createPromptEvaluationStore as createStore } from "./evaluation-store.ts";
export { promptEvaluationHandlers as handlers } from "./prompt-evaluation-handlers.ts";

export const kind = null;
