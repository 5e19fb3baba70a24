import type { EvaluationHandlers, ToErrorBody } from "./evaluation-handlers.ts";
import { eventHandlers } from "./events/event-handlers.ts";
import { toFlagError } from "./ofrep/ofrep-error.ts";
import { ofrepHandlers } from "./ofrep/ofrep-handlers.ts";
import { sdkHandlers } from "./sdk/sdk-handlers.ts";

export const evaluationHandlers: EvaluationHandlers = { ...eventHandlers, ...ofrepHandlers, ...sdkHandlers };

/** Of the operations whose errors have a shape of their own. */
export const errorBodies: { [Id in keyof EvaluationHandlers]?: ToErrorBody } = {
  evaluateFlag: toFlagError,
  evaluateFlags: toFlagError,
  streamFlagChanges: toFlagError,
};
