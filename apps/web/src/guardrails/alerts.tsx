import { useState } from "react";
import type { Schema } from "../api.ts";
import entity from "../entity/entity.module.css";
import { Section } from "../shell/page.tsx";
import { Pager } from "../shell/pager.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Time } from "../ui/time.tsx";
import { Allowed, Found } from "./guardrail-numbers.tsx";
import { type Guarded, metricNameIn, type ShownAlert } from "./guardrail-words.ts";
import { type Resolution, ResolveAlert } from "./resolve-alert.tsx";

/** How many alerts a page has. */
export const ALERTS_SHOWN = 20;

type Props = {
  guarded: Guarded;
  alerts: readonly ShownAlert[];
  pagination: Schema<"Pagination">;
  onPage: (page: number) => void;
  /** Why the caller may not resolve alerts. */
  refusal: string | undefined;
  resolution: Resolution;
  /** Other consequences of a resolution. */
  consequence?: (metricID: string) => string;
};

/** The alerts that guardrails raised, newest first. Empty before the first one. */
export function Alerts({ guarded, alerts, pagination, onPage, refusal, resolution, consequence }: Props) {
  const [resolving, setResolving] = useState<string>();
  const { metrics, part, nameOfPart } = guarded;
  if (alerts.length === 0) return null;
  return (
    <Section
      title="Alerts"
      description="A metric got worse than its guardrail. You won’t get another alert while one is open. Intervals allow for hourly checks, so they’re wider than in the scorecard."
    >
      <div className={entity.scroll}>
        <table className={entity.table} aria-label="Alerts">
          <thead>
            <tr>
              <th scope="col">Raised</th>
              <th scope="col">Metric and {part}</th>
              <th scope="col">Change, with interval over all checks</th>
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
                  <bdi>{metricNameIn(metrics, alert.metricID)}</bdi>
                  <div className={entity.soft}>
                    <bdi>{nameOfPart(alert.partID)}</bdi>
                  </div>
                </td>
                <td>
                  <Found part={part} {...alert} />
                </td>
                <td>
                  <Allowed part={part} {...alert} />
                </td>
                <td>
                  {alert.resolvedTime === null ? (
                    <div className={entity.row}>
                      <Badge tone="bad">Open</Badge>
                      <Button
                        aria-label={`Resolve the alert on ${metricNameIn(metrics, alert.metricID)} for ${nameOfPart(alert.partID)}`}
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
      {pagination.totalItems > ALERTS_SHOWN && <Pager pagination={pagination} noun="alerts" onPage={onPage} />}
      {resolving !== undefined && (
        <ResolveAlert
          metricID={resolving}
          metric={metricNameIn(metrics, resolving)}
          part={part}
          names={alerts.flatMap(({ metricID, partID, resolvedTime }) =>
            metricID === resolving && resolvedTime === null ? [nameOfPart(partID)] : [],
          )}
          consequence={consequence?.(resolving)}
          resolution={resolution}
          onClose={() => setResolving(undefined)}
        />
      )}
    </Section>
  );
}

function Resolved({ alert: { resolvedBy, reasoning }, time }: { alert: ShownAlert; time: number }) {
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
