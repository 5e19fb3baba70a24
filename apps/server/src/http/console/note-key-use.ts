import type { RequestHandler } from "express";
import type { Logger } from "pino";
import type { KeyAddresses } from "../../store/key-addresses.ts";
import { credentialsOf, sessionOf } from "./authenticate.ts";
import { originOf } from "./observe.ts";

/** Notes in the trail that a key is used from an address for the first time. The request goes on if that fails. */
export function noteKeyUse(addresses: KeyAddresses, { now, log }: { now: () => number; log: Logger }): RequestHandler {
  return async (_request, response, next) => {
    if (sessionOf(response) || !credentialsOf(response)) return next();
    await addresses
      .note(credentialsOf(response), originOf(response), now())
      .catch((err: unknown) => log.warn({ err }, "The address of a key's first use could not be noted in the trail."));
    next();
  };
}
