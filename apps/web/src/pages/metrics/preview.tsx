import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { query, type Schema } from "../../api.ts";
import { numberAxis } from "../../charts/axes.ts";
import { DayLine } from "../../charts/day-line.tsx";
import { counted, exact } from "../../charts/format.ts";
import { Funnel } from "../../charts/funnel.tsx";
import entity from "../../entity/entity.module.css";
import { explain } from "../../explain.ts";
import { ExplainedNumber } from "../../results/explained-number.tsx";
import { PREVIEW_MEANINGS } from "../../results/other-meanings.ts";
import { AUTOMATIC_UNIT, valueText } from "../../results/units.ts";
import { Section } from "../../shell/page.tsx";
import { Select } from "../../ui/choice.tsx";
import { Snippet } from "../../ui/copy.tsx";
import { DateField } from "../../ui/date-field.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { Loading, Notice } from "../../ui/notice.tsx";
import { type MetricDraft, toPreviewRequest, unitOfDays } from "./metric-draft.ts";
import { comparePeriods, dayBefore, includesToday } from "./periods.ts";

/** Typing is over after this time without a change. */
const PAUSE_MS = 600;

type MetricPreview = Schema<"MetricPreview">;

type Props = {
  draft: MetricDraft;
  /** Whether the definition cannot be computed until it is mended. */
  isIncomplete: boolean;
};

const OF_EVENTS = "Each day counts only its own events. Windows and winsorization apply only to results.";
const OF_USERS = "Each day’s value covers the window that ends on that day. It’s a number of users, or a ratio for stickiness.";

const RANGES = [7, 14, 28, 90].map((days) => ({ id: String(days), label: `${days} days` }));
const USUAL_DAYS = 14;

/** The values of the metric on the days of a range, as it is edited, and on as many days before. */
export function Preview({ draft, isIncomplete }: Props) {
  const [days, setDays] = useState(USUAL_DAYS);
  const [endDate, setEndDate] = useState("");
  const [isCompared, setCompared] = useState(false);
  const definition = useSettled(JSON.stringify(toPreviewRequest(draft)));
  const asked = (end: string, count: number) => ({ ...JSON.parse(definition), days: count, ...(end !== "" && { endDate: end }) });
  const { data, error, isFetching } = useQuery({
    ...query("previewMetric", { body: asked(endDate, days) }),
    enabled: !isIncomplete,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const preview = data?.data;
  const first = preview?.days[0]?.date;
  const before = useQuery({
    ...query("previewMetric", { body: asked(first === undefined ? "" : dayBefore(first), preview?.days.length || 1) }),
    enabled: isCompared && !isIncomplete && first !== undefined,
    retry: false,
  });
  const fault = error ?? (isCompared ? before.error : null);
  const today = includesToday(endDate, preview?.timeZone ?? "UTC", Date.now()) ? " Today is incomplete." : "";
  return (
    <Section title="Values" description={`${draft.stored.entity.type === "user" ? OF_USERS : OF_EVENTS}${today}`}>
      {isIncomplete && <Notice>Complete the definition to see values.</Notice>}
      {!isIncomplete && (
        <div className={entity.row}>
          <Select label="Range" options={RANGES} value={String(days)} onChange={(id) => setDays(Number(id))} />
          <DateField label="End date" description="Leave empty for today." value={endDate} onChange={setEndDate} isOptional />
          <Checkbox isSelected={isCompared} onChange={setCompared}>
            Compare with previous period
          </Checkbox>
        </div>
      )}
      {!isIncomplete && fault && <Notice tone="bad">{explain(fault)}</Notice>}
      {isFetching && !preview && <Loading label="Computing" />}
      {!isIncomplete && preview && !error && (
        <Values
          preview={preview}
          before={isCompared ? before.data?.data : undefined}
          unit={unitOfDays(draft)}
          counted={draft.fields.funnelCountDistinct}
        />
      )}
    </Section>
  );
}

type ValuesProps = { preview: MetricPreview; before: MetricPreview | undefined; unit: string; counted: "users" | "events" };

function Values({ preview: { days, timeZone, unitType, sql, reason, steps }, before, unit, counted: noun }: ValuesProps) {
  if (reason !== undefined) return <Notice>{reason}</Notice>;
  const byTime = new Map(days.map((day) => [Date.parse(day.date), day]));
  const times = [...byTime.keys()];
  const points = [...byTime].flatMap(([time, { value }]) => (value === undefined ? [] : [{ time, value }]));
  // The last days of both periods are compared with each other, even if one of them lacks its first days.
  const shift = times.length - (before?.days.length ?? 0);
  const earlier = before?.days.flatMap(({ value }, index) => {
    const time = times[index + shift];
    return value === undefined || time === undefined ? [] : [{ time, value }];
  });
  return (
    <>
      <DayLine
        title="Value"
        points={points}
        compared={earlier && { label: "Previous period", points: earlier }}
        timeZone={timeZone}
        column="Value"
        axis={numberAxis}
        toText={({ time, value }) =>
          `${dayText(value, byTime.get(time), unit)}, of ${counted(byTime.get(time)?.row_count ?? 0, "units")} (${unitType})`
        }
        empty="No matching events on these days."
      />
      {before && <p>{comparePeriods(days, before.days, (value) => dayText(value, days.at(-1), unit))}</p>}
      <Latest day={days.findLast(({ value }) => value !== undefined)} unit={unit} />
      {steps !== undefined && (
        <Funnel
          title="Steps"
          unit={noun === "events" ? "events" : "units"}
          steps={steps.map(({ name, counts }) => ({ name, count: counts.reduce((sum, one) => sum + one, 0) }))}
          empty={`No ${noun === "events" ? "events" : "units"} started the funnel on these days.`}
        />
      )}
      {sql !== undefined && <Snippet label="View SQL" text={sql} />}
    </>
  );
}

type Day = MetricPreview["days"][number];

/** The value of a day with its unit. Of a rate whose value is a number of users, a day has no share. */
const dayText = (value: number, day: Day | undefined, unit: string): string =>
  unit === AUTOMATIC_UNIT || unit === "none" || (unit === "percent" && day?.denominator === undefined)
    ? exact(value)
    : valueText(value, undefined, unit);

/** The numbers of the last day that has them, each explained. */
function Latest({ day, unit }: { day: Day | undefined; unit: string }) {
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
