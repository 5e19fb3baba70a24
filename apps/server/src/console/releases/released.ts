import { isDeepStrictEqual } from "node:util";
import type { Schema } from "@gatehouse/contract/console";
import { namedInRules } from "../common/named.ts";
import { isRuleEnabled, type Rule } from "../common/rule.ts";
import type { Reference } from "../reference.ts";
import { currentPhase, isActive, type Phase, type Release } from "./release.ts";

type ActiveRelease = Schema<"ActiveRelease">;

/** An entity whose changes can reach users in phases: a gate or a dynamic config. */
export type Releasable = {
  id: string;
  version: number;
  status: string;
  idType: string;
  rules: Rule[];
  defaultValue?: object;
  defaultValueJson5?: string;
  releasePipelineID: string | null;
  activeRelease?: ActiveRelease;
};

/** What a release changes: the rules, and the default value of a dynamic config. */
export type Content = ActiveRelease["before"];

/** The content of an entity; none of one that does not exist. */
export function contentOf(entity: Releasable | null): Content {
  if (!entity) return { rules: [] };
  const { rules, defaultValue, defaultValueJson5 } = entity;
  return {
    rules,
    ...(defaultValue && { defaultValue: defaultValue as Record<string, unknown> }),
    ...(defaultValueJson5 !== undefined && { defaultValueJson5 }),
  };
}

/** Whether users get the same from both, now and after the rollouts that the rules plan. */
export function isSameContent(one: Content, other: Content): boolean {
  return (
    isDeepStrictEqual(effective(one.rules), effective(other.rules)) && isDeepStrictEqual(one.defaultValue ?? {}, other.defaultValue ?? {})
  );
}

/** Whether the rules of an environment are the same. */
export function isSameIn(environment: string, one: Content, other: Content): boolean {
  const within = ({ rules, ...rest }: Content): Content => ({
    ...rest,
    rules: rules.flatMap((rule) => (appliesIn(rule, environment) ? [{ ...rule, environments: null }] : [])),
  });
  return isSameContent(within(one), within(other));
}

function appliesIn({ environments }: Rule, environment: string): boolean {
  return !environments || environments.length === 0 || environments.some((name) => name.toLowerCase() === environment.toLowerCase());
}

/** The enabled rules, without what changes nobody's value. */
function effective(rules: readonly Rule[]): object[] {
  return rules.filter(isRuleEnabled).map((rule) => {
    const { name: _, completedAutomatedRollouts: _completed, returnValueJson5: _text, pendingAutomatedRollouts = [], ...rest } = rule;
    return { ...rest, environments: rest.environments ?? [], pendingAutomatedRollouts };
  });
}

/** The entity as a release leaves it: with the phases that have begun, with the change after a completion, and with what it had before after an abort. */
export function inRelease<E extends Releasable>(entity: E, release: Release, phases: readonly Phase[], before: Content): E {
  if (release.status === "ABORTED") return { ...withoutRelease(entity), ...before };
  if (!isActive(release)) return withoutRelease(entity);
  const begun = new Set(release.phases.map(({ phaseID }) => phaseID));
  const rules = phases.filter(({ id }) => begun.has(id)).flatMap((phase) => phase.rules);
  const phase = currentPhase(release, phases);
  const last = phases.find(({ id }) => id === release.phases.at(-1)?.phaseID);
  const named = last && { currentPhase: last.name };
  const guardrails = (phase && begun.has(phase.id) && phase.guardrailMetrics) || [];
  return { ...entity, activeRelease: { releaseID: release.id, ...named, rules, guardrails, before } };
}

/** The references in the rules that a release adds to an entity. */
export function namedByRelease(active: ActiveRelease | undefined): Reference[] {
  if (!active) return [];
  return [...namedInRules(active.before.rules, "activeRelease.before.rules"), ...namedInRules(active.rules, "activeRelease.rules")];
}

export function withoutRelease<E extends Releasable>(entity: E): E {
  if (!("activeRelease" in entity)) return entity;
  const { activeRelease: _, ...rest } = entity;
  return rest as E;
}
