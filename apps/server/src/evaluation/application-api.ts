import { descriptions } from "@gatehouse/contract/evaluation";
import document from "@gatehouse/contract/evaluation.json" with { type: "json" };
import { eventIntakeHandlers } from "./events/event-intake-handlers.ts";
import { toFlagError } from "./ofrep/ofrep-error.ts";
import { ofrepHandlers } from "./ofrep/ofrep-handlers.ts";
import { sdkHandlers } from "./sdk/sdk-handlers.ts";
import { exceptionHandlers } from "./sdk-reports/exception-handlers.ts";

/** The operations that applications and SDKs call, with their handlers. Servers and relays serve them. */
export const applicationApi = {
  document,
  descriptions,
  handlers: { ...eventIntakeHandlers, ...exceptionHandlers, ...ofrepHandlers, ...sdkHandlers },
  errorBodies: { evaluateFlag: toFlagError, evaluateFlags: toFlagError, streamFlagChanges: toFlagError },
  takingEvents: Object.keys({ ...eventIntakeHandlers, ...exceptionHandlers, logRelayEvents: true }),
};
