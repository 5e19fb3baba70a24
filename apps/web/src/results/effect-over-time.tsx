import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { query, type Request } from "../api.ts";
import { changeAxis, numberAxis } from "../charts/axes.ts";
import { DayLine } from "../charts/day-line.tsx";
import entity from "../entity/entity.module.css";
import { explain } from "../explain.ts";
import { Section } from "../shell/page.tsx";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/choice.tsx";
import { Loading, Notice } from "../ui/notice.tsx";
import { type DayPoints, pointText, toDayPoints, trendText } from "./effect-words.ts";
import type { PulseMetric } from "./verdicts.ts";

type Props = {
  /** Of the experiment. */
  id: string;
  /** How the results are computed. */
  asked: Omit<NonNullable<Request<"getExperimentEffectByDay">["query"]>, "metricID">;
  metrics: readonly PulseMetric[];
  /** The names of the groups. */
  control: string;
  test: string;
};

/** A metric's effect on single days. It is computed on request. */
export function EffectOverTime(props: Props) {
  const [isAsked, setAsked] = useState(false);
  return (
    <Section
      title="Effect by day"
      description="The effect on each day alone. Shows whether it is stable, wears off (novelty) or grows (learning)."
      actions={!isAsked && <Button onPress={() => setAsked(true)}>Show effect by day</Button>}
    >
      {isAsked && <ByDay {...props} />}
    </Section>
  );
}

function ByDay({ id, asked: { control: controlID, test: testID, confidence }, metrics, control, test }: Props) {
  const [chosen, setChosen] = useState<string>();
  const metric = metrics.find(({ metricID }) => metricID === chosen) ?? metrics[0];
  const metricID = metric?.metricID ?? "";
  const given = { control: controlID, test: testID, metricID, ...(confidence !== undefined && { confidence }) };
  const { data, error } = useQuery(query("getExperimentEffectByDay", { path: { id }, query: given }));
  const { reason, trend, calendarDays = [], exposureDays = [], timeZone = "UTC" } = data?.data ?? {};
  const [result, ...details] = trend ? trendText(trend, { control, test }) : [];
  const name = metric?.metricName ?? metricID;
  const byDate = toDayPoints(calendarDays, ({ date }) => Date.parse(date));
  const byExposure = toDayPoints(exposureDays, ({ day }) => day);
  return (
    <>
      <div className={entity.row}>
        <Select
          label="Metric"
          options={metrics.map(({ metricID: one, metricName }) => ({ id: one, label: metricName }))}
          value={metricID}
          onChange={setChosen}
        />
      </div>
      {error && <Notice tone="bad">{explain(error)}</Notice>}
      {!data && !error && <Loading label="Computing the effect by day" />}
      {reason !== undefined && <Notice tone="info">{reason}</Notice>}
      {data && reason === undefined && (
        <>
          {result !== undefined && (
            <p>
              <strong>{result}</strong> <bdi>{details.join(" ")}</bdi>
            </p>
          )}
          <DayChart title={`Effect on ${name} by days since first exposure`} days={byExposure} timeZone={null} />
          <DayChart title={`Effect on ${name} by day`} days={byDate} timeZone={timeZone} />
          <p className={entity.soft}>
            Single days have no verdict, because some differ by chance. The chart by date includes users exposed by the end of that day. The
            chart by days since exposure includes users observed for the full 24 hours. CUPED, windows and winsorization don’t apply.
          </p>
        </>
      )}
    </>
  );
}

function DayChart({ title, days: { points, isPercent }, timeZone }: { title: string; days: DayPoints; timeZone: string | null }) {
  return (
    <DayLine
      column={isPercent ? "Change" : "Difference of the means"}
      axis={isPercent ? changeAxis : numberAxis}
      title={title}
      points={points}
      timeZone={timeZone}
      toText={(point) => pointText(point, isPercent)}
      empty="No complete days with data in both groups yet."
    />
  );
}
