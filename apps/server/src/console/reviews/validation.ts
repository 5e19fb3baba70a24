import type { Schema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { AppError, conflict } from "../../common/errors.ts";
import type { Settings } from "../settings/settings.ts";
import { type Review, requireOpen } from "./review.ts";

type Validation = NonNullable<Review["validation"]>;
type Answer = Pick<Schema<"ChangeValidation">, "validated" | "message" | "debugLinks" | "revision">;
type Validating = Pick<Settings, "change_validation_url" | "change_validation_timeout_ms">;

const DEFAULT_TIMEOUT_MS = 15 * 60 * 1_000;

/** The review, whose current revision waits for the webhook of the project. Without a webhook, it waits for none. */
export function awaitingValidation({ validation: _, ...review }: Review, settings: Validating, now: number): Review {
  if (!settings.change_validation_url) return review;
  const deadline = now + (settings.change_validation_timeout_ms ?? DEFAULT_TIMEOUT_MS);
  return { ...review, validation: { status: "PENDING", message: null, debugLinks: [], deadline } };
}

/** The review with the answer of the webhook. @throws AppError conflict, forbidden for the author of the change */
export function validated(review: Review, { validated: isValid, message, debugLinks = [], revision }: Answer, { actor }: Context): Review {
  const validation = requireValidation(review, revision);
  if (review.author.id === actor.id)
    throw new AppError("forbidden", `Review ${review.id} is your own. Another key or person has to answer for the webhook.`);
  const status = isValid ? "VALIDATED" : "FAILED";
  return {
    ...review,
    validation: { ...validation, status, message: message ?? validation.message, debugLinks },
    version: review.version + 1,
  };
}

/** The review with another message of the webhook. @throws AppError conflict */
export function withMessage(review: Review, message: string | undefined): Review {
  const validation = requireValidation(review);
  return { ...review, validation: { ...validation, message: message ?? null }, version: review.version + 1 };
}

/** @throws AppError conflict unless the webhook of the project has validated the current revision */
export function requireValidated({ id, validation }: Review, settings: Validating, now: number): void {
  if (!settings.change_validation_url || validation?.status === "VALIDATED") return;
  const said = validation?.message ? `: ${validation.message}` : ".";
  if (validation?.status === "FAILED") throw conflict(`The validation of review ${id} failed${said}`, "validation");
  if (validation && validation.deadline <= now)
    throw conflict(`The webhook did not validate review ${id} in time. Revise the review to ask it again.`, "validation");
  throw conflict(`The webhook has not validated review ${id} yet${said}`, "validation");
}

function requireValidation(review: Review, revision?: number): Validation {
  requireOpen(review, revision);
  if (!review.validation) throw conflict(`Review ${review.id} was not sent to a webhook.`, "reviewID");
  return review.validation;
}
