import type { Schema } from "../api.ts";
import { Badge } from "../ui/badge.tsx";
import { RECOMMENDATION_NAMES, RECOMMENDATION_TONES, SUPPORT_NAMES } from "./recommendation-words.ts";
import styles from "./results.module.css";

type Props = {
  scorecard: Schema<"ExperimentScorecard">;
  /** The name of the group. */
  test: string;
};

/** Whether to ship the group, with the reasons. */
export function Reasons({ scorecard: { recommendation, reasons }, test }: Props) {
  return (
    <>
      <h3>
        <bdi>{test}</bdi>: <bdi>{RECOMMENDATION_NAMES[recommendation](test)}</bdi>
      </h3>
      <ul className={styles.reasons}>
        {reasons.map(({ code, supports, metricID = "", message }) => (
          <li key={`${code} ${metricID} ${message}`}>
            {supports && <Badge tone={RECOMMENDATION_TONES[supports]}>{SUPPORT_NAMES[supports]}</Badge>} <bdi>{message}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}
