import { useQuery } from "@tanstack/react-query";
import { query, type Request, type Schema } from "../api.ts";
import { date } from "../charts/format.ts";
import type { Mark } from "../charts/marks.ts";
import entity from "../entity/entity.module.css";
import { explain } from "../explain.ts";
import { Section } from "../shell/page.tsx";
import { Empty, Loading, Notice } from "../ui/notice.tsx";
import { Time } from "../ui/time.tsx";
import { Choices } from "./choices.tsx";
import type { LoadOperations } from "./load-operations.ts";
import { Loads } from "./loads.tsx";
import { Meanings } from "./meanings.tsx";
import { MonitoredUnits } from "./monitored-numbers.tsx";
import type { UnitsPart } from "./monitored-units.ts";
import { OverTime } from "./over-time.tsx";
import styles from "./results.module.css";
import { Scorecard } from "./scorecard.tsx";
import { Topline, type ToplineWords } from "./topline.tsx";
import { useResultsSearch } from "./use-results-search.ts";
import { conclusion } from "./verdicts.ts";

/** In percent. */
const USUAL_CONFIDENCE = 95;

type ResultsID = "getGatePulseResults" | "getHoldoutPulseResults";

export type MonitoringWords = {
  /** The groups as columns. */
  control: string;
  test: string;
  /** The groups in a sentence: "Passing is better than failing." */
  controlDeed: string;
  testDeed: string;
  /** Since when units count. */
  since: string;
  counted: (units: Schema<"MonitoredUnits">) => UnitsPart[];
  /** When loads run by themselves. */
  loads: string;
  noMetrics: string;
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
};

/** The effect of a gate's rule or a holdout on the metrics that monitor it, and the updates that compute it. */
export function Monitoring({ of, path, loads, words, disabledReason, marks }: Props) {
  const [{ confidence = USUAL_CONFIDENCE, cuped = true }] = useResultsSearch();
  const asked = { confidence, cuped };
  const { data, error, isPending } = useQuery(query(of, { path, query: asked }));
  const { ds, timeZone = "UTC", startTime, units, monitoringMetrics: metrics = [] } = data?.data ?? {};
  const byDay = useQuery({ ...query(of, { path, query: { ...asked, series: true } }), enabled: metrics.length > 0 });
  return (
    <>
      <Section title="Results" description={ds && `As of ${date(Date.parse(ds), "utc")}. Days are in ${timeZone}.`}>
        <div className={entity.row}>
          <Choices usual={USUAL_CONFIDENCE} />
        </div>
        {error && <Notice tone="bad">{explain(error)}</Notice>}
        {isPending && <Loading label="Loading results" />}
        {data && metrics.length === 0 && <Empty title="No monitoring metrics">{words.noMetrics}</Empty>}
        {metrics.length > 0 && (
          <>
            <p className={styles.conclusion}>
              <bdi>{conclusion(metrics, words.controlDeed, words.testDeed)}</bdi>
            </p>
            {startTime !== undefined && (
              <p>
                {words.since} <Time time={startTime} />. {units && <MonitoredUnits parts={words.counted(units)} />}
              </p>
            )}
            <Scorecard title="Monitoring metrics" metrics={metrics} all={metrics} control={words.control} test={words.test} />
            <Topline metrics={metrics} words={words.topline} />
            <Meanings confidence={String(confidence)} alpha="at one α with the interval" />
          </>
        )}
      </Section>
      {metrics.length > 0 && (
        <Section title="Over time" description="Results at the end of each day. Wide early intervals are clipped.">
          <OverTime metrics={metrics} days={byDay.data?.data.monitoringMetrics} timeZone={timeZone} error={byDay.error} marks={marks} />
        </Section>
      )}
      <Loads of={loads} description={words.loads} disabledReason={disabledReason} />
    </>
  );
}
