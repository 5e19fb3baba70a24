import { WWWAuthenticateChallengeError } from "openid-client";
import { AppError, STATUS } from "../common/errors.ts";
import { shorten } from "../common/place.ts";
import type { AccountEnv } from "./account-env.ts";
import type { Identity } from "./identity.ts";
import { noteFailure } from "./note-session.ts";

/** Longer causes are cut, since callers can choose part of them. In characters. */
const MAX_CAUSE_LENGTH = 500;

const MAX_CAUSES = 5;

/** Shown instead of the person if the provider has not identified them. */
const UNKNOWN = "unknown";

/**
 * Logs why a sign-in with the provider failed, under the ID of the request, and notes it for the audit log. Faults of the server are logged with
 * the response.
 */
export async function noteFailedSignIn(error: unknown, identity: Identity | undefined, env: AccountEnv): Promise<void> {
  if (!(error instanceof AppError) || STATUS[error.code] >= 500) return;
  const { log, origin } = env;
  const cause = shorten(describeCause(error), MAX_CAUSE_LENGTH);
  const request = { requestID: origin.requestID, operation: "finishSingleSignOn" };
  const { issuer, subject } = identity ?? {};
  log.warn({ ...request, cause, ...(identity && { issuer, subject }) }, "A sign-in with the provider failed.");
  await noteFailure(findName(identity), "finishSingleSignOn", env, { cause }).catch((err: unknown) =>
    log.warn({ err, ...request }, "A failed sign-in could not be noted in the audit log."),
  );
}

function findName(identity: Identity | undefined): string {
  if (identity === undefined) return UNKNOWN;
  return "email" in identity.address ? identity.address.email : identity.subject;
}

/** The messages of an error and of its causes, with the provider's description of its error. */
function describeCause(error: AppError): string {
  const violations = error.violations?.map(({ property, errorMessage }) => `${property} ${errorMessage}`) ?? [];
  const causes: string[] = [];
  for (let cause: unknown = error.cause; cause instanceof Error && causes.length < MAX_CAUSES; cause = cause.cause) {
    const { error: code, error_description: description } = answerIn(cause);
    causes.push([cause.message, code, description].filter((text) => typeof text === "string").join(": "));
  }
  return [...new Set([...(causes.length > 0 ? causes : [error.message]), ...violations])].join(" ← ");
}

type Answer = { error?: unknown; error_description?: unknown };

/** The provider's error, which is in its answer or in the challenge of a header. */
function answerIn(error: Error & Answer): Answer {
  return error instanceof WWWAuthenticateChallengeError ? (error.cause[0]?.parameters ?? {}) : error;
}
