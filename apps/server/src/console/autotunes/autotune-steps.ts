import type { Schema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { AppError, invalid } from "../../common/errors.ts";
import { randomID } from "../../common/identifier.ts";
import { modified } from "../common/stamp.ts";
import { type Autotune, NOT_STARTED } from "./autotune.ts";

/** Lets units get variants. @throws AppError invalid_request if it has already started */
export function start(autotune: Autotune, context: Context): Autotune {
  requireUndecided(autotune);
  if (autotune.isStarted) throw refused("isStarted", "Autotune experiment has already started");
  return { ...autotune, isStarted: true, startTime: context.now, ...modified(autotune, context) };
}

/** Assigns one variant to all units. @throws AppError invalid_request if it is not running, or lacks the variant */
export function decide(autotune: Autotune, { id, decisionReason }: Schema<"AutotuneDecision">, context: Context): Autotune {
  requireUndecided(autotune);
  requireStarted(autotune);
  const variant = autotune.variants.find((one) => one.id === id);
  if (!variant) throw invalid([{ property: "id", errorMessage: "must be the id of a variant" }]);
  const winner = { id: variant.id, name: variant.name };
  return { ...autotune, winner, decisionTime: context.now, decisionReason, ...modified(autotune, context) };
}

/** Takes it back to before its start. @throws AppError invalid_request if it has not started */
export function reset(autotune: Autotune, context: Context): Autotune {
  requireStarted(autotune);
  return { ...autotune, ...NOT_STARTED, salt: randomID(), ...modified(autotune, context) };
}

function requireStarted({ isStarted }: Autotune): void {
  if (!isStarted) throw refused("isStarted", "Autotune experiment has not yet started");
}

function requireUndecided({ winner }: Autotune): void {
  if (winner !== null) throw refused("winner", "Autotune experiment has already finished");
}

/** Existing clients know these texts as messages, and recognize a failure by `errors`. */
function refused(property: string, message: string): AppError {
  return new AppError("invalid_request", message, [{ property, errorMessage: message }]);
}
