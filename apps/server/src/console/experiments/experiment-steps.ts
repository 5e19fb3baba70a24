import type { Schema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { AppError, invalid, listDetails, type Violation } from "../../common/errors.ts";
import { checkFuture } from "../common/future.ts";
import { modified } from "../common/stamp.ts";
import { type Experiment, NO_TARGETING } from "./experiment.ts";
import { toggleGroups } from "./experiment-groups.ts";
import { type SharedLayer, settleBuckets } from "./experiment-layer.ts";
import { type Step, takeStep } from "./experiment-lifecycle.ts";

/**
 * Takes a step, with the fields that the step sets.
 * @throws AppError invalid_request if its state does not allow the step; conflict if the layer is too full to start it
 */
export function advance(
  experiment: Experiment,
  step: Step,
  shared: SharedLayer | undefined,
  context: Context,
  given: Partial<Experiment> = {},
  violations: Violation[] = [],
): Experiment {
  const advanced = takeStep({ ...experiment, ...given, ...modified(experiment, context) }, step, context.now, violations);
  if (violations.length > 0) throw invalid(violations);
  return settleBuckets(advanced, shared);
}

/** @throws AppError invalid_request if the step is not possible in its state, or no group has the id */
export function decide(
  experiment: Experiment,
  { id, decisionReason, removeTargeting }: Schema<"ExperimentDecision">,
  context: Context,
): Experiment {
  const violations: Violation[] = [];
  if (!experiment.groups.some((group) => group.id === id)) violations.push({ property: "id", errorMessage: "must be the id of a group" });
  const given = { launchedGroupID: id, decisionReason, ...(removeTargeting && NO_TARGETING) };
  return advance(experiment, "make_decision", undefined, context, given, violations);
}

/** @throws AppError invalid_request if the step is not possible in its state */
export function abandon(
  experiment: Experiment,
  { removeTargeting, ...given }: Schema<"ExperimentAbandon"> = {},
  shared: SharedLayer | undefined,
  context: Context,
): Experiment {
  return advance(experiment, "abandon", shared, context, { ...given, ...(removeTargeting && NO_TARGETING) });
}

/** @throws AppError invalid_request if the step is not possible in its state, or no group has a name */
export function toggle(experiment: Experiment, step: "enable_groups" | "disable_groups", names: string[], context: Context): Experiment {
  const toggled = advance(experiment, step, undefined, context);
  return { ...toggled, groups: toggleGroups(experiment.groups, names, step === "disable_groups", context.now) };
}

/**
 * Sets the time at which the experiment starts automatically; null removes it.
 * @throws AppError invalid_request if the time has passed, or the step is not possible in its state
 */
export function schedule(experiment: Experiment, scheduledTime: number | null, context: Context): Experiment {
  const violations: Violation[] = [];
  if (scheduledTime !== null) checkFuture(scheduledTime, context.now, "scheduledTime", violations);
  return advance(experiment, "schedule_start", undefined, context, { scheduledStartTime: scheduledTime }, violations);
}

/** Starts a scheduled experiment. If it cannot start, returns it without its scheduled start, and the reason. */
export function startScheduled(
  experiment: Experiment,
  shared: SharedLayer | undefined,
  context: Context,
): { after: Experiment; reason?: string } {
  try {
    return { after: advance(experiment, "start", shared, context) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const why =
      listDetails(error)
        .map(({ property, errorMessage }) => `${property} ${errorMessage}.`)
        .join(" ") || error.message;
    return {
      after: { ...experiment, scheduledStartTime: null, ...modified(experiment, context) },
      reason: `The scheduled start failed. ${why}`,
    };
  }
}
