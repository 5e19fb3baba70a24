import { Fragment, type Ref } from "react";
import { percentage } from "../charts/format.ts";
import { Badge, type Tone } from "../ui/badge.tsx";
import { formatNumber } from "../ui/number-text.ts";
import { ExplainedNumber } from "./explained-number.tsx";
import { differenceTexts, percentChangeTexts } from "./means.ts";
import { OBSERVED_MEANING, VERDICT_MEANING } from "./number-meanings.ts";
import { PulseNumberValue } from "./pulse-number.tsx";
import { AxisLabels, LiftBar } from "./score-axis.tsx";
import { hasBeyond, type LiftAxis, liftAxis, observedText, ROLE_NAMES, type ScoreLine, type ScoreRow } from "./score-rows.ts";
import styles from "./score-table.module.css";
import { differenceSize, unitOf } from "./units.ts";
import { VERDICT_TONES } from "./verdict-badges.ts";
import { decidedText, numberText, type PulseMetric, pText, toVerdict, verdictText } from "./verdicts.ts";

/** The state of a guardrail in a group. */
export type GuardrailBadge = { hasFailed: boolean; tone: Tone; text: string };

type Props = {
  rows: readonly ScoreRow[];
  /** Name of the group that the others are compared with. */
  control: string;
  /** The finding of the last guardrail check. Undefined without one. */
  guardrail: (metricID: string, groupID: string) => GuardrailBadge | undefined;
  /** To the element around the table. */
  ref?: Ref<HTMLDivElement>;
};

const COLUMNS = ["Metric", "Group", "Value", "Change", "Interval", "Verdict", "Minimum detectable effect"] as const;

/** Every metric with every group, with the changes on one axis. */
export function ScoreTable({ rows, control, guardrail, ref }: Props) {
  const axis = liftAxis(rows);
  return (
    <div className={styles.scroll} ref={ref}>
      <table className={styles.table} aria-label="Scorecard">
        <colgroup>
          {COLUMNS.map((column) => (
            <col key={column} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                {column}
                {column === "Interval" && (
                  <>
                    {" of the change from "}
                    <bdi>{control}</bdi>
                    <AxisLabels axis={axis} />
                  </>
                )}
              </th>
            ))}
          </tr>
        </thead>
        {rows.map((row, index) => (
          <Fragment key={row.metricID}>
            {row.role !== rows[index - 1]?.role && (
              <tbody>
                <tr>
                  <th className={styles.role} colSpan={COLUMNS.length} scope="rowgroup">
                    {ROLE_NAMES[row.role]}
                  </th>
                </tr>
              </tbody>
            )}
            <MetricRows row={row} control={control} axis={axis} guardrail={guardrail} />
          </Fragment>
        ))}
      </table>
      {hasBeyond(axis, rows) && (
        <p className={`${styles.soft} ${styles.note}`}>Arrows mark changes and intervals that go beyond the axis.</p>
      )}
    </div>
  );
}

type RowProps = Omit<Props, "rows" | "ref"> & { row: ScoreRow; axis: LiftAxis };

/** The control group's value, and a line for each other group. */
function MetricRows({ row, control, axis, guardrail }: RowProps) {
  const { metricID, metricName, lines, maxHarmPercent } = row;
  const [{ metric: first }] = lines;
  return (
    <tbody className={styles.metric}>
      <tr className={styles.control}>
        <th className={styles.name} rowSpan={lines.length + 1} scope="rowgroup">
          <bdi>{metricName}</bdi>
          <div className={styles.soft}>{first.directionality === "increase" ? "Higher is better" : "Lower is better"}</div>
          {maxHarmPercent !== undefined && <div className={styles.soft}>At most {numberText(maxHarmPercent)}% worse</div>}
        </th>
        <th className={styles.group} scope="row">
          <bdi>{control}</bdi>
          {control.toLowerCase() !== "control" && <div className={styles.soft}>Control</div>}
        </th>
        <ValueCell group="control" metric={first} />
        <td className={styles.lift} />
        <td className={styles.interval}>
          <LiftBar axis={axis} />
        </td>
        <td className={styles.verdict} />
        <td className={styles.effect} />
      </tr>
      {lines.map((line) => (
        <GroupRow key={line.group.id} line={line} axis={axis} limit={maxHarmPercent} guardrail={guardrail(metricID, line.group.id)} />
      ))}
    </tbody>
  );
}

