// Edits of the phases of a release pipeline that are not saved yet. Pure.
import type { Schema, WritableSchema } from "../../api.ts";
import type { GuardedMetric } from "../../targeting/metric-changes.ts";
import { freshName, MAX_NAME_LENGTH } from "../../targeting/names.ts";
import { toRule } from "../../targeting/phases.ts";
import { addRule, type DraftRule, type RulesDraft, toDraft, toRules, toWrittenRules } from "../../targeting/rule-draft.ts";
import { faultsOfRules } from "../../targeting/rule-faults.ts";
import type { Fault } from "../../targeting/types.ts";

export type StoredPhase = Schema<"ReleasePhase">;
type GivenPhase = WritableSchema<"GivenReleasePhase">;

/** A phase as pages compare and merge it. One without an id is not stored yet. */
export type PhaseParts = Pick<StoredPhase, "name" | "timeIntervalMs" | "requiredReview"> & {
  readonly id?: string;
  readonly rules: readonly DraftRule[];
  readonly guardrailMetrics: readonly GuardedMetric[];
  readonly guardrailAlerts: readonly string[];
};

/** A phase in the editor. Its key identifies it for as long as it is edited. */
export type PhaseDraft = Omit<PhaseParts, "rules"> & { readonly key: string; readonly rules: RulesDraft };

const DAY_MS = 86_400_000;
const MAX_PHASES = 100;

export const partsOfPhase = ({ guardrailMetrics = [], guardrailAlerts = [], rules, ...phase }: StoredPhase): PhaseParts => ({
  ...phase,
  rules: toRules(toDraft(rules.map(toRule))),
  guardrailMetrics: guardrailMetrics.map(({ maxHarmPercent, ...metric }) => ({ ...metric, guardrail: { maxHarmPercent } })),
  guardrailAlerts,
});

export const toPhaseDraft = (parts: PhaseParts, index: number): PhaseDraft => ({
  ...parts,
  key: parts.id ?? `new ${index} ${parts.name}`,
  rules: toDraft(parts.rules),
});

export const fromPhaseDraft = ({ key: _, rules, ...phase }: PhaseDraft): PhaseParts => ({ ...phase, rules: toRules(rules) });

/** The phase as a write sends it. */
export function toGivenPhase({ key: _, rules, guardrailMetrics, guardrailAlerts, ...phase }: PhaseDraft): GivenPhase {
  return {
    ...phase,
    rules: toWrittenRules(rules).map(({ id, name, conditions, environments }) => ({
      ...(id !== undefined && { id }),
      name,
      conditions,
      environments: environments ?? null,
    })),
    guardrailMetrics: guardrailMetrics.map(({ name, type, guardrail }) => ({
      name,
      type,
      maxHarmPercent: guardrail?.maxHarmPercent ?? Number.NaN,
    })),
    guardrailAlerts: [...guardrailAlerts],
  };
}

/** Adds a phase of a day at the end, without rules and under a free name. */
export function addPhase(phases: readonly PhaseDraft[]): PhaseDraft[] {
  const taken = phases.map(({ name }) => name);
  const name = freshName(phases.length === 0 ? "First phase" : `Phase ${phases.length + 1}`, taken);
  const number = phases.reduce((most, { key }) => Math.max(most, Number(/^added (\d+)$/.exec(key)?.[1] ?? 0)), 0) + 1;
  const empty = { timeIntervalMs: DAY_MS, requiredReview: false, rules: toDraft([]), guardrailMetrics: [], guardrailAlerts: [] };
  return [...phases, { key: `added ${number}`, name, ...empty }];
}

/** Adds a rule whose audience has to be chosen. */
export const addPhaseRule = ({ rules }: PhaseDraft): RulesDraft => addRule(rules, { name: "Rule", needsAudience: true });

/** The phases with one moved. Places beyond the ends leave them as they are. */
export function movePhase(phases: readonly PhaseDraft[], from: number, to: number): readonly PhaseDraft[] {
  const phase = phases[from];
  return phase === undefined || phases[to] === undefined ? phases : phases.toSpliced(from, 1).toSpliced(to, 0, phase);
}

/** The faults for which the server would refuse the phases, each with its path in a request. */
export function faultsOfPhases(phases: readonly PhaseDraft[], stored: readonly StoredPhase[]): Fault[] {
  const error = (property: string, message: string): Fault => ({ property, message, level: "error" });
  const names = phases.map(({ name }) => name);
  const known = new Map(stored.map((phase) => [phase.id, partsOfPhase(phase)]));
  const faults = phases.flatMap((phase, index) => {
    const { name, rules, guardrailMetrics } = phase;
    const at = `phases[${index}]`;
    const others = names.toSpliced(index, 1);
    return [
      ...nameFaults(name, others).map((message) => error(`${at}.name`, message)),
      ...faultsOfRules(rules, known.get(phase.id ?? "")?.rules ?? [], 0).map((one) => ({ ...one, property: `${at}.${one.property}` })),
      ...guardrailMetrics.flatMap(({ guardrail }, place) =>
        guardrail === undefined ? [error(`${at}.guardrailMetrics[${place}].maxHarmPercent`, "Enter a percentage from 0 to 100.")] : [],
      ),
    ];
  });
  return phases.length > MAX_PHASES ? [...faults, error("phases", `Use at most ${MAX_PHASES} phases.`)] : faults;
}

function nameFaults(name: string, others: readonly string[]): string[] {
  if (name.trim() === "") return ["Enter a name."];
  if ([...name].length > MAX_NAME_LENGTH) return [`Use at most ${MAX_NAME_LENGTH} characters.`];
  return others.includes(name) ? ["Another phase has this name."] : [];
}
