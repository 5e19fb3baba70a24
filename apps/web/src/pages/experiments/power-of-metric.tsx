import type { ReactNode } from "react";
import type { Schema } from "../../api.ts";
import { numberAxis } from "../../charts/axes.ts";
import { DayLine } from "../../charts/day-line.tsx";
import { ExplainedNumber } from "../../results/explained-number.tsx";
import { POWER_MEANINGS } from "../../results/other-meanings.ts";
import styles from "../../results/results.module.css";
import { numberText } from "../../results/verdicts.ts";
import { Snippet } from "../../ui/copy.tsx";
import { lookSentence, neededSentence, plannedDay, pointsOfPower, powerSentence } from "./power.ts";

type PowerDay = Schema<"PowerDay">;
type Props = {
  metric: string;
  power: Schema<"Power">;
  /** The planned effect, in percent. */
  effect: number | undefined;
  /** In days. */
  duration: number;
};

/** The smallest change of a metric that the experiment would find, by its last day. */
export function PowerOfMetric({ metric, power, effect, duration }: Props) {
  const planned = plannedDay(power, duration);
  const points = pointsOfPower(power);
  const byDay = new Map(power.days.map((day) => [day.day, day]));
  const needed = effect === undefined ? undefined : neededSentence(effect, power);
  const sentence = powerSentence(metric, power, duration);
  const looks = lookSentence(power, duration);
  return (
    <>
      <p className={styles.conclusion}>
        <bdi>{sentence}</bdi>
      </p>
      {looks !== undefined && <p>{looks}</p>}
      {needed !== undefined && needed !== sentence && <p>{needed}</p>}
      {planned && <Numbers day={planned} />}
      {points.length > 0 && (
        <DayLine
          column="Smallest detectable change"
          axis={numberAxis}
          title={`Smallest detectable change in ${metric}`}
          points={points}
          timeZone={null}
          toText={({ time, value }) =>
            `${numberText(value)}%, with ${numberText(Math.round(byDay.get(time)?.unitsPerGroup ?? 0))} units in the smallest group`
          }
          empty=""
        />
      )}
      {power.sql !== undefined && <Snippet label={`SQL of the units of ${metric}`} text={power.sql} />}
    </>
  );
}

/** The numbers of the planned day, each explained. */
function Numbers({ day }: { day: PowerDay }): ReactNode {
  const shown = (of: keyof PowerDay, words: string, unit = "") => {
    const value = day[of];
    return (
      value !== undefined && (
        <li>
          {words}:{" "}
          <ExplainedNumber meaning={POWER_MEANINGS[of]} text={`${numberText(of === "unitsPerGroup" ? Math.round(value) : value)}${unit}`} />
        </li>
      )
    );
  };
  return (
    <ul className={styles.numbers}>
      {shown("day", "Day")}
      {shown("unitsPerGroup", "Units in the smallest group")}
      {shown("mean", "Mean")}
      {shown("standardDeviation", "Standard deviation")}
      {shown("absoluteEffect", "Smallest detectable difference")}
      {shown("effect", "Smallest detectable change", "%")}
      {shown("absoluteSequentialEffect", "Smallest detectable difference for an early end")}
      {shown("sequentialEffect", "Smallest detectable change for an early end", "%")}
    </ul>
  );
}
