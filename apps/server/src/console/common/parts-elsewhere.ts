import type { Schema } from "@gatehouse/contract/console";
import { convertTarget } from "./condition-operand.ts";
import type { Switched } from "./switch.ts";

/** Whether an environment is one of the caller's limits. */
type IsGiven = (environment: string) => boolean;
type Rule = { environments?: readonly string[] | null; conditions: Schema<"Condition">[] };
type OfEnvironment = { environment?: string | null };

/** Fields that no evaluation reads, and the times and counts that the server keeps. */
const UNEVALUATED = [
  "description",
  "tags",
  "owner",
  "typeReason",
  "isStale",
  "checksPerHour",
  // How the versions of a prompt are evaluated.
  "evaluation",
  // What a release gives to whom was decided by the write that started it.
  "activeRelease",
  "version",
  "lastModifiedTime",
  "lastModifierID",
  "lastModifierName",
  "lastModifierEmail",
];

/** The entity without the fields that no evaluation reads. */
export function evaluated<E extends object>(entity: E): Partial<E> {
  return Object.fromEntries(Object.entries(entity).filter(([field]) => !UNEVALUATED.includes(field))) as Partial<E>;
}

/** The rules that apply outside the given environments. Environments without a rule are left out. */
export function rulesElsewhere<R extends Rule>(rules: readonly R[], isGiven: IsGiven): R[] {
  return rules.flatMap((rule) => {
    const { environments } = rule;
    if (!environments || environments.length === 0) return [rule];
    const others = environments.filter((one) => !isGiven(one));
    return others.length === 0 ? [] : [{ ...rule, environments: others }];
  });
}

/**
 * The gates and experiments that rules of any environment depend on, enabled or not. They count everywhere: a holdout holds none of its
 * dependencies. And evaluators that know all environments evaluate every condition, so a cycle in one environment would break the others.
 */
export function listDependencies(rules: readonly Rule[]): string[] {
  const names = rules.flatMap(({ conditions }) =>
    conditions.flatMap((condition) => {
      const { type, field } = condition;
      if (type === "experiment_group") return [`experiment ${field}`];
      return type === "passes_gate" || type === "fails_gate" ? [`gate ${convertTarget(condition)}`] : [];
    }),
  );
  return [...new Set(names)].sort();
}

/** The items that count in other environments than the given ones: those of such an environment, and those of all. */
export function itemsElsewhere<I extends OfEnvironment>(items: readonly I[], isGiven: IsGiven): I[] {
  return items.filter(({ environment }) => environment === null || environment === undefined || !isGiven(environment));
}

/** The reach of entities that have target apps and count in every environment. Labels may be written nevertheless. */
export const IN_EVERY_ENVIRONMENT = {
  environments: { elsewhere: <E extends object>(entity: E | null) => entity && evaluated(entity) },
  targetApps: { of: ({ targetApps = [] }: { targetApps?: string[] }) => targetApps },
};

/** The reach of entities with rules and switches, each for separate environments. */
export const BY_RULES = {
  environments: {
    elsewhere: <E extends Switched & { rules: Rule[] }>(entity: E | null, isGiven: IsGiven) =>
      entity && {
        ...evaluated(entity),
        disabledEnvironments: (entity.disabledEnvironments ?? []).filter((name) => !isGiven(name)).sort(),
        rules: rulesElsewhere(entity.rules, isGiven),
        dependencies: listDependencies(entity.rules),
      },
  },
  targetApps: IN_EVERY_ENVIRONMENT.targetApps,
};

/** The reach of settings for the whole project. */
export const EVERYWHERE = { environments: "every", targetApps: "every" } as const;

/** The reach of labels, which are not evaluated. */
export const NOWHERE = { environments: "none", targetApps: "none" } as const;

type OverrideLists = { environmentOverrides: OfEnvironment[]; version: number; createdTime: number };

/** The reach of lists of passing and failing ids. Lists that do not exist are empty. */
export const reachOfOverrideLists = reachOfOverrides<OverrideLists>((lists, isGiven) => {
  const { environmentOverrides = [], ...ofAll } = lists ?? {};
  return { ...ofAll, environmentOverrides: itemsElsewhere(environmentOverrides, isGiven) };
});

/** The reach of overrides. @param elsewhere the overrides outside the given environments; undefined if it is empty */
export function reachOfOverrides<O extends { version: number; createdTime: number }>(
  elsewhere: (overrides: Omit<O, "version" | "createdTime"> | undefined, isGiven: IsGiven) => unknown,
) {
  return {
    environments: {
      elsewhere(overrides: O | null, isGiven: IsGiven): unknown {
        if (overrides === null) return elsewhere(undefined, isGiven);
        const { version: _version, createdTime: _createdTime, ...lists } = overrides;
        return elsewhere(lists, isGiven);
      },
    },
    targetApps: "of its owner",
  } as const;
}
