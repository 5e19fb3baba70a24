import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { call, query, type Schema } from "../../api.ts";
import { explain } from "../../explain.ts";
import { ALERTS_SHOWN, Alerts } from "../../guardrails/alerts.tsx";
import { REFRESH_MS } from "../../guardrails/guardrail-table.tsx";
import type { Resolution } from "../../guardrails/resolve-alert.tsx";
import { useRefusal } from "../../session/account.ts";
import { Notice } from "../../ui/notice.tsx";
import { afterResolving, toGuarded, toShown } from "./guardrail-words.ts";

const createResolution = (id: string): Resolution => ({
  resolve: (metricId, body) => call("resolveGateAlert", { path: { id, metricId }, body }),
  reads: ["getGate", "listGateAlerts", "listGuardrailAlerts", "getGateGuardrails", "listGates", "listGateVersions", "listChanges"],
});

/** The alerts that the gate's guardrails raised. */
export function GuardrailAlerts({ gate }: { gate: Schema<"Gate"> }) {
  const [page, setPage] = useState(1);
  const refusal = useRefusal()("launch_or_disable_configs");
  const resolution = useMemo(() => createResolution(gate.id), [gate.id]);
  const { data, error } = useQuery({
    ...query("listGateAlerts", { path: { id: gate.id }, query: { limit: ALERTS_SHOWN, page } }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (data === undefined) return null;
  return (
    <Alerts
      guarded={toGuarded(gate)}
      alerts={data.data.map(toShown)}
      pagination={data.pagination}
      onPage={setPage}
      refusal={refusal}
      resolution={resolution}
      consequence={(metricID) => afterResolving(gate, metricID)}
    />
  );
}
