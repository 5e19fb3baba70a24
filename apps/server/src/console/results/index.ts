import { dimensionHandlers } from "./dimension-handlers.ts";
import { effectByDayHandlers } from "./effect-by-day-handlers.ts";
import { experimentScoreHandlers } from "./experiment-score-handlers.ts";
import { guardrailAlertHandlers } from "./guardrail-alert-handlers.ts";
import { interactionHandlers } from "./interaction-handlers.ts";
import { loadHandlers } from "./load-handlers.ts";
import { portfolioHandlers } from "./portfolio-handlers.ts";
import { powerHandlers } from "./power-handlers.ts";
import { reloadHandlers } from "./reload-handlers.ts";
import { resultHandlers } from "./result-handlers.ts";
import { subgroupHandlers } from "./subgroup-handlers.ts";

/** Loads and their findings are data, like events, so they have no kind. */
export const kind = null;

export const handlers = {
  ...dimensionHandlers,
  ...effectByDayHandlers,
  ...experimentScoreHandlers,
  ...guardrailAlertHandlers,
  ...interactionHandlers,
  ...loadHandlers,
  ...portfolioHandlers,
  ...powerHandlers,
  ...reloadHandlers,
  ...resultHandlers,
  ...subgroupHandlers,
};
export { createResultStore as createStore } from "./result-store.ts";
