import type { EvaluationHandlers } from "../evaluation-handlers.ts";
import { exposureEvents } from "./custom-exposure.ts";

export const customExposureHandlers = {
  async logCustomExposure({ body, caller, rulesets, intake }) {
    const { projectID, scope } = caller.credentials;
    const { ruleset } = await rulesets.view(projectID, scope);
    const { statsigMetadata } = body;
    await intake.log(projectID, { events: exposureEvents(body, ruleset), ...(statsigMetadata !== undefined && { statsigMetadata }) });
    return { status: 202, body: { message: "Events logged successfully.", success: true } };
  },
} satisfies Partial<EvaluationHandlers>;
