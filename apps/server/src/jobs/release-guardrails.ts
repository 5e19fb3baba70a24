import { metricID } from "../console/common/named.ts";
import { currentPhase, type Phase, type Release } from "../console/releases/release.ts";
import type { Stores } from "../console/stores.ts";

type Broken = Pick<Release["breaches"][number], "kind" | "id" | "reason">;

/** The guardrails of the current phase that are broken. */
export async function findBroken(stores: Stores, release: Release, phases: readonly Phase[]): Promise<Broken[]> {
  return [...(await findHarmed(stores, release, phases)), ...(await findRaised(stores, currentPhase(release, phases)))];
}

/** Whether the metrics of the current phase have not been checked since it began. */
export async function isUnchecked({ gates }: Stores, release: Release, phases: readonly Phase[]): Promise<boolean> {
  const { gateID, currentPhaseID } = release;
  if (gateID === undefined || metricsOf(currentPhase(release, phases)).length === 0) return false;
  const { checkedTime } = await gates.guardrails.lastCheck(gateID);
  return (checkedTime ?? 0) < startOf(release, currentPhaseID);
}

/** The metrics of the current phase, as guardrails that nobody could check. */
export function uncheckedMetrics(release: Release, phases: readonly Phase[]): Broken[] {
  const reason = "The metric was not checked during the phase. The server's log says why.";
  return metricsOf(currentPhase(release, phases)).map((id) => ({ kind: "METRIC", id, reason }));
}

/** The metrics that the last check since the phase began found beyond their limits. */
async function findHarmed(stores: Stores, release: Release, phases: readonly Phase[]): Promise<Broken[]> {
  const metrics = new Set(metricsOf(currentPhase(release, phases)));
  const { gateID } = release;
  if (gateID === undefined || metrics.size === 0 || (await isUnchecked(stores, release, phases))) return [];
  const { guardrails } = await stores.gates.guardrails.lastCheck(gateID);
  const beyond = guardrails.filter((check) => check.isBeyond && metrics.has(check.metricID));
  if (beyond.length === 0) return [];
  const gate = await stores.gates.find(gateID);
  const nameOf = (ruleID: string) => gate?.rules.find(({ id }) => id === ruleID)?.name ?? ruleID;
  return beyond.map(({ metricID: id, ruleID, maxHarmPercent }) => ({
    kind: "METRIC",
    id,
    reason: `The metric is worse by more than ${maxHarmPercent}% for units that pass the rule “${nameOf(ruleID)}”.`,
  }));
}

async function findRaised({ alerts }: Stores, { guardrailAlerts = [] }: Partial<Phase> = {}): Promise<Broken[]> {
  const states = await alerts.checks.find(guardrailAlerts);
  return guardrailAlerts.flatMap((id) => {
    const state = states.get(id);
    if (state?.status !== "alert") return [];
    return [{ kind: "ALERT", id, reason: state.statusReason ?? "The alert is raised." }];
  });
}

function metricsOf({ guardrailMetrics = [] }: Partial<Phase> = {}): string[] {
  return guardrailMetrics.map(metricID);
}

function startOf({ phases }: Release, phaseID: string | null): number {
  return phases.find((one) => one.phaseID === phaseID)?.startTime ?? 0;
}
