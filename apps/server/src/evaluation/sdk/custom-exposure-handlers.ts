import type { EvaluationHandlers } from "../binding.ts";
import { storeBatch } from "../events/event-intake-handlers.ts";
import { exposureEvents } from "./custom-exposure.ts";

export const customExposureHandlers = {
  async logCustomExposure({ body, caller, rulesets, intake }) {
    const { projectID, scope } = caller.credentials;
    const { ruleset } = await rulesets.view(projectID, scope);
    const { statsigMetadata } = body;
    const batch = { events: exposureEvents(body, ruleset), ...(statsigMetadata !== undefined && { statsigMetadata }) };
    return storeBatch(batch, { caller, rulesets, intake }, "exposures");
  },
} satisfies Partial<EvaluationHandlers>;
