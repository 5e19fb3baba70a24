import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { invalid, type Violation } from "../../common/errors.ts";
import { randomID } from "../../common/identifier.ts";
import { checkCondition } from "../common/condition.ts";
import { checkDistinct } from "../common/distinct.ts";
import { namedEach, namedInRules, namedMetrics, namedOne } from "../common/named.ts";
import { created, modified } from "../common/stamp.ts";
import type { Reference } from "../reference.ts";

export type ReleasePipeline = Schema<"ReleasePipeline">;
type ReleasePipelineCreate = WritableSchema<"ReleasePipelineCreate">;
type ReleasePipelineUpdate = WritableSchema<"ReleasePipelineUpdate">;
type ReleasePhase = Schema<"ReleasePhase">;
type ReleaseRule = Schema<"ReleaseRule">;

/** Creates a pipeline, by default without phases. @throws AppError invalid_request with every violation under `phases` */
export function newReleasePipeline({ phases = [], ...given }: ReleasePipelineCreate, context: Context): ReleasePipeline {
  return { id: randomID(), team: null, teamID: null, ...created(context), ...given, phases: toPhases(phases) };
}

/** The pipeline with the given fields changed. @throws AppError invalid_request with every violation under `phases` */
export function changeReleasePipeline(
  pipeline: ReleasePipeline,
  { phases, ...given }: ReleasePipelineUpdate,
  context: Context,
): ReleasePipeline {
  return { ...pipeline, ...given, phases: phases ? toPhases(phases) : pipeline.phases, ...modified(pipeline, context) };
}

/** The pipeline's references. */
export function namedByReleasePipeline({ phases = [], teamID }: ReleasePipeline): Reference[] {
  return [
    ...namedOne("team", teamID, "teamID"),
    ...phases.flatMap(({ rules, guardrailMetrics, guardrailAlerts = [] }, index) => [
      ...namedInRules(rules, `phases[${index}].rules`),
      ...namedMetrics(guardrailMetrics, `phases[${index}].guardrailMetrics`),
      ...namedEach("alert", guardrailAlerts, `phases[${index}].guardrailAlerts`),
    ]),
  ];
}

/** The phases as they are stored: each phase and each rule has an id. */
function toPhases(given: WritableSchema<"GivenReleasePhase">[]): ReleasePhase[] {
  const violations: Violation[] = [];
  checkDistinct(given, "name", "phases", violations);
  checkDistinct(given, "id", "phases", violations);
  const phases = given.map((phase, index) => ({
    ...phase,
    id: phase.id || randomID(),
    rules: toReleaseRules(phase.rules, `phases[${index}].rules`, violations),
  }));
  if (violations.length > 0) throw invalid(violations);
  return phases;
}

function toReleaseRules(given: WritableSchema<"ReleaseRule">[], place: string, violations: Violation[]): ReleaseRule[] {
  checkDistinct(given, "name", place, violations);
  checkDistinct(given, "id", place, violations);
  return given.map((rule, index) => {
    for (const [position, condition] of rule.conditions.entries()) {
      checkCondition(condition, `${place}[${index}].conditions[${position}]`, violations);
    }
    return { ...rule, id: rule.id || randomID(), environments: rule.environments ?? null };
  });
}
