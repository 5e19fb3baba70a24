import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { halfWidth, preciseChange } from "../results/digits.ts";
import { numberText } from "../results/verdicts.ts";
import { Section } from "../shell/page.tsx";
import styles from "../shell/rows.module.css";
import { metricLabels } from "../targeting/metric-id.ts";
import { Badge } from "../ui/badge.tsx";
import { Time } from "../ui/time.tsx";
import type { OpenGuardrailAlert } from "./open-alerts.ts";

type Props = { of: readonly OpenGuardrailAlert[]; actions?: ReactNode; children?: ReactNode };

/** Gates and experiments with open guardrail alerts. */
export function OpenAlertList({ of: alerts, actions, children }: Props) {
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const toLabel = metricLabels(alerts.map(({ metricID }) => metricID));
  return (
    <Section
      title="Open guardrail alerts"
      description="A metric of a gate or a running experiment got worse than its guardrail allows."
      actions={actions}
    >
      <ul className={styles.list}>
        {alerts.map(({ id, entityType, entityID, entityName, partID, partName, metricID, raisedTime, ...numbers }) => (
          <li key={id}>
            <span className={styles.name}>
              <Link
                to={entityType === "gate" ? "/projects/$projectID/gates/$id" : "/projects/$projectID/experiments/$id"}
                params={{ projectID, id: entityID }}
                search={{ tab: "results" }}
              >
                <bdi>{entityName}</bdi>
              </Link>
              <span className={styles.reason}>
                <bdi>{toLabel(metricID)}</bdi> {entityType === "gate" ? "for the rule" : "in"} <bdi>{partName ?? partID}</bdi>
                {numbers.percentChange !== undefined && `: ${preciseChange(numbers.percentChange, halfWidth(numbers.percentInterval))}%`}.
                At most {numberText(numbers.maxHarmPercent)}% worse is allowed.
              </span>
            </span>
            <Badge tone="bad">Guardrail alert</Badge>
            <span className={styles.soft}>
              since <Time time={raisedTime} />
            </span>
          </li>
        ))}
      </ul>
      {children}
    </Section>
  );
}
