import { useQuery } from "@tanstack/react-query";
import { Suspense, useMemo, useState } from "react";
import { type Answer, query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { explain } from "../../explain.ts";
import { ByDimension } from "../../results/by-dimension.tsx";
import { Choices, CorrectionChoice } from "../../results/choices.tsx";
import { correctionQuery, dividesAlpha, primaryShareQuery, toCorrection } from "../../results/corrections.ts";
import { Interactions } from "../../results/interactions.tsx";
import type { LoadOperations } from "../../results/load-operations.ts";
import { Loads } from "../../results/loads.tsx";
import { Meanings } from "../../results/meanings.tsx";
import { OverTime } from "../../results/over-time.tsx";
import { Recommendation } from "../../results/recommendation.tsx";
import styles from "../../results/results.module.css";
import { groupsCompared } from "../../results/results-search.ts";
import { Scorecard } from "../../results/scorecard.tsx";
import { Topline } from "../../results/topline.tsx";
import { useResultsSearch } from "../../results/use-results-search.ts";
import { chanceText, conclusion, numberText } from "../../results/verdicts.ts";
import { useRefusal } from "../../session/account.ts";
import { Section } from "../../shell/page.tsx";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import { soonDialog } from "../../ui/soon.tsx";
import { ExperimentAlerts, ExperimentGuardrails } from "./guardrails.tsx";
import { Health, useHasFailed } from "./health.tsx";
import type { Experiment } from "./states.ts";

const loadOperations = (id: string): LoadOperations => ({
  list: "listExperimentPulseLoads",
  read: "getExperimentPulseLoad",
  start: "startExperimentPulseLoad",
  cancel: "cancelExperimentPulseLoad",
  path: { id },
  request: { path: { id }, body: {} },
  reads: [
    "getExperimentPulseResults",
    "getExperimentPulseMetricResult",
    "getExperimentDimensionalExposures",
    "getExperimentInteractions",
    "getExperiment",
  ],
});

/** The experiment's effect on its metrics, and the updates that compute it. */
export default function ResultsTab({ experiment }: { experiment: Experiment }) {
  const { id, startTime } = experiment;
  const refusal = useRefusal()("start_experiments");
  const loads = useMemo(() => loadOperations(id), [id]);
  if (startTime === null) return <Empty title="No results yet">They begin with the first unit that gets a group after the start.</Empty>;
  return (
    <>
      <Comparison experiment={experiment} />
      <Loads
        of={loads}
        description="Experiments are loaded every day that they run, and once more when they end."
        disabledReason={experiment.status === "archived" ? "The experiment is archived." : refusal}
      />
    </>
  );
}

function Comparison({ experiment }: { experiment: Experiment }) {
  const { id, groups } = experiment;
  const [search, change] = useResultsSearch();
  const options = groups.flatMap(({ id: group, name }) => (group ? [{ id: group, label: name }] : []));
  const { control, test } = groupsCompared(search, experiment);
  const usual = { confidence: Number(experiment.defaultConfidenceInterval), correction: toCorrection(experiment) };
  const { confidence = usual.confidence, cuped = true, correction, primaryShare } = search;
  const share = dividesAlpha(correction ?? usual.correction) ? primaryShare : undefined;
  const asked = { control, test, confidence, cuped, ...correctionQuery(correction), ...primaryShareQuery(share) };
  const { data, error, isPending } = useQuery(query("getExperimentPulseResults", { path: { id }, query: asked }));
  const groupName = (group: string) => options.find((option) => option.id === group)?.label ?? group;
  const [controlName, testName] = [groupName(control), groupName(test)];
  const { primaryMetrics = [], secondaryMetrics = [], otherMetrics = [], ds, timeZone = "UTC", crossoverPercent } = data?.data ?? {};
  const { scorecard, updates = 0 } = data?.data ?? {};
  const all = data ? metricsIn(data) : [];
  const series = query("getExperimentPulseResults", { path: { id }, query: { ...asked, series: true } });
  const byDay = useQuery({ ...series, enabled: all.length > 0 });
  const byChance = chanceText(data?.data.chance);
  const isCorrected = (correction ?? usual.correction) !== "none";
  const hasFailed = useHasFailed(id);
  const named = { all, control: controlName, test: testName, updates };
  return (
    <>
      {scorecard && <Recommendation scorecard={scorecard} test={testName} updates={updates} />}
      {all.length > 0 && (
        <p className={styles.conclusion}>
          <bdi>{conclusion(primaryMetrics.length > 0 ? primaryMetrics : all, controlName, testName)}</bdi>
          {hasFailed && " A health check failed, so do not trust this."}
        </p>
      )}
      {byChance !== undefined && (
        <p>
          {byChance}{" "}
          {!isCorrected && <Button onPress={() => change({ correction: "bonferroni-metrics" })}>Correct for the number of metrics</Button>}
        </p>
      )}
      <Health id={id} />
      <ExperimentAlerts experiment={experiment} />
      <ExperimentGuardrails experiment={experiment} />
      <Section
        title="Results"
        actions={<ReportButton id={id} date={ds ?? ""} />}
        description={ds && `As of ${ds}. Days are those of ${timeZone}. ${crossoverText(crossoverPercent)}`}
      >
        <div className={entity.row}>
          <Select
            label="Compare with"
            options={options.filter((option) => option.id !== test)}
            value={control}
            onChange={(chosen) => change({ control: chosen, test })}
          />
          <Select
            label="Group"
            options={options.filter((option) => option.id !== control)}
            value={test}
            onChange={(chosen) => change({ control, test: chosen })}
          />
          <CorrectionChoice usual={usual.correction} />
          <Choices usual={usual.confidence} />
        </div>
        {error && <Notice tone="bad">{explain(error)}</Notice>}
        {isPending && <Loading label="Reading the results" />}
        {data && all.length === 0 && (
          <Empty title="The experiment names no metrics">Name primary and secondary metrics in its set-up, then load the results.</Empty>
        )}
        {all.length > 0 && (
          <>
            <Scorecard title="Primary metrics" metrics={primaryMetrics} {...named} />
            <Scorecard title="Secondary metrics" metrics={secondaryMetrics} {...named} />
            <Scorecard title="Other metrics" metrics={otherMetrics} {...named} />
            <Topline metrics={all} words={{ now: `Now, by the units of ${testName}`, everybody: `If all units had ${testName}` }} />
            <Meanings confidence={String(confidence)} alpha="at one α with the interval after all corrections" />
          </>
        )}
      </Section>
      {all.length > 0 && (
        <Section title="Over time" description="The results as of the end of each day. Early intervals are cut off where they are wide.">
          <OverTime timeZone={timeZone} metrics={all} days={byDay.data && metricsIn(byDay.data)} error={byDay.error} />
        </Section>
      )}
      {all.length > 0 && <ByDimension id={id} asked={asked} metrics={all} control={controlName} test={testName} />}
      {all.length > 0 && <Interactions id={id} groupName={groupName} />}
    </>
  );
}

const ReportDialog = soonDialog(() => import("../../results/report-dialog.tsx"));

/** @param date the day that the dialog offers first */
function ReportButton({ id, date }: { id: string; date: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>Download a report</Button>
      {isOpen && (
        <Suspense>
          <ReportDialog id={id} date={date} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

const crossoverText = (percent: number | undefined): string =>
  percent === undefined ? "Units that saw two groups are left out." : `Units that saw two groups are left out: ${numberText(percent)} %.`;

const metricsIn = ({ data: { primaryMetrics, secondaryMetrics, otherMetrics } }: Answer<"getExperimentPulseResults">) => [
  ...primaryMetrics,
  ...secondaryMetrics,
  ...otherMetrics,
];
