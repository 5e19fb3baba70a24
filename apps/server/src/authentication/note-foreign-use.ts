import type { Logger } from "pino";
import type { RepeatedEvents } from "../store/change-log/repeated-events.ts";
import type { OnForeignAddress } from "./allowed-addresses.ts";

type Services = { repeatedEvents: RepeatedEvents; now: () => number; log: Logger };

/** Notes in the audit log of the key's project that the key was used from an address that it does not allow. Runs in the background. */
export function noteForeignUse({ repeatedEvents, now, log }: Services): OnForeignAddress {
  return ({ projectID, id }, address, { message }) => {
    const actor = { id, name: "CONSOLE API", email: null };
    const origin = { address, userAgent: null, requestID: null };
    const subject = { entityType: "permission", entityID: id, operationID: "useKey", details: { message } } as const;
    repeatedEvents
      .note({ projectID, actor, origin, now: now(), ...subject })
      .catch((err: unknown) => log.warn({ err, address }, "The use of a key from a foreign address could not be noted in the audit log."));
  };
}
