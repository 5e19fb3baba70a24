import type { EvaluationEnv, EvaluationHandlers } from "../binding.ts";
import type { CompiledRuleset } from "../compile/compiled-ruleset.ts";
import { v1Text, v2Text, withoutPrompts } from "../rulesets/ruleset-text.ts";
import type { RulesetView } from "../rulesets/views.ts";

type Known = { sinceTime?: number; checksum?: string };
type Shape = { name: "v1" | "v2"; text: (ruleset: CompiledRuleset, checksum: string) => Uint8Array[] };

const V1: Shape = { name: "v1", text: v1Text };
const V2: Shape = { name: "v2", text: v2Text };

export const configSpecsHandlers = {
  getConfigSpecs: (request) => download(request, V1),
  getConfigSpecsByKey: (request) => download(request, V1),
  getConfigSpecsV2: (request) => download(request, V2),
  getConfigSpecsV2ByKey: (request) => download(request, V2),
} satisfies Partial<EvaluationHandlers>;

async function download({ query, caller, rulesets }: { query: Known } & EvaluationEnv, { name, text }: Shape) {
  const { projectID, scope } = caller.credentials;
  const isPublic = scope.type === "CLIENT";
  const { sinceTime = 0 } = query;
  const { view, isLatest } = await rulesets.viewSince(projectID, scope, sinceTime);
  if (!isLatest || isUpToDate(query, view)) return { status: 200 as const, body: { has_updates: false as const } };
  if (view.time < sinceTime) {
    const ruleset = isPublic ? withoutPrompts(view.ruleset) : view.ruleset;
    return { status: 200 as const, json: text({ ...ruleset, time: laterThan(sinceTime) }, view.checksum) };
  }
  return { status: 200 as const, sendable: (isPublic ? view.public : view)[name], headers: { ETag: `W/"${view.checksum}"` } };
}

/** Whether the caller has this ruleset. A later time is that of a ruleset that a restored database has lost. */
export function isUpToDate({ sinceTime, checksum }: Known, view: Pick<RulesetView, "time" | "checksum">): boolean {
  return checksum === undefined ? sinceTime === view.time : checksum === view.checksum;
}

/** The time of a response for a caller who has a later one than the ruleset's. SDKs ignore responses with earlier times than theirs. */
export function laterThan(time: number): number {
  return Math.min(time + 1, Number.MAX_SAFE_INTEGER);
}
