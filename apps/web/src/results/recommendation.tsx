import type { Schema } from "../api.ts";
import entity from "../entity/entity.module.css";
import { Badge, type Tone } from "../ui/badge.tsx";
import { RECOMMENDATION_NAMES, type Recommended, SUPPORT_NAMES } from "./recommendation-words.ts";
import styles from "./results.module.css";

type Props = { scorecard: Schema<"ExperimentScorecard">; test: string; updates: number };

const TONES: Readonly<Record<Recommended, Tone>> = { ship: "good", dontShip: "bad", keepRunning: "off" };

/** Whether to ship the group, with the reasons. */
export function Recommendation({ scorecard: { recommendation, reasons }, test, updates }: Props) {
  return (
    <section className={entity.card} aria-label="Scorecard">
      <h2>
        <bdi>{RECOMMENDATION_NAMES[recommendation](test)}</bdi>
      </h2>
      <ul className={styles.reasons}>
        {reasons.map(({ code, supports, metricID = "", message }) => (
          <li key={`${code} ${metricID} ${message}`}>
            {supports && <Badge tone={TONES[supports]}>{SUPPORT_NAMES[supports]}</Badge>} <bdi>{message}</bdi>
          </li>
        ))}
      </ul>
      <p className={entity.soft}>
        Based on the experiment’s own settings. Results were updated {updates === 1 ? "once" : `${updates} times`}.
      </p>
    </section>
  );
}
