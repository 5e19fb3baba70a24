import { setTimeout } from "node:timers/promises";
import type { RequestHandler } from "express";
import { AppError } from "../../common/errors.ts";
import { redactKeys } from "../../common/redact-keys.ts";

/** A step of compiling validators. */
export type Compilation = () => void | Promise<void>;

/** Sorts literal paths before those with parameters. */
export function bySpecificity(a: string, b: string): number {
  return a.replaceAll("{", "~") < b.replaceAll("{", "~") ? -1 : 1;
}

export function requireMethod(methods: string[]): RequestHandler {
  return (request, response, next) => {
    if (methods.includes(request.method)) return next();
    response.set("Allow", methods.join(", "));
    throw new AppError("method_not_allowed", `${request.method} is not allowed at ${redactKeys(request.baseUrl + request.path)}.`);
  };
}

export const refuseUnknownPath: RequestHandler = (request) => {
  throw new AppError("not_found", `The path ${redactKeys(request.baseUrl + request.path)} does not exist.`);
};

/** Steps take a quarter of the time at most, and leave the rest to requests. */
const PAUSE_PER_STEP = 3;

/** Runs one step after the other, with pauses in between for requests. Stops early when the server stops. */
export async function runBetweenRequests(steps: Compilation[], isStopping: () => boolean): Promise<void> {
  let pauseMs = 0;
  for (const step of steps) {
    await setTimeout(pauseMs, undefined, { ref: false });
    if (isStopping()) return;
    const begin = performance.now();
    await step();
    pauseMs = PAUSE_PER_STEP * (performance.now() - begin);
  }
}
