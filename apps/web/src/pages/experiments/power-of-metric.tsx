import type { ReactNode } from "react";
import type { Schema, WritableSchema } from "../../api.ts";
import { axisOf } from "../../charts/axes.ts";
import { DayLine } from "../../charts/day-line.tsx";
import { exact } from "../../charts/format.ts";
import entity from "../../entity/entity.module.css";
import { ExplainedNumber } from "../../results/explained-number.tsx";
import { POWER_MEANINGS } from "../../results/other-meanings.ts";
import styles from "../../results/results.module.css";
import { numberText } from "../../results/verdicts.ts";
import { Snippet } from "../../ui/copy.tsx";
import { lookSentence, neededSentence, plannedDay, pointsOfPower, powerSentence, trafficSentence } from "./power.ts";

type PowerDay = Schema<"PowerDay">;
type Props = {
  request: WritableSchema<"PowerRequest">;
  power: Schema<"Power">;
  /** In days. */
  duration: number;
  /** Of the experiment, ms since the epoch. */
  start: number;
};

/** How many users and days a metric needs for a change, and the smallest detectable change by day. */
export function PowerOfMetric({ request, power, duration, start }: Props) {
  const { metric, effect } = request;
  const { name } = metric;
  const planned = plannedDay(power, duration);
  const points = pointsOfPower(power);
  const byDay = new Map(power.days.map((day) => [day.day, day]));
  const needed = effect === undefined ? undefined : neededSentence(name, effect, power, start);
  const sentence = powerSentence(name, power, duration);
  const [looks, traffic] = [lookSentence(power, duration), trafficSentence(request, power, duration)];
  return (
    <>
      {needed !== undefined && (
        <p className={styles.conclusion}>
          <bdi>{needed}</bdi>
        </p>
      )}
      <p className={needed === undefined ? styles.conclusion : undefined}>
        <bdi>{sentence}</bdi> {looks}
      </p>
      {points.length > 0 && (
        <DayLine
          column="Smallest detectable change"
          axis={axisOf((percent) => `${numberText(percent)}%`)}
          title={`Smallest detectable change in ${name}`}
          points={points}
          timeZone={null}
          toText={({ time, value }) =>
            `${numberText(value)}%, with ${exact(Math.round(byDay.get(time)?.unitsPerGroup ?? 0))} users in the smallest group${byDay.get(time)?.isForecast ? " (forecast)" : ""}`
          }
          empty=""
        />
      )}
      {traffic !== undefined && <p className={entity.soft}>{traffic}</p>}
      {planned && (
        <details>
          <summary>
            Numbers and SQL for <bdi>{name}</bdi>
          </summary>
          <Numbers day={planned} />
          {power.sql !== undefined && <Snippet label={`SQL for ${name}`} text={power.sql} />}
        </details>
      )}
    </>
  );
}

type Explained = Exclude<keyof PowerDay, "isForecast">;

/** The numbers of the planned day, each explained. */
function Numbers({ day }: { day: PowerDay }): ReactNode {
  const shown = (of: Explained, words: string, unit = "") => {
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
      {shown("unitsPerGroup", "Users in the smallest group")}
      {shown("mean", "Mean")}
      {shown("standardDeviation", "Standard deviation")}
      {shown("absoluteEffect", "Smallest detectable difference")}
      {shown("effect", "Smallest detectable change", "%")}
      {shown("absoluteSequentialEffect", "Smallest detectable difference for an early end")}
      {shown("sequentialEffect", "Smallest detectable change for an early end", "%")}
    </ul>
  );
}
