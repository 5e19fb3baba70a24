import type { EventOrigin } from "../../src/evaluation/events/event-origin.ts";
import type { EventContext } from "../../src/evaluation/events/logged-event.ts";
import { buildProject } from "./evaluated-project.ts";

/** Events of a project without entities and environments. */
export const EMPTY_ORIGIN: EventOrigin = { project: buildProject({ environments: [] }), time: 0, defaultEnvironment: null };

export const eventContext = (now: number, given: Partial<EventContext> = {}): EventContext => ({
  ...EMPTY_ORIGIN,
  now,
  keepsUserFields: true,
  ...given,
});
