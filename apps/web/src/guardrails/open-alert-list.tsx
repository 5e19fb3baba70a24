import { Link, useParams } from "@tanstack/react-router";
import { halfWidth, preciseChange } from "../results/digits.ts";
import { numberText } from "../results/verdicts.ts";
import { Section } from "../shell/page.tsx";
import styles from "../shell/rows.module.css";
import { Badge } from "../ui/badge.tsx";
import { Time } from "../ui/time.tsx";
import type { OpenGuardrailAlert } from "./open-alerts.ts";

/** Experiments whose guardrails raised alerts that nobody has resolved. */
export function OpenAlertList({ of: alerts }: { of: readonly OpenGuardrailAlert[] }) {
  const { projectID } = useParams({ from: "/projects/$projectID" });
  return (
    <Section title="Open guardrail alerts" description="A metric of a running experiment got worse than its guardrail allows.">
      <ul className={styles.list}>
        {alerts.map(({ experiment: { id, name }, metric, group, alert }) => (
          <li key={alert.id}>
            <span className={styles.name}>
              <Link to="/projects/$projectID/experiments/$id" params={{ projectID, id }} search={{ tab: "results" }}>
                <bdi>{name}</bdi>
              </Link>
              <span className={styles.reason}>
                <bdi>{metric}</bdi> in <bdi>{group}</bdi>
                {alert.percentChange !== undefined && `: ${preciseChange(alert.percentChange, halfWidth(alert.percentInterval))}%`}. At most{" "}
                {numberText(alert.maxHarmPercent)}% worse is allowed.
              </span>
            </span>
            <Badge tone="bad">Guardrail alert</Badge>
            <span className={styles.soft}>
              since <Time time={alert.raisedTime} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
