import { useQuery } from "@tanstack/react-query";
import { query, type Schema } from "../../api.ts";
import { explain } from "../../explain.ts";
import { ExposureLines, totalExposed } from "../../results/exposures.tsx";
import { groupsCompared } from "../../results/results-search.ts";
import { dayOfRun } from "../../results/run-days.ts";
import { scoreRows } from "../../results/score-rows.ts";
import { ScoreTable } from "../../results/score-table.tsx";
import { useGroupPulses } from "../../results/use-group-pulses.ts";
import { statusName } from "../../targeting/status-names.ts";
import { Badge } from "../../ui/badge.tsx";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import { date } from "../../ui/time-text.ts";
import styles from "./dashboards.module.css";
import { WidgetFailure } from "./widget-failure.tsx";

type Experiment = Schema<"Experiment">;

/** The results of an experiment's primary metrics, or the units that its groups have reached. */
export function ExperimentWidget({ id, show = "scorecard" }: { id: string; show?: "scorecard" | "exposures" | undefined }) {
  const { data, error, refetch } = useQuery(query("getExperiment", { path: { id } }));
  if (error) return <WidgetFailure noun="experiment" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading label="Loading experiment" />;
  const { data: experiment } = data;
  const isRunning = experiment.status === "active" || experiment.status === "assignment_stopped";
  return (
    <>
      <p className={styles.facts}>
        <Badge tone={isRunning ? "active" : "plain"}>{statusName(experiment.status)}</Badge>
        {isRunning && <span className={styles.soft}>{dayOfRun(experiment, Date.now())}</span>}
      </p>
      {show === "exposures" ? (
        <Exposures id={id} />
      ) : experiment.startTime === null ? (
        <Empty title="No results yet">Results appear after the first exposure.</Empty>
      ) : (
        <PrimaryMetrics experiment={experiment} />
      )}
    </>
  );
}

function Exposures({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(query("getExperimentCumulativeExposures", { path: { id } }));
  if (error) return <WidgetFailure noun="experiment" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading label="Loading exposures" />;
  if (data.reason !== undefined) return <Notice>{data.reason}</Notice>;
  if (totalExposed(data) === 0)
    return <Empty title="No exposures yet">A user is exposed when your application reads the experiment for them.</Empty>;
  return <ExposureLines exposures={data} />;
}

/** Computed as the experiment says, without the choices that its own page offers. */
function PrimaryMetrics({ experiment }: { experiment: Experiment }) {
  const { id, groups, defaultConfidenceInterval } = experiment;
  const { control } = groupsCompared({}, experiment);
  const known = groups.flatMap(({ id: group, name }) => (group ? [{ id: group, name }] : []));
  const tests = known.filter((group) => group.id !== control);
  const { pulses, isPending, error } = useGroupPulses(id, tests, { confidence: Number(defaultConfidenceInterval), cuped: true, control });
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (pulses.length === 0) return isPending ? <Loading label="Loading results" /> : null;
  const rows = scoreRows(pulses, new Map()).filter(({ role }) => role === "primary");
  const ds = pulses[0]?.pulse.ds;
  if (rows.length === 0)
    return <Empty title="No metrics yet">Add a primary metric in the experiment’s setup, then refresh its results.</Empty>;
  return (
    <>
      <ScoreTable rows={rows} control={known.find((group) => group.id === control)?.name ?? control} guardrail={() => undefined} />
      {ds && <p className={styles.soft}>As of {date(Date.parse(ds), "utc")}.</p>}
    </>
  );
}
