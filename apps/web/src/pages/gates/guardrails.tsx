import { useQuery } from "@tanstack/react-query";
import { query, type Schema } from "../../api.ts";
import { explain } from "../../explain.ts";
import { guardrailBadges } from "../../guardrails/guardrail-badges.ts";
import { GuardrailTable, REFRESH_MS } from "../../guardrails/guardrail-table.tsx";
import { MonitoringMetricsLink } from "../../results/monitoring.tsx";
import { FoldedSection } from "../../shell/folded-section.tsx";
import { Section } from "../../shell/page.tsx";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { toGuarded, toShown } from "./guardrail-words.ts";

type Props = { gate: Schema<"Gate"> };

/** The findings of the last check of the gate's guardrails. */
function useGuardrails(gate: Schema<"Gate">) {
  const isGuarded = gate.monitoringMetrics.some(({ guardrail }) => guardrail !== undefined);
  const read = query("getGateGuardrails", { path: { id: gate.id } });
  return { isGuarded, ...useQuery({ ...read, enabled: isGuarded, refetchInterval: REFRESH_MS }) };
}

/** The state of a metric's guardrail for a rule. Undefined where the last check did not compare it. */
export function useGuardrailBadges(gate: Schema<"Gate">) {
  const { data } = useGuardrails(gate);
  return guardrailBadges(toGuarded(gate), data?.data.guardrails.map(toShown) ?? []);
}

/** Results of the last check of the gate's guardrails, or how to set one. */
export function Guardrails({ gate }: Props) {
  const { isGuarded, data, error, isPending } = useGuardrails(gate);
  const checkedTime = data?.data.checkedTime ?? null;
  if (!isGuarded)
    return (
      <Section title="Guardrails">
        <Empty title="No guardrails" action={<MonitoringMetricsLink>Set a guardrail</MonitoringMetricsLink>}>
          Get an alert, and pause automated rollouts, when a metric gets significantly worse for users who pass. Set guardrails next to the
          monitoring metrics.
        </Empty>
      </Section>
    );
  return (
    <FoldedSection
      title="Guardrail checks"
      description={
        <>
          Users who pass a rule are compared with users who fail it every hour. Intervals allow for repeated checks, so they’re wider than
          in the scorecard. {checkedTime === null ? "Not checked yet." : "Last checked "}
          {checkedTime !== null && <Time time={checkedTime} />}
          {checkedTime !== null && "."}
        </>
      }
    >
      {error && <Notice tone="bad">{explain(error)}</Notice>}
      {isPending && <Loading label="Loading guardrails" />}
      {data && <GuardrailTable guarded={toGuarded(gate)} checks={data.data.guardrails.map(toShown)} />}
    </FoldedSection>
  );
}
