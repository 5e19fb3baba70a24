import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { query, type Request, type Schema } from "../api.ts";
import type { Mark } from "../charts/marks.ts";
import entity from "../entity/entity.module.css";
import { explain } from "../explain.ts";
import { FoldedSection } from "../shell/folded-section.tsx";
import { Section } from "../shell/page.tsx";
import { focusSoon } from "../ui/focus-soon.ts";
import { Empty, Loading, Notice } from "../ui/notice.tsx";
import { Time } from "../ui/time.tsx";
import { date } from "../ui/time-text.ts";
import { Choices } from "./choices.tsx";
import type { LoadOperations } from "./load-operations.ts";
import { Loads } from "./loads.tsx";
import { Meanings } from "./meanings.tsx";
import { MonitoredUnits } from "./monitored-numbers.tsx";
import type { UnitsPart } from "./monitored-units.ts";
import { MonitoringSummary } from "./monitoring-summary.tsx";
import { OverTime } from "./over-time.tsx";
import { areUnseen, monitoringRows } from "./score-rows.ts";
import { type GuardrailBadge, ScoreTable } from "./score-table.tsx";
import { Scorecard } from "./scorecard.tsx";
import { Topline, type ToplineWords } from "./topline.tsx";
import { useResultsSearch } from "./use-results-search.ts";

/** In percent. */
const USUAL_CONFIDENCE = 95;

type ResultsID = "getGatePulseResults" | "getHoldoutPulseResults";

export type MonitoringWords = {
  /** The groups in tables. */
  control: string;
  test: string;
  /** The groups in a sentence: "Passing raised Revenue by 5%, compared with failing." */
  controlDeed: string;
  testDeed: string;
  /** Since when units count. */
  since: string;
  counted: (units: Schema<"MonitoredUnits">) => UnitsPart[];
  /** When loads run by themselves. */
  loads: string;
  noMetrics: ReactNode;
  /** Shown in place of a scorecard without a user. */
  unseen: string;
  topline: ToplineWords;
};

type Props = {
  of: ResultsID;
  path: Request<ResultsID>["path"];
  loads: LoadOperations;
  words: MonitoringWords;
  disabledReason: string | undefined;
  /** Changes of the monitored entity, for its charts. */
  marks?: readonly Mark[];
  /** The harm that guardrails allow, in percent by metric. */
  limits?: ReadonlyMap<string, number>;
  /** The finding of the last guardrail check. Undefined without one. */
  guardrail?: (metricID: string) => GuardrailBadge | undefined;
  /** Alerts, between the conclusion and the scorecard. */
  alerts?: ReactNode;
  /** What to do if no user was seen. */
  unseenAction?: ReactNode;
  /** More details, after those of the results. */
  details?: ReactNode;
};

/** The group whose units have the feature. */
const TEST = "test";

const NO_LIMITS: ReadonlyMap<string, number> = new Map();

/** The effect of a gate's rule or a holdout on the metrics that monitor it, and the updates that compute it. */
export function Monitoring(props: Props) {
  const { of, path, loads, words, disabledReason, limits = NO_LIMITS, guardrail = () => undefined, alerts, details, unseenAction } = props;
  const [{ confidence = USUAL_CONFIDENCE, cuped = true }] = useResultsSearch();
  const asked = { confidence, cuped };
  const { data, error, isPending } = useQuery(query(of, { path, query: asked }));
  const { ds, timeZone = "UTC", startTime, units, monitoringMetrics: metrics = [] } = data?.data ?? {};
  const rows = monitoringRows(metrics, { id: TEST, name: words.test }, limits);
  const isUnseen = areUnseen(rows);
  const isShown = metrics.length > 0 && !isUnseen;
  const description = ds === undefined ? undefined : `As of ${date(Date.parse(ds), "utc")}. Days are in ${timeZone}.`;
  return (
    <>
      {isShown && <MonitoringSummary metrics={metrics} words={words} limits={limits} guardrail={guardrail} />}
      {alerts}
      <Section title="Scorecard" description={description}>
        {error && <Notice tone="bad">{explain(error)}</Notice>}
        {isPending && <Loading label="Loading results" />}
        {data && metrics.length === 0 && <Empty title="No monitoring metrics">{words.noMetrics}</Empty>}
        {isUnseen && (
          <Empty title="No users have been seen yet" action={unseenAction}>
            {words.unseen}
          </Empty>
        )}
        {isShown && (
          <>
            {startTime !== undefined && (
              <p className={entity.soft}>
                {words.since} <Time time={startTime} />. {units && <MonitoredUnits parts={words.counted(units)} />}
              </p>
            )}
            <Options control={words.control} />
            <ScoreTable rows={rows} control={words.control} guardrail={guardrail} />
          </>
        )}
      </Section>
      {isShown && (
        <>
          <FoldedSection title="Statistics" description="SE is a standard error. Numbers in parentheses are intervals.">
            <Scorecard title="Monitoring metrics" metrics={metrics} all={metrics} control={words.control} test={words.test} />
            <Meanings confidence={String(confidence)} alpha="at one α with the interval" />
          </FoldedSection>
          {metrics.some(({ topline }) => topline !== undefined) && (
            <FoldedSection title="Topline impact">
              <Topline metrics={metrics} words={words.topline} />
            </FoldedSection>
          )}
          <FoldedSection title="Over time" description="Results at the end of each day. Wide early intervals are clipped.">
            <DayByDay {...props} asked={asked} metrics={metrics} timeZone={timeZone} />
          </FoldedSection>
        </>
      )}
      {details}
      <Loads of={loads} description={words.loads} disabledReason={disabledReason} />
    </>
  );
}

/** How the results are computed. Open at first if the address changes anything. */
function Options({ control }: { control: string }) {
  const [{ confidence, cuped }] = useResultsSearch();
  const [isOpen, setOpen] = useState(confidence !== undefined || cuped !== undefined);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        Compared with <bdi>{control}</bdi>, {confidence ?? USUAL_CONFIDENCE}% confidence{cuped === false && ", without CUPED"}
      </summary>
      <div className={entity.row}>
        <Choices usual={USUAL_CONFIDENCE} />
      </div>
    </details>
  );
}

type DayProps = Pick<Props, "of" | "path" | "marks"> & {
  asked: { confidence: number; cuped: boolean };
  metrics: Schema<"MonitoringPulse">["monitoringMetrics"];
  timeZone: string;
};

/** The changes day by day, which are read once someone opens them. */
function DayByDay({ of, path, asked, metrics, timeZone, marks }: DayProps) {
  const { data, error } = useQuery(query(of, { path, query: { ...asked, series: true } }));
  return <OverTime metrics={metrics} days={data?.data.monitoringMetrics} timeZone={timeZone} error={error} marks={marks} />;
}

/** A link from another tab of a page to its monitoring metrics. Their first field is focused: a metric's guardrail, or the search for a metric. */
export function MonitoringMetricsLink({ children }: { children: ReactNode }) {
  return (
    <Link
      to="."
      search={((known: Record<string, unknown>) => ({ ...known, tab: "details" })) as never}
      onClick={() => focusSoon('section[aria-label="Monitoring metrics"] input')}
    >
      {children}
    </Link>
  );
}
