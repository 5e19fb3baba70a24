import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { query, type Schema } from "../../api.ts";
import { numberAxis } from "../../charts/axes.ts";
import { DayLine } from "../../charts/day-line.tsx";
import { counted, exact } from "../../charts/format.ts";
import { explain } from "../../explain.ts";
import { ExplainedNumber } from "../../results/explained-number.tsx";
import { PREVIEW_MEANINGS } from "../../results/other-meanings.ts";
import { valueText } from "../../results/units.ts";
import { Section } from "../../shell/page.tsx";
import { Snippet } from "../../ui/copy.tsx";
import { Loading, Notice } from "../../ui/notice.tsx";
import { type MetricDraft, toPreviewRequest } from "./metric-draft.ts";

/** Typing is over after this time without a change. */
const PAUSE_MS = 600;

type Props = {
  draft: MetricDraft;
  /** Whether the definition cannot be computed until it is mended. */
  isIncomplete: boolean;
};

const OF_EVENTS = "each from the events of that day alone: windows and winsorization apply to results only.";
const OF_USERS = "each with the days before it that its window has: a number of users, or for stickiness a ratio of two.";

/** The values of the metric on the last days, as it is edited. */
export function Preview({ draft, isIncomplete }: Props) {
  const body = useSettled(JSON.stringify(toPreviewRequest(draft)));
  const { data, error, isFetching } = useQuery({
    ...query("previewMetric", { body: JSON.parse(body) }),
    enabled: !isIncomplete,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const preview = data?.data;
  return (
    <Section title="Values" description={`Recent days, ${draft.stored.entity.type === "user" ? OF_USERS : OF_EVENTS} Today is incomplete.`}>
      {isIncomplete && <Notice>Complete the definition to see values.</Notice>}
      {!isIncomplete && error && <Notice tone="bad">{explain(error)}</Notice>}
      {isFetching && !preview && <Loading label="Computing" />}
      {!isIncomplete && preview && !error && <Values preview={preview} unit={draft.fields.valueUnit} />}
    </Section>
  );
}

type ValuesProps = { preview: Schema<"MetricPreview">; unit: Schema<"ValueUnit"> | undefined };

function Values({ preview: { days, timeZone, unitType, sql, reason }, unit }: ValuesProps) {
  if (reason !== undefined) return <Notice>{reason}</Notice>;
  const byTime = new Map(days.map((day) => [Date.parse(day.date), day]));
  const points = [...byTime].flatMap(([time, { value }]) => (value === undefined ? [] : [{ time, value }]));
  return (
    <>
      <DayLine
        title="Value"
        points={points}
        timeZone={timeZone}
        column="Value"
        axis={numberAxis}
        toText={({ time, value }) =>
          `${dayText(value, byTime.get(time), unit)}, of ${counted(byTime.get(time)?.row_count ?? 0, "units")} (${unitType})`
        }
        empty="No matching events on these days."
      />
      <Latest day={days.findLast(({ value }) => value !== undefined)} unit={unit} />
      {sql !== undefined && <Snippet label="View SQL" text={sql} />}
    </>
  );
}

type Day = Schema<"MetricPreview">["days"][number];

/** The value of a day with its unit. Of a rate whose value is a number of users, a day has no share. */
const dayText = (value: number, day: Day | undefined, unit: Schema<"ValueUnit"> | undefined): string =>
  unit === undefined || unit === "none" || (unit === "percent" && day?.denominator === undefined)
    ? exact(value)
    : valueText(value, undefined, unit);

/** The numbers of the last day that has them, each explained. */
function Latest({ day, unit }: { day: Day | undefined; unit: Schema<"ValueUnit"> | undefined }) {
  if (day?.value === undefined) return null;
  return (
    <p>
      On {day.date}: <ExplainedNumber meaning={PREVIEW_MEANINGS.value} text={dayText(day.value, day, unit)} />, of{" "}
      <ExplainedNumber meaning={PREVIEW_MEANINGS.row_count} text={counted(day.row_count ?? 0, "units")} />.
    </p>
  );
}

/** The text as it was when it had not changed for a while. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