type GroupProps = { line: ScoreLine; axis: LiftAxis; limit: number | undefined; guardrail: GuardrailBadge | undefined };

function GroupRow({ line: { group, metric }, axis, limit, guardrail }: GroupProps) {
  return (
    <tr>
      <th className={styles.group} scope="row">
        <bdi>{group.name}</bdi>
      </th>
      <ValueCell group="test" metric={metric} />
      <td className={styles.lift}>
        <Lift metric={metric} />
      </td>
      <td className={styles.interval}>
        <LiftBar axis={axis} metric={metric} maxHarmPercent={limit} />
      </td>
      <td className={styles.verdict}>
        <Verdict metric={metric} />
        {guardrail && <Badge tone={guardrail.tone}>{guardrail.text}</Badge>}
      </td>
      <td className={styles.effect}>
        <DetectableEffect metric={metric} />
      </td>
    </tr>
  );
}

function ValueCell({ group, metric }: { group: "control" | "test"; metric: PulseMetric }) {
  const [text, units] = [observedText(group, metric), metric[`${group}Units`]];
  return (
    <td className={styles.value}>
      {text !== undefined && <ExplainedNumber meaning={OBSERVED_MEANING} text={text} />}
      {units !== undefined && <div className={styles.soft}>{formatNumber(units)} units</div>}
    </td>
  );
}

function Lift({ metric }: { metric: PulseMetric }) {
  const { percentChange, absoluteChange, sequentialTestingConfidenceIntervalDelta: sequential } = metric;
  if (absoluteChange === undefined) return null;
  if (percentChange === undefined) {
    const { difference, interval } = differenceTexts(metric);
    return (
      <>
        <PulseNumberValue number="absoluteChange" metric={metric} text={difference} />{" "}
        <PulseNumberValue number="absoluteInterval" metric={metric} text={interval} />
      </>
    );
  }
  const { change, interval } = percentChangeTexts(metric);
  return (
    <>
      <strong>
        <PulseNumberValue number="percentChange" metric={metric} text={change} />
      </strong>
      <div>
        {interval === undefined ? (
          "No interval: the control mean may be 0."
        ) : (
          <PulseNumberValue
            number={sequential === undefined ? "percentInterval" : "sequentialPercentInterval"}
            metric={metric}
            text={interval}
          />
        )}
      </div>
    </>
  );
}

function Verdict({ metric }: { metric: PulseMetric }) {
  const { reason, verdict, bayesian, pValue } = metric;
  const decidingP = verdict?.pValue ?? pValue;
  const text = verdictText(metric);
  const notes = [reason ?? verdict?.reason, decidedText(metric)].filter((note) => note !== undefined);
  return (
    <>
      <ExplainedNumber meaning={VERDICT_MEANING} text={text}>
        <Badge tone={VERDICT_TONES[toVerdict(metric)]}>{text}</Badge>
      </ExplainedNumber>
      {verdict?.test === "bayesian" && bayesian !== undefined ? (
        <div className={styles.soft}>
          <PulseNumberValue
            number="bayesian.chanceToBeat"
            metric={metric}
            text={`${percentage(100 * bayesian.chanceToBeat)} to be better`}
          />
        </div>
      ) : (
        decidingP !== undefined && (
          <div className={styles.soft}>
            <PulseNumberValue
              number={decidingP === pValue ? "pValue" : "verdict.pValue"}
              metric={metric}
              text={decidingP < 0.0001 ? `p ${pText(decidingP)}` : `p = ${pText(decidingP)}`}
            />
          </div>
        )
      )}
      {notes.map((note) => (
        <div key={note} className={styles.soft}>
          {note}
        </div>
      ))}
    </>
  );
}

/** The smallest effect that the test finds with the data so far. */
function DetectableEffect({ metric }: { metric: PulseMetric }) {
  const { minimumDetectableEffect: size, percentMinimumDetectableEffect: percent } = metric;
  if (size === undefined) return null;
  const text =
    percent === undefined ? differenceSize(size, undefined, unitOf(metric)) : `${formatNumber(percent, { maximumSignificantDigits: 3 })}%`;
  return (
    <PulseNumberValue
      number={percent === undefined ? "minimumDetectableEffect" : "percentMinimumDetectableEffect"}
      metric={metric}
      text={text}
    />
  );
}
