import {
  evaluated,
  IN_EVERY_ENVIRONMENT,
  itemsElsewhere,
  listDependencies,
  reachOfOverrides,
  rulesElsewhere,
} from "../common/parts-elsewhere.ts";
import type { Experiment } from "./experiment.ts";
import type { ExperimentOverrides } from "./experiment-overrides.ts";

/**
 * Targeting rules may be of single environments, and so may be the trial before the start. The first targeting rule of any environment
 * excludes the units of all others.
 */
export const reachOfExperiment = {
  environments: {
    elsewhere(experiment: Experiment | null, isGiven: (environment: string) => boolean) {
      if (experiment === null) return null;
      const { inlineTargetingRules: rules, inlineTargetingRulesJSON: _text, enabledNonProdEnvironments = [], ...others } = experiment;
      return {
        ...evaluated(others),
        hasInlineTargeting: rules.length > 0,
        inlineTargetingRules: rulesElsewhere(rules, isGiven),
        dependencies: listDependencies(rules),
        enabledNonProdEnvironments: enabledNonProdEnvironments.filter((one) => !isGiven(one)),
      };
    },
  },
  targetApps: IN_EVERY_ENVIRONMENT.targetApps,
};

export const reachOfExperimentOverrides = reachOfOverrides<ExperimentOverrides>((given, isGiven) => ({
  overrides: itemsElsewhere(given?.overrides ?? [], isGiven),
  userIDOverrides: itemsElsewhere(given?.userIDOverrides ?? [], isGiven),
  // These count everywhere, as in conditions.
  gates: [...new Set((given?.overrides ?? []).filter(({ type }) => type === "gate").map(({ id }) => id))].sort(),
}));
