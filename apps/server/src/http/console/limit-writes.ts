import type { RequestHandler, Response } from "express";
import { INSTANCE_PROJECT } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { Writer } from "../../store/write-lease.ts";
import type { WriteLimiter } from "../../store/write-limiter.ts";
import { credentialsOf, sessionOf } from "./authenticate.ts";

const RATE_LIMIT = "RateLimit";
const RATE_LIMIT_POLICY = "RateLimit-Policy";

/** Refuses a write beyond its writer's limit, and says how much of the limit remains. */
export function limitWrites({ take, limit, windowMs }: WriteLimiter): RequestHandler {
  const policy = `"writes";q=${limit};w=${toSeconds(windowMs)}`;
  const message = `The limit of ${limit} writes in ${toSeconds(windowMs)} seconds is reached. Try again after Retry-After seconds.`;
  return async (_request, response, next) => {
    const { isAllowed, remaining, endsInMs } = await take(writerOf(response));
    const retryAfterS = toSeconds(endsInMs);
    response.setHeader(RATE_LIMIT, `"writes";r=${remaining};t=${retryAfterS}`);
    response.setHeader(RATE_LIMIT_POLICY, policy);
    if (!isAllowed) throw new AppError("too_many_requests", message, undefined, { retryAfterS });
    next();
  };
}

/** A key, or a person whatever the project. */
function writerOf(response: Response): Writer {
  const { actor, projectID } = credentialsOf(response);
  return { actor, projectID: sessionOf(response) ? INSTANCE_PROJECT : projectID };
}

/** For an answer whose contract does not declare these headers: an error other than 429. */
export function hideLimit(response: Response): void {
  response.removeHeader(RATE_LIMIT);
  response.removeHeader(RATE_LIMIT_POLICY);
}

/** Whole seconds, at least one: whoever waits so long does not come too early. */
function toSeconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}
