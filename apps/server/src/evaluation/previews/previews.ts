import type { Previews } from "../../console/previews/previews.ts";
import type { KeyScope } from "../../context.ts";
import type { Rulesets } from "../rulesets/rulesets.ts";
import { evaluateUsers } from "./evaluate-users.ts";

/** Of server keys without limits. */
const EVERYTHING: KeyScope = { type: "SERVER", environments: [], targetApps: [] };

export function createPreviews(rulesets: Rulesets): Previews {
  return {
    async evaluate(projectID, request) {
      const { project, view } = await rulesets.current(projectID, EVERYTHING);
      return evaluateUsers(request, project, view.evaluator);
    },
  };
}
