import type { EvaluationEnv, EvaluationHandlers } from "../binding.ts";
import type { Sendable } from "../rulesets/sendable.ts";
import type { RulesetView } from "../rulesets/views.ts";

type Known = { sinceTime?: number; checksum?: string };

export const configSpecsHandlers = {
  getConfigSpecs: (request) => download(request, ({ v1 }) => v1),
  getConfigSpecsByKey: (request) => download(request, ({ v1 }) => v1),
  getConfigSpecsV2: (request) => download(request, ({ v2 }) => v2),
  getConfigSpecsV2ByKey: (request) => download(request, ({ v2 }) => v2),
} satisfies Partial<EvaluationHandlers>;

async function download({ query, caller, rulesets }: { query: Known } & EvaluationEnv, shape: (view: RulesetView) => Sendable) {
  const { projectID, scope } = caller.credentials;
  const view = await rulesets.view(projectID, scope);
  if (isUpToDate(query, view)) return { status: 200 as const, body: { has_updates: false as const } };
  return { status: 200 as const, sendable: shape(view), headers: { ETag: `W/"${view.checksum}"` } };
}

/** Whether the caller has this ruleset, or a later one from another replica. */
export function isUpToDate({ sinceTime, checksum }: Known, view: Pick<RulesetView, "time" | "checksum">): boolean {
  if (checksum === view.checksum) return true;
  if (sinceTime === undefined) return false;
  return sinceTime > view.time || (sinceTime === view.time && checksum === undefined);
}
