import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { query, type Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { useRefusal } from "../../session/account.ts";
import { explain } from "../../shell/explain.ts";
import { Section } from "../../shell/page.tsx";
import { Pager } from "../../shell/pager.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { Allowed, Found } from "./guardrail-numbers.tsx";
import { type GuardrailAlert, metricNameIn, ruleNameIn } from "./guardrail-words.ts";
import { REFRESH_MS } from "./guardrails.tsx";
import { ResolveAlert } from "./resolve-alert.tsx";

const SHOWN = 20;

type Props = { gate: Schema<"Gate"> };

/** The alerts that the gate's guardrails raised, newest first. Nothing before the first one. */
export function GuardrailAlerts({ gate }: Props) {
  const [page, setPage] = useState(1);
  const [resolving, setResolving] = useState<string>();
  const refusal = useRefusal()("launch_or_disable_configs");
  const { data, error } = useQuery({
    ...query("listGateAlerts", { path: { id: gate.id }, query: { limit: SHOWN, page } }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  const alerts = data?.data ?? [];
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (data === undefined || alerts.length === 0) return null;
  return (
    <Section title="Alerts" description="A metric got worse than its guardrail allows. While the alert is open, it is not raised again.">
      <div className={entity.scroll}>
        <table className={entity.table} aria-label="Alerts">
          <thead>
            <tr>
              <th scope="col">Raised</th>
              <th scope="col">Metric and rule</th>
              <th scope="col">Change, with its interval</th>
              <th scope="col">Guardrail</th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {alerts.map((alert) => (
              <tr key={alert.id}>
                <th scope="row">
                  <Time time={alert.raisedTime} />
                </th>
                <td>
                  <bdi>{metricNameIn(gate, alert.metricID)}</bdi>
                  <div className={entity.soft}>
                    <bdi>{ruleNameIn(gate, alert.ruleID)}</bdi>
                  </div>
                </td>
                <td>
                  <Found {...alert} />
                </td>
                <td>
                  <Allowed {...alert} />
                </td>
                <td>
                  {alert.resolvedTime === null ? (
                    <div className={entity.row}>
                      <Badge tone="bad">Open</Badge>
                      <Button
                        aria-label={`Resolve the alert of ${metricNameIn(gate, alert.metricID)} for ${ruleNameIn(gate, alert.ruleID)}`}
                        onPress={() => setResolving(alert.metricID)}
                        disabledReason={refusal}
                      >
                        Resolve
                      </Button>
                    </div>
                  ) : (
                    <Resolved alert={alert} time={alert.resolvedTime} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {data.pagination.totalItems > SHOWN && <Pager pagination={data.pagination} noun="alerts" onPage={setPage} />}
      {resolving !== undefined && (
        <ResolveAlert
          gate={gate}
          metricID={resolving}
          rules={alerts.flatMap(({ metricID, ruleID, resolvedTime }) => (metricID === resolving && resolvedTime === null ? [ruleID] : []))}
          onClose={() => setResolving(undefined)}
        />
      )}
    </Section>
  );
}

function Resolved({ alert: { resolvedBy, reasoning }, time }: { alert: GuardrailAlert; time: number }) {
  return (
    <>
      <Badge tone="good">Resolved</Badge>
      <div>
        <Time time={time} />
        {resolvedBy !== null && (
          <>
            {" by "}
            <bdi>{resolvedBy}</bdi>
          </>
        )}
      </div>
      {reasoning !== null && reasoning !== "" && (
        <div className={entity.soft}>
          <bdi>{reasoning}</bdi>
        </div>
      )}
    </>
  );
}
