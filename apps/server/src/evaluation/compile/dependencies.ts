import { convertTarget } from "../../console/common/condition-operand.ts";
import type { EvaluatedProject } from "../../console/evaluated-project.ts";
import type { ConsoleRule } from "./console-rules.ts";
import type { Entities, Kind } from "./evaluated-entities.ts";
import type { Node } from "./node.ts";
import { evaluatedRules } from "./release-rules.ts";

/**
 * The nodes that an evaluation of an entity evaluates, except holdouts. Rules that are not enabled count, so that enabling one of a single
 * environment leaves the others unchanged.
 */
export function listDependencies(project: EvaluatedProject, { kind, id }: Node): Node[] {
  const depends = DEPENDENCIES[kind] as ((entity: unknown, project: EvaluatedProject) => Node[]) | undefined;
  const entity = project[kind].get(id);
  return entity && depends ? depends(entity, project) : [];
}

const DEPENDENCIES: { [K in Kind]?: (entity: Entities[K], project: EvaluatedProject) => Node[] } = {
  gates: (gate) => namedInRules(evaluatedRules(gate)),
  dynamicConfigs: (config) => namedInRules(evaluatedRules(config)),
  segments: ({ rules }) => namedInRules(rules),
  holdouts: ({ targetingGateID }) => named("gates", targetingGateID),
  experiments: ({ id, layerID, targetingGateID, inlineTargetingRules }, { experimentOverrides }) => [
    ...named("layers", layerID),
    ...named("gates", targetingGateID),
    ...namedInRules(inlineTargetingRules),
    ...(experimentOverrides.get(id)?.overrides ?? []).map((override) => gateOrSegment(override.type, override.id)),
  ],
  layers: ({ id }, { layerOverrides }) =>
    (layerOverrides.get(id)?.conditionalOverrides ?? []).map((override) => gateOrSegment(override.type, override.name)),
  paramStores: ({ parameters }) =>
    parameters.flatMap((parameter) => [
      ...named("gates", parameter.gate_name),
      ...named("dynamicConfigs", parameter.config_name),
      ...named("experiments", parameter.experiment_name),
      ...named("layers", parameter.layer_name),
    ]),
};

function namedInRules(rules: readonly Pick<ConsoleRule, "conditions">[]): Node[] {
  return rules.flatMap(({ conditions }) =>
    conditions.flatMap((condition) => {
      const { type, field } = condition;
      if (type === "passes_gate" || type === "fails_gate") return named("gates", String(convertTarget(condition)));
      if (type === "passes_segment" || type === "fails_segment") return named("segments", String(convertTarget(condition)));
      return type === "experiment_group" ? named("experiments", field) : [];
    }),
  );
}

function named(kind: Kind, id: string | null | undefined): Node[] {
  return id ? [{ kind, id }] : [];
}

function gateOrSegment(type: "gate" | "segment", id: string): Node {
  return { kind: type === "gate" ? "gates" : "segments", id };
}
