import type { RequestHandler } from "express";
import type { Logger } from "pino";
import type { Credentials } from "../../common/context.ts";
import type { KeyAddresses } from "../../store/change-log/key-addresses.ts";
import { getOrigin } from "../common/observe.ts";

/** Notes in the audit log that a key is used from an address for the first time. The request continues if that fails. */
export function noteKeyUse(addresses: KeyAddresses, { now, log }: { now: () => number; log: Logger }): RequestHandler {
  return async (_request, response, next) => {
    const credentials: Credentials | undefined = response.locals.credentials;
    // People have an email address. The audit log has their sessions.
    if (!credentials || credentials.actor.email) return next();
    await addresses
      .note(credentials, getOrigin(response), now())
      .catch((err: unknown) => log.warn({ err }, "The address of a key's first use could not be noted in the audit log."));
    next();
  };
}
