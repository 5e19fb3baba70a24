import entity from "../entity/entity.module.css";
import { Badge } from "../ui/badge.tsx";
import { Time } from "../ui/time.tsx";
import { headline } from "./headline.ts";
import styles from "./results.module.css";
import { monitoringRows } from "./score-rows.ts";
import type { GuardrailBadge } from "./score-table.tsx";
import type { PulseMetric } from "./verdicts.ts";

type Props = {
  metrics: readonly PulseMetric[];
  /** The groups as subjects of sentences. */
  words: { controlDeed: string; testDeed: string };
  limits: ReadonlyMap<string, number>;
  guardrail: (metricID: string) => GuardrailBadge | undefined;
};

/** What to conclude about a rule or holdout: the number that matters, and the state of its guardrails. */
export function MonitoringSummary({ metrics, words: { controlDeed, testDeed }, limits, guardrail }: Props) {
  const inSentence = `${testDeed.slice(0, 1).toLowerCase()}${testDeed.slice(1)}`;
  const rows = monitoringRows(metrics, { id: testDeed, name: testDeed, inSentence }, limits);
  const badges = rows.flatMap(({ metricID }) => guardrail(metricID) ?? []);
  const failed = badges.filter(({ hasFailed }) => hasFailed).length;
  const times = metrics.flatMap(({ loadedTime }) => loadedTime ?? []);
  return (
    <section className={entity.card} aria-label="Summary">
      <p className={styles.conclusion}>
        <bdi>{headline(rows, controlDeed, (metricID) => guardrail(metricID)?.hasFailed === true)}</bdi>
      </p>
      <p className={styles.numbers}>
        {badges.length > 0 && <Badge tone={failed > 0 ? "bad" : "good"}>{guardrailsText(failed, badges.length)}</Badge>}
        {times.length > 0 && (
          <span>
            Computed <Time time={Math.max(...times)} />
          </span>
        )}
      </p>
    </section>
  );
}

function guardrailsText(failed: number, checked: number): string {
  const count = failed > 0 ? failed : checked;
  return `${count} ${count === 1 ? "guardrail" : "guardrails"} ${failed > 0 ? "failed" : "within the limit"}`;
}
