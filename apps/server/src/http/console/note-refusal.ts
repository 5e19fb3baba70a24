import type { ErrorRequestHandler } from "express";
import type { Logger } from "pino";
import { INSTANCE_PROJECT } from "../../common/context.ts";
import { AppError } from "../../common/errors.ts";
import { shorten } from "../../common/place.ts";
import { redactKeys } from "../../common/redact-keys.ts";
import type { RepeatedEvents } from "../../store/change-log/repeated-events.ts";
import { getOrigin } from "../common/observe.ts";
import { getCredentials } from "./authenticate.ts";

type Services = { repeatedEvents: RepeatedEvents; now: () => number; log: Logger };

/** Longer paths are cut in the audit log. In characters. */
const MAX_PATH_LENGTH = 200;

/** Notes in the audit log that a caller may not do a write, mostly for lack of a permission. The caller receives its 403 in any case. */
export function noteRefusal(operationId: string, { repeatedEvents, now, log }: Services): ErrorRequestHandler {
  return async (error, request, response, next) => {
    if (error instanceof AppError && error.code === "forbidden" && response.locals.credentials !== undefined) {
      const { projectID, actor } = getCredentials(response);
      const { permission, message, contained } = error;
      const operationID = contained?.operationID ?? operationId;
      const path = shorten(redactKeys(request.baseUrl + request.path), MAX_PATH_LENGTH);
      const details = permission === undefined ? { path, message } : { path };
      const subject = { entityType: "permission", entityID: permission ?? operationID, details } as const;
      // A person without a role in the project is of none.
      const event = { projectID: projectID || INSTANCE_PROJECT, actor, origin: getOrigin(response), now: now(), operationID, ...subject };
      await repeatedEvents
        .note(event)
        .catch((err: unknown) => log.warn({ err, operationID: operationId }, "A refusal could not be noted in the audit log."));
    }
    next(error);
  };
}
