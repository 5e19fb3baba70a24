import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { Schema } from "../../api.ts";
import { counted } from "../../charts/format.ts";
import { Funnel } from "../../charts/funnel.tsx";
import entity from "../../entity/entity.module.css";
import { explain } from "../../explain.ts";
import { ExplainedNumber } from "../../results/explained-number.tsx";
import { dayText, type MetricDay } from "../../results/metric-days.ts";
import { MetricValues } from "../../results/metric-values.tsx";
import { PREVIEW_MEANINGS } from "../../results/other-meanings.ts";
import { includesToday } from "../../results/periods.ts";
import { useMetricDays } from "../../results/use-metric-days.ts";
import { Section } from "../../shell/page.tsx";
import { withoutAbsent } from "../../shell/search-values.ts";
import { Select } from "../../ui/choice.tsx";
import { FoldedSql } from "../../ui/copy.tsx";
import { DateField } from "../../ui/date-field.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { Loading, Notice } from "../../ui/notice.tsx";
import { date as dateText } from "../../ui/time-text.ts";
import { type MetricDraft, toPreviewRequest, unitOfDays } from "./metric-draft.ts";
import { type metricSearch, RANGES } from "./page-search.ts";

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

const RANGE_OPTIONS = RANGES.map((days) => ({ id: String(days), label: `${days} days` }));
const USUAL_DAYS = 14;
const FROM = "/projects/$projectID/metrics/$id";

/** The values of the metric on the days of a range, as it is edited, and on as many days before. */
export function Preview({ draft, isIncomplete }: Props) {
  const { days = USUAL_DAYS, until: endDate = "", previous: isCompared = false } = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const show = (changed: Pick<ReturnType<typeof metricSearch>, "days" | "until" | "previous">) =>
    void navigate({ search: (known) => withoutAbsent({ ...known, ...changed }), replace: true });
  const definition = useSettled(JSON.stringify(toPreviewRequest(draft)));
  const { preview, before, isFetching, error, fault } = useMetricDays({
    ...{ definition: JSON.parse(definition), days, endDate, isCompared },
    isEnabled: !isIncomplete,
  });
  const today = includesToday(endDate, preview?.timeZone ?? "UTC", Date.now()) ? " Today is incomplete." : "";
  return (
    <Section title="Values" description={`${draft.stored.entity.type === "user" ? OF_USERS : OF_EVENTS}${today}`}>
      {isIncomplete && <Notice>Complete the definition to see values.</Notice>}
      {!isIncomplete && (
        <div className={entity.row}>
          <Select
            label="Range"
            options={RANGE_OPTIONS}
            value={String(days)}
            onChange={(id) => show({ days: RANGES.find((range) => String(range) === id) })}
          />
          <DateField
            label="End date"
            description="Leave empty for today."
            value={endDate}
            onChange={(until) => show({ until: until === "" ? undefined : until })}
            isOptional
          />
          <Checkbox isSelected={isCompared} onChange={(isChosen) => show({ previous: isChosen || undefined })}>
            Compare with previous period
          </Checkbox>
        </div>
      )}
      {!isIncomplete && fault && <Notice tone="bad">{explain(fault)}</Notice>}
      {isFetching && !preview && <Loading label="Computing" />}
      {!isIncomplete && preview && !error && (
        <Values preview={preview} before={before} unit={unitOfDays(draft)} counted={draft.fields.funnelCountDistinct} />
      )}
    </Section>
  );
}

type ValuesProps = { preview: MetricPreview; before: MetricPreview | undefined; unit: string; counted: "users" | "events" };

function Values({ preview, before, unit, counted: noun }: ValuesProps) {
  const { days, sql, reason, steps } = preview;
  if (reason !== undefined) return <Notice>{reason}</Notice>;
  return (
    <>
      <MetricValues title="Value" preview={preview} before={before} unit={unit} />
      <Latest day={days.findLast(({ value }) => value !== undefined)} unit={unit} />
      {steps !== undefined && (
        <Funnel
          title={`Steps, ${periodText(days)}`}
          unit={noun === "events" ? "events" : "units"}
          steps={steps.map(({ name, counts }) => ({ name, count: counts.reduce((sum, one) => sum + one, 0) }))}
          empty={`No ${noun === "events" ? "events" : "units"} started the funnel on these days.`}
        />
      )}
      {sql !== undefined && <FoldedSql text={sql} />}
    </>
  );
}

/** “Nov 17, 2026 to Nov 30, 2026”. */
const periodText = (days: readonly MetricDay[]): string =>
  [days[0], days.at(-1)].flatMap((day) => (day ? [dateText(Date.parse(day.date), "utc")] : [])).join(" to ");

/** The numbers of the last day that has them, each explained. */
function Latest({ day, unit }: { day: MetricDay | undefined; unit: string }) {
  if (day?.value === undefined) return null;
  return (
    <p>
      On {dateText(Date.parse(day.date), "utc")}: <ExplainedNumber meaning={PREVIEW_MEANINGS.value} text={dayText(day.value, day, unit)} />,
      of <ExplainedNumber meaning={PREVIEW_MEANINGS.row_count} text={counted(day.row_count ?? 0, "units")} />.
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
