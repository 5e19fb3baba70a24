import type { Spec } from "@gatehouse/evaluation";
import { createCompiler } from "../../src/evaluation/compile/compiler.ts";
import { KINDS, listTargetApps } from "../../src/evaluation/compile/evaluated-entities.ts";
import { applyUpdate, readUpdate } from "../../src/evaluation/rulesets/loaded-project.ts";
import { v1Text } from "../../src/evaluation/rulesets/ruleset-text.ts";
import type { TestServer } from "./server.ts";

/**
 * What applications get, without the specs that give everyone what applications get for a missing one. Each item is what keys for everything
 * get, then what keys of each target app get
 * that an entity names.
 * @param environments of which the values are read; by default those of any environment together
 */
export async function readValues({ database }: TestServer, environments?: string[]): Promise<unknown[][]> {
  const update = await readUpdate(database, "default");
  if (!update) throw new Error("The project was expected to exist.");
  const { loaded } = applyUpdate(update, 0);
  const scopes = environments?.map((name) => [name]) ?? [[]];
  const { project } = loaded.state;
  const apps = KINDS.flatMap((kind) => [...project[kind].values()].flatMap(listTargetApps));
  const limits = [[], ...[...new Set(apps)].sort().map((app) => [app])];
  return scopes.map((environments) =>
    limits.map((targetApps) => valuesOf(createCompiler(loaded.state, { environments, targetApps }).compile(0))),
  );
}

function valuesOf(ruleset: Parameters<typeof v1Text>[0]): unknown {
  const { feature_gates, dynamic_configs, layer_configs, ...others } = JSON.parse(Buffer.concat(v1Text(ruleset, "")).toString());
  return { ...others, specs: [...feature_gates, ...dynamic_configs, ...layer_configs].filter(decides).map(withoutVersion) };
}

/** False for a spec from which everyone gets false or nothing, and no group of an experiment. */
const decides = ({ enabled, rules, defaultValue }: Spec) => {
  const everyone = rules.findIndex(({ passPercentage, conditions }) => passPercentage === 100 && conditions[0]?.type === "public");
  const reached = everyone === -1 ? rules : rules.slice(0, everyone + 1);
  const gives = reached.some((one) => one.passPercentage > 0 && (one.groupName || one.configDelegate || !isMissing(one.returnValue)));
  return (enabled && gives) || !isMissing(defaultValue);
};
const isMissing = (value: unknown) => value === false || JSON.stringify(value) === "{}";
const withoutVersion = ({ version: _, ...spec }: Spec) => spec;
