import { createHash, timingSafeEqual } from "node:crypto";
import type { RequestHandler } from "express";
import type { Logger } from "pino";
import { toNetwork } from "../../accounts/attempts.ts";
import { INSTANCE_PROJECT } from "../../common/context.ts";
import { unauthorized } from "../../common/errors.ts";
import type { RepeatedEvents } from "../../store/change-log/repeated-events.ts";
import { getOrigin } from "../common/observe.ts";
import { createFailureLimit } from "./failure-limit.ts";

type Services = { tokens: string[]; repeatedEvents: RepeatedEvents; log: Logger; now: () => number };

const NEEDED = "A token of GATEHOUSE_SCIM_TOKENS is needed, as Authorization: Bearer.";
const STRANGER = { id: "anonymous", name: "ANONYMOUS", email: null };
const OPERATION = "authenticateScim";

/** Rejects requests without one of the operator's tokens before anything else of the request is read. Logs and limits wrong tokens. */
export function requireToken({ tokens, repeatedEvents, log, now }: Services): RequestHandler {
  const hashes = tokens.map(hash);
  const failures = createFailureLimit(now);
  return async (request, response, next) => {
    const presented = /^Bearer +(\S+)$/i.exec(request.get("Authorization") ?? "")?.[1];
    if (presented !== undefined && isOneOf(hash(presented), hashes)) return next();
    response.set("WWW-Authenticate", "Bearer");
    if (presented !== undefined) {
      const origin = getOrigin(response);
      const { address, requestID } = origin;
      failures.count(toNetwork(address));
      log.warn({ requestID, address }, "A request to the SCIM API had a wrong token.");
      const subject = { entityType: "session", entityID: "SCIM", reason: "A request to the SCIM API had a wrong token." } as const;
      await repeatedEvents
        .note({ projectID: INSTANCE_PROJECT, actor: STRANGER, origin, now: now(), operationID: OPERATION, ...subject })
        .catch((err: unknown) => log.warn({ err, requestID }, "A wrong token could not be noted in the audit log."));
    }
    throw unauthorized(NEEDED);
  };
}

function hash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Compares with all tokens, so that the time doesn't reveal which one matches. */
function isOneOf(presented: Buffer, hashes: Buffer[]): boolean {
  return hashes.filter((one) => timingSafeEqual(one, presented)).length > 0;
}
