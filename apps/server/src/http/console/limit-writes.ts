import type { RequestHandler, Response } from "express";
import { INSTANCE_PROJECT } from "../../common/context.ts";
import type { Writer } from "../../store/requests/write-lease.ts";
import type { WriteLimiter } from "../../store/requests/write-limiter.ts";
import { tooManyWrites, toSeconds } from "../common/too-many-writes.ts";
import { getCredentials, getSession } from "./authenticate.ts";

const RATE_LIMIT = "RateLimit";
const RATE_LIMIT_POLICY = "RateLimit-Policy";

/** Refuses a write beyond its writer's limit, and says how much of the limit remains. */
export function limitWrites(limiter: WriteLimiter): RequestHandler {
  return async (_request, response, next) => {
    await takeWrites(limiter, response, 1);
    next();
  };
}

/** Uses so many writes of the writer's limit, or none of them. @throws AppError too_many_requests */
export async function takeWrites({ take, limit, windowMs }: WriteLimiter, response: Response, count: number): Promise<void> {
  const { isAllowed, remaining, endsInMs } = await take(findWriter(response), count);
  const retryAfterS = toSeconds(endsInMs);
  response.setHeader(RATE_LIMIT, `"writes";r=${remaining};t=${retryAfterS}`);
  response.setHeader(RATE_LIMIT_POLICY, `"writes";q=${limit};w=${toSeconds(windowMs)}`);
  if (isAllowed) return;
  throw tooManyWrites({ limit, windowMs }, endsInMs);
}

/** A key, or a person in any project. */
function findWriter(response: Response): Writer {
  const { actor, projectID } = getCredentials(response);
  return { actor, projectID: getSession(response) ? INSTANCE_PROJECT : projectID };
}

/** For an answer whose contract does not declare these headers: an error other than 429. */
export function hideLimit(response: Response): void {
  response.removeHeader(RATE_LIMIT);
  response.removeHeader(RATE_LIMIT_POLICY);
}
