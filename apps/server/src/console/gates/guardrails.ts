import type { Schema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { nextRollout } from "../common/rollout.ts";
import { type Gate, touched } from "./gate.ts";

export type GuardrailCheck = Schema<"GuardrailCheck">;

/** The gate with its automated rollouts paused by metrics beyond their guardrails; undefined if they are paused already. */
export function pausedGate(gate: Gate, checks: readonly GuardrailCheck[], context: Context): Gate | undefined {
  const before = gate.pausedBy ?? [];
  const added = checks.filter(
    (check) =>
      check.isBeyond &&
      check.pausesRollouts &&
      !before.some(({ ruleID, metricID: id }) => ruleID === check.ruleID && id === check.metricID),
  );
  if (added.length === 0 || (before.length === 0 && nextRollout(gate.rules) === null)) return undefined;
  const pauses = added.map(({ ruleID, metricID: id }) => ({ ruleID, metricID: id, pausedTime: context.now }));
  return { ...gate, pausedBy: [...before, ...pauses], ...touched(gate, context) };
}

/**
 * The gate once a metric no longer pauses its rollouts; undefined if it does not pause them. Rollouts without another pause are moved by
 * the time that they were paused, so that they keep their order and distance.
 */
export function resumedGate(gate: Gate, resolved: string, context: Context): Gate | undefined {
  const { pausedBy = [], ...rest } = gate;
  const left = pausedBy.filter((pause) => pause.metricID !== resolved);
  if (left.length === pausedBy.length) return undefined;
  if (left.length > 0) return { ...gate, pausedBy: left, ...touched(gate, context) };
  const paused = context.now - Math.min(...pausedBy.map(({ pausedTime }) => pausedTime));
  const rules = gate.rules.map(({ pendingAutomatedRollouts: pending, ...rule }) =>
    pending ? { ...rule, pendingAutomatedRollouts: pending.map((one) => ({ ...one, time: one.time + paused })) } : rule,
  );
  return { ...rest, rules, ...touched(gate, context) };
}
