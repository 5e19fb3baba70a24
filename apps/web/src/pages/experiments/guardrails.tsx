import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { call, query } from "../../api.ts";
import { explain } from "../../explain.ts";
import { ALERTS_SHOWN, Alerts } from "../../guardrails/alerts.tsx";
import { guardrailBadges } from "../../guardrails/guardrail-badges.ts";
import { GuardrailTable, REFRESH_MS } from "../../guardrails/guardrail-table.tsx";
import type { Resolution } from "../../guardrails/resolve-alert.tsx";
import { useRefusal } from "../../session/account.ts";
import { FoldedSection } from "../../shell/folded-section.tsx";
import { Loading, Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { toGuarded, toShown } from "./guardrail-words.ts";
import type { Experiment } from "./states.ts";

type Props = { experiment: Experiment };

const createResolution = (id: string): Resolution => ({
  resolve: (metricId, body) => call("resolveExperimentAlert", { path: { id, metricId }, body }),
  reads: ["listExperimentAlerts", "getExperimentGuardrails", "listGuardrailAlerts"],
});

/** The alerts that the experiment's guardrails raised. */
export function ExperimentAlerts({ experiment }: Props) {
  const { id } = experiment;
  const [page, setPage] = useState(1);
  const refusal = useRefusal()("launch_or_disable_configs");
  const resolution = useMemo(() => createResolution(id), [id]);
  const { data, error } = useQuery({
    ...query("listExperimentAlerts", { path: { id }, query: { limit: ALERTS_SHOWN, page } }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (data === undefined) return null;
  return (
    <Alerts
      guarded={toGuarded(experiment)}
      alerts={data.data.alerts.map(toShown)}
      pagination={data.pagination}
      onPage={setPage}
      refusal={refusal}
      resolution={resolution}
    />
  );
}

/** The findings of the last check of the experiment's guardrails. */
function useGuardrails(experiment: Experiment) {
  const guarded = toGuarded(experiment);
  const isGuarded = guarded.metrics.some(({ guardrail }) => guardrail !== undefined);
  const read = query("getExperimentGuardrails", { path: { id: experiment.id } });
  return { guarded, isGuarded, ...useQuery({ ...read, enabled: isGuarded, refetchInterval: REFRESH_MS }) };
}

/** The state of a metric's guardrail in a group. Undefined where the last check did not compare the group. */
export function useGuardrailBadges(experiment: Experiment) {
  const { guarded, data } = useGuardrails(experiment);
  return guardrailBadges(guarded, data?.data.guardrails.map(toShown) ?? []);
}

/** Results of the last check of the experiment's guardrails. Empty if it has no guardrails. */
export function ExperimentGuardrails({ experiment }: Props) {
  const { guarded, isGuarded, data, error, isPending } = useGuardrails(experiment);
  const checkedTime = data?.data.checkedTime ?? null;
  if (!isGuarded) return null;
  return (
    <FoldedSection
      title="Guardrail checks"
      description={
        <>
          Each group is compared with the control group every hour. Intervals allow for repeated checks, so they’re wider than in the
          scorecard. {checkedTime === null ? "Not checked yet." : "Last checked "}
          {checkedTime !== null && <Time time={checkedTime} />}
          {checkedTime !== null && "."}
        </>
      }
    >
      {error && <Notice tone="bad">{explain(error)}</Notice>}
      {isPending && <Loading label="Loading guardrails" />}
      {data && <GuardrailTable guarded={guarded} checks={data.data.guardrails.map(toShown)} />}
    </FoldedSection>
  );
}
