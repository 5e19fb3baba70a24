import type { Schema } from "../../api.ts";
import { EntityLink } from "../../shell/entity-link.tsx";
import { Section } from "../../shell/page.tsx";
import { metricLabels } from "../../targeting/metric-id.ts";
import { Badge } from "../../ui/badge.tsx";
import { Time } from "../../ui/time.tsx";
import styles from "./home.module.css";

type Alert = Schema<"Alert">;

export const isOpen = ({ status }: Pick<Alert, "status">): boolean => status === "alert" || status === "warn";

/** Alerts whose condition holds now. */
export function OpenAlerts({ of: alerts }: { of: readonly Alert[] }) {
  const toLabel = metricLabels(alerts.map(({ metrics }) => metrics.A.id));
  return (
    <Section title="Open alerts">
      <ul className={styles.list}>
        {alerts.map(({ id, name, metrics: { A: metric }, status, statusReason, lastTriggeredTime }) => (
          <li key={id}>
            <span className={styles.name}>
              <EntityLink type="alert" id={id} name={name ?? id} />
              {statusReason !== null && <span className={styles.reason}>{statusReason.replace(metric.id, toLabel(metric.id))}</span>}
            </span>
            <Badge tone={status === "alert" ? "bad" : "warn"}>{status === "alert" ? "Alert" : "Warning"}</Badge>
            {lastTriggeredTime !== null && (
              <span className={styles.soft}>
                since <Time time={lastTriggeredTime} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
