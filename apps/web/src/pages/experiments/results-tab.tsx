import { useQuery } from "@tanstack/react-query";
import { Suspense, useMemo, useState } from "react";
import { type Answer, query } from "../../api.ts";
import { date } from "../../charts/format.ts";
import entity from "../../entity/entity.module.css";
import { explain } from "../../explain.ts";
import { adjustmentLabel } from "../../results/adjustment-words.ts";
import { ByDimension } from "../../results/by-dimension.tsx";
import { AdjustmentChoice, Choices, CorrectionChoice } from "../../results/choices.tsx";
import { correctionQuery, dividesAlpha, primaryShareQuery, toCorrection } from "../../results/corrections.ts";
import { EffectOverTime } from "../../results/effect-over-time.tsx";
import { Interactions } from "../../results/interactions.tsx";
import type { LoadOperations } from "../../results/load-operations.ts";
import { Loads } from "../../results/loads.tsx";
import { Meanings } from "../../results/meanings.tsx";
import { OverTime } from "../../results/over-time.tsx";
import { Recommendation } from "../../results/recommendation.tsx";
import styles from "../../results/results.module.css";
import { groupsCompared } from "../../results/results-search.ts";
import { Scorecard } from "../../results/scorecard.tsx";
import { Subgroups } from "../../results/subgroups.tsx";
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
    ...(["getExperimentPulseResults", "getExperimentPulseMetricResult", "getExperimentDimensionalExposures"] as const),
    ...(["getExperimentSubgroups", "getExperiment"] as const),
    ...(["getExperimentInteractions", "getExperimentEffectByDay"] as const),
  ],
});

/** The experiment's effect on its metrics, and the updates that compute it. */
export default function ResultsTab({ experiment }: { experiment: Experiment }) {
  const { id, startTime } = experiment;
  const refusal = useRefusal()("start_experiments");
  const loads = useMemo(() => loadOperations(id), [id]);
  if (startTime === null) return <Empty title="No results yet">Results appear after the first exposure.</Empty>;
  return (
    <>
      <Comparison experiment={experiment} />
      <Loads
        of={loads}
        description="Results refresh daily while the experiment runs, and once more at its end."
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
  const { confidence = usual.confidence, cuped = true, adjustment = true, correction, primaryShare } = search;
  const share = dividesAlpha(correction ?? usual.correction) ? primaryShare : undefined;
  const asked = { control, test, confidence, cuped, ...correctionQuery(correction), ...primaryShareQuery(share) };
  const adjusted = { ...asked, ...(!adjustment && { adjustment }) };
  const { data, error, isPending } = useQuery(query("getExperimentPulseResults", { path: { id }, query: adjusted }));
  const groupName = (group: string) => options.find((option) => option.id === group)?.label ?? group;
  const [controlName, testName] = [groupName(control), groupName(test)];
  const { primaryMetrics = [], secondaryMetrics = [], otherMetrics = [], ds, timeZone = "UTC", crossoverPercent } = data?.data ?? {};
  const { scorecard, updates = 0 } = data?.data ?? {};
  const all = data ? metricsIn(data) : [];
  const series = query("getExperimentPulseResults", { path: { id }, query: { ...adjusted, series: true } });
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
          {hasFailed && " A health check failed, so these results aren’t reliable."}
        </p>
      )}
      {byChance !== undefined && (
        <p>
          {byChance}{" "}
          {!isCorrected && <Button onPress={() => change({ correction: "bonferroni-metrics" })}>Correct for multiple metrics</Button>}
        </p>
      )}
      <Health id={id} />
      <ExperimentAlerts experiment={experiment} />
      <ExperimentGuardrails experiment={experiment} />
      <Section
        title="Results"
        actions={<ReportButton id={id} date={ds ?? ""} />}
        description={ds && `As of ${date(Date.parse(ds), "utc")}. Days are in ${timeZone}. ${crossoverText(crossoverPercent)}`}
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
          <AdjustmentChoice label={adjustmentLabel(experiment)} />
        </div>
        {error && <Notice tone="bad">{explain(error)}</Notice>}
        {isPending && <Loading label="Loading results" />}
        {data && all.length === 0 && <Empty title="No metrics yet">Add a primary metric in Setup, then refresh the results.</Empty>}
        {all.length > 0 && (
          <>
            <Scorecard title="Primary metrics" metrics={primaryMetrics} {...named} />
            <Scorecard title="Secondary metrics" metrics={secondaryMetrics} {...named} />
            <Scorecard title="Other metrics" metrics={otherMetrics} {...named} />
            <Topline metrics={all} words={{ now: `Now, from the users of ${testName}`, everybody: `If everyone had ${testName}` }} />
            <Meanings confidence={String(confidence)} alpha="at one α with the interval after all corrections" />
          </>
        )}
      </Section>
      {all.length > 0 && (
        <Section title="Over time" description="Results at the end of each day. Wide early intervals are clipped.">
          <OverTime timeZone={timeZone} metrics={all} days={byDay.data && metricsIn(byDay.data)} error={byDay.error} />
        </Section>
      )}
      {all.length > 0 && <EffectOverTime id={id} asked={asked} metrics={all} control={controlName} test={testName} />}
      {all.length > 0 && <ByDimension id={id} asked={asked} metrics={all} control={controlName} test={testName} />}
      {all.length > 0 && <Subgroups id={id} asked={asked} metrics={all} />}
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
      <Button onPress={() => setOpen(true)}>Download report</Button>
      {isOpen && (
        <Suspense>
          <ReportDialog id={id} date={date} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

const crossoverText = (percent: number | undefined): string =>
  percent === undefined
    ? "Users who saw more than one group are excluded."
    : `Excluded for seeing more than one group: ${numberText(percent)}%.`;

const metricsIn = ({ data: { primaryMetrics, secondaryMetrics, otherMetrics } }: Answer<"getExperimentPulseResults">) => [
  ...primaryMetrics,
  ...secondaryMetrics,
  ...otherMetrics,
];
