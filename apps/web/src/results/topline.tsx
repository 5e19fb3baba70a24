import entity from "../entity/entity.module.css";
import { ExplainedNumber } from "./explained-number.tsx";
import { PULSE_MEANINGS } from "./number-meanings.ts";
import styles from "./results.module.css";
import { type ToplineRow, toplineRows } from "./topline-impact.ts";
import type { PulseMetric } from "./verdicts.ts";

export type ToplineWords = { now: string; everybody: string };

type Props = {
  metrics: readonly PulseMetric[];
  /** The columns: the units with the impact now, and the case that everyone has it. */
  words: ToplineWords;
};

/** The test group's change of each whole metric per day, now and if everyone had it. Empty without a comparison. */
export function Topline({ metrics, words }: Props) {
  const rows = toplineRows(metrics);
  if (rows.length === 0) return null;
  return (
    <div className={entity.scroll}>
      <table className={entity.table} aria-label="Topline impact">
        <caption className={styles.caption}>Topline impact per day</caption>
        <thead>
          <tr>
            <th scope="col">Metric</th>
            <th scope="col">
              <bdi>{words.now}</bdi>
            </th>
            <th scope="col">
              <bdi>{words.everybody}</bdi>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.metricID}>
              <th scope="row">
                <bdi>{row.metricName}</bdi>
              </th>
              <ImpactCell row={row} impact="now" reason={row.reason} />
              <ImpactCell row={row} impact="projected" reason={row.now && !row.projected ? row.reason : undefined} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const NUMBERS = {
  now: { absolute: "absoluteToplineImpact", relative: "relativeToplineImpact" },
  projected: { absolute: "projectedAbsoluteToplineImpact", relative: "projectedRelativeToplineImpact" },
} as const;

type CellProps = { row: ToplineRow; impact: keyof typeof NUMBERS; reason: string | undefined };

function ImpactCell({ row, impact, reason }: CellProps) {
  const { absolute, relative } = row[impact] ?? {};
  const explained = (of: "absolute" | "relative", text: string) => (
    <ExplainedNumber meaning={PULSE_MEANINGS[NUMBERS[impact][of]]} text={text} worked={row.worked} />
  );
  return (
    <td>
      {absolute !== undefined && explained("absolute", absolute)}
      {relative !== undefined && <div className={entity.soft}>{explained("relative", relative)}</div>}
      {relative === undefined && reason !== undefined && <div className={entity.soft}>{reason}</div>}
    </td>
  );
}
