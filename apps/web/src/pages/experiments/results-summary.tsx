import type { Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { headline, leadingLine, leadingRow } from "../../results/headline.ts";
import { Reasons } from "../../results/recommendation.tsx";
import { RECOMMENDATION_NAMES } from "../../results/recommendation-words.ts";
import styles from "../../results/results.module.css";
import { runText } from "../../results/run-days.ts";
import type { ScoreGroup, ScoreRow } from "../../results/score-rows.ts";
import type { GuardrailBadge } from "../../results/score-table.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Time } from "../../ui/time.tsx";
import { HealthBadge, useHasFailed } from "./health.tsx";
import type { Experiment } from "./states.ts";

type Props = {
  experiment: Experiment;
  rows: readonly ScoreRow[];
  pulses: readonly { group: ScoreGroup; pulse: Schema<"ExperimentPulse"> }[];
  /** The name of the control group. */
  control: string;
  guardrail: (metricID: string, groupID: string) => GuardrailBadge | undefined;
};

/** What to conclude: the recommendation, the number that matters, failed guardrails, the health, and the days left. */
export function ResultsSummary({ experiment, rows, pulses, control, guardrail }: Props) {
  const hasFailed = useHasFailed(experiment.id);
  const leading = leadingRow(rows);
  const shown = pulses.find(({ group }) => leading && group.id === leadingLine(leading).group.id) ?? pulses[0];
  const [days, loadedTime] = [runText(experiment, Date.now()), latestTime(rows)];
  const failed = rows.filter(({ metricID, lines }) => lines.some(({ group }) => guardrail(metricID, group.id)?.hasFailed)).length;
  if (!shown) return null;
  const { scorecard, updates = 0 } = shown.pulse;
  const shipped = experiment.groups.find((group) => group.id === experiment.launchedGroupID);
  return (
    <section className={entity.card} aria-label="Summary">
      {(shipped || scorecard) && (
        <h2>
          <bdi>{shipped ? `Shipped ${shipped.name}` : scorecard && RECOMMENDATION_NAMES[scorecard.recommendation](shown.group.name)}</bdi>
        </h2>
      )}
      {rows.length > 0 && (
        <p className={styles.conclusion}>
          <bdi>{headline(rows, control, (metricID, groupID) => guardrail(metricID, groupID)?.hasFailed === true)}</bdi>
          {hasFailed && " A health check failed, so these results aren’t reliable."}
        </p>
      )}
      <p className={styles.numbers}>
        {failed > 0 && <Badge tone="bad">{failed === 1 ? "1 guardrail failed" : `${failed} guardrails failed`}</Badge>}
        <HealthBadge id={experiment.id} />
        {days !== "" && <span>{days}</span>}
        {loadedTime !== undefined && (
          <span>
            Computed <Time time={loadedTime} />
          </span>
        )}
      </p>
      {pulses.some(({ pulse }) => pulse.scorecard) && (
        <details>
          <summary>Reasons for the recommendation</summary>
          {pulses.map(({ group, pulse }) => pulse.scorecard && <Reasons key={group.id} scorecard={pulse.scorecard} test={group.name} />)}
          <p className={entity.soft}>
            Based on the experiment’s own settings. Results were updated {updates === 1 ? "once" : `${updates} times`}.
          </p>
        </details>
      )}
    </section>
  );
}

function latestTime(rows: readonly ScoreRow[]): number | undefined {
  const times = rows.flatMap(({ lines }) => lines.flatMap(({ metric }) => metric.loadedTime ?? []));
  return times.length === 0 ? undefined : Math.max(...times);
}
