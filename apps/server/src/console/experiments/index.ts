import { merged } from "../merged.ts";
import type { SliceOperations } from "../slice.ts";
import { experimentGuardrailHandlers } from "./experiment-guardrail-handlers.ts";
import { experimentHandlers } from "./experiment-handlers.ts";
import { experimentOverrideHandlers } from "./experiment-override-handlers.ts";
import { experimentStepHandlers } from "./experiment-step-handlers.ts";

export {
  createExperimentStore as createStore,
  experimentKind as kind,
  experimentOverridesKind as overridesKind,
} from "./experiment-store.ts";

export const operations = {
  create: "createExperiment",
  read: "getExperiment",
  readOverrides: "getExperimentOverrides",
} satisfies SliceOperations;

export const handlers = merged({ experimentGuardrailHandlers, experimentHandlers, experimentOverrideHandlers, experimentStepHandlers });
