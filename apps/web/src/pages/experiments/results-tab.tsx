import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import { type Answer, query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { UseInCode } from "../../entity/use-in-code.tsx";
import { explain } from "../../explain.ts";
import { ByDimension } from "../../results/by-dimension.tsx";
import { correctionQuery, dividesAlpha, primaryShareQuery, toCorrection } from "../../results/correction-choice.ts";
import { EffectOverTime } from "../../results/effect-over-time.tsx";
import { Interactions } from "../../results/interactions.tsx";
import type { LoadOperations } from "../../results/load-operations.ts";
import { Loads } from "../../results/loads.tsx";
import { OverTime } from "../../results/over-time.tsx";
import { ResultNotes } from "../../results/result-notes.tsx";
import styles from "../../results/results.module.css";
import { groupsCompared } from "../../results/results-search.ts";
import { areUnseen, scoreRows } from "../../results/score-rows.ts";
import { ScoreTable } from "../../results/score-table.tsx";
import { Subgroups } from "../../results/subgroups.tsx";
import { useGroupPulses } from "../../results/use-group-pulses.ts";
import { useResultsSearch } from "../../results/use-results-search.ts";
import { numberText } from "../../results/verdicts.ts";
import { useRefusal } from "../../session/account.ts";
import { FoldedSection } from "../../shell/folded-section.tsx";
import { Section } from "../../shell/page.tsx";
import { Select } from "../../ui/choice.tsx";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import { date } from "../../ui/time-text.ts";
import { ByChance } from "./by-chance.tsx";
import { guardrailLimits } from "./guardrail-words.ts";
import { ExperimentAlerts, ExperimentGuardrails, useGuardrailBadges } from "./guardrails.tsx";
import { HealthAlarms, HealthChecks } from "./health.tsx";
import { ResultActions } from "./result-actions.tsx";
import { ResultOptions } from "./result-options.tsx";
import { ResultsSummary } from "./results-summary.tsx";
import type { Experiment } from "./states.ts";
import { Statistics } from "./statistics.tsx";
import { useExperimentMarks } from "./use-marks.ts";

const loadOperations = (id: string): LoadOperations => ({
  list: "listExperimentPulseLoads",
  read: "getExperimentPulseLoad",
  start: "startExperimentPulseLoad",
  cancel: "cancelExperimentPulseLoad",
  path: { id },
  request: { path: { id }, body: {} },
  reads: [
    ...(["getExperimentPulseResults", "getExperimentPulseMetricResult", "getExperimentDimensionalExposures"] as const),
    ...(["getExperimentSubgroups", "getExperiment", "getExperimentScores"] as const),
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
      <Results experiment={experiment} />
      <ResultNotes type="experiment" id={id} />
      <div className={styles.onScreen}>
        <Loads
          of={loads}
          description="Results refresh daily while the experiment runs, and once more at its end."
          disabledReason={experiment.status === "archived" ? "The experiment is archived." : refusal}
        />
      </div>
    </>
  );
}

/** How the results are computed: as the address says, or else as the experiment does. */
function useAsked(experiment: Experiment) {
  const [search] = useResultsSearch();
  const usual = { confidence: Number(experiment.defaultConfidenceInterval), correction: toCorrection(experiment) };
  const { confidence = usual.confidence, cuped = true, adjustment = true, correction, primaryShare } = search;
  const share = dividesAlpha(correction ?? usual.correction) ? primaryShare : undefined;
  const asked = { confidence, cuped, ...correctionQuery(correction), ...primaryShareQuery(share) };
  return { usual, asked, adjusted: { ...asked, ...(!adjustment && { adjustment }) } };
}

/** The scorecard of all groups, and below it everything about one of them. */
function Results({ experiment }: { experiment: Experiment }) {
  const { id } = experiment;
  const [search, change] = useResultsSearch();
  const { usual, asked, adjusted } = useAsked(experiment);
  const { control, test } = groupsCompared(search, experiment);
  const groups = experiment.groups.flatMap(({ id: group, name }) => (group ? [{ id: group, name }] : []));
  const nameOf = (group: string) => groups.find((one) => one.id === group)?.name ?? group;
  const controlName = nameOf(control);
  const tests = groups.filter((group) => group.id !== control);
  const { pulses, isPending, error } = useGroupPulses(id, tests, { ...adjusted, control });
  const rows = scoreRows(pulses, guardrailLimits(experiment));
  const guardrail = useGuardrailBadges(experiment);
  const table = useRef<HTMLDivElement>(null);
  const shown = pulses.find(({ group }) => group.id === test)?.pulse;
  const { ds, timeZone = "UTC", crossoverPercent } = shown ?? {};
  if (areUnseen(rows)) return <Unseen experiment={experiment} />;
  return (
    <>
      <ResultsSummary experiment={experiment} rows={rows} pulses={pulses} control={controlName} guardrail={guardrail} />
      <HealthAlarms id={id} />
      <Section
        title="Scorecard"
        actions={
          rows.length > 0 && <ResultActions experiment={experiment} table={table} rows={rows} control={controlName} date={ds ?? ""} />
        }
        description={ds && `As of ${date(Date.parse(ds), "utc")}. Days are in ${timeZone}. ${crossoverText(crossoverPercent)}`}
      >
        <ResultOptions experiment={experiment} groups={groups} control={control} usual={usual} />
        {error && <Notice tone="bad">{explain(error)}</Notice>}
        {isPending && <Loading label="Loading results" />}
        {pulses.length > 0 && rows.length === 0 && (
          <Empty title="No metrics yet">Add a primary metric in Setup, then refresh the results.</Empty>
        )}
        {rows.length > 0 && <ScoreTable ref={table} rows={rows} control={controlName} guardrail={guardrail} />}
        <ByChance pulses={pulses} isCorrected={(search.correction ?? usual.correction) !== "none"} />
      </Section>
      <ExperimentAlerts experiment={experiment} />
      <div className={styles.onScreen}>
        {shown && rows.length > 0 && (
          <>
            {tests.length > 1 && (
              <div className={entity.row}>
                <Select
                  label="Show details for"
                  options={tests.map((group) => ({ id: group.id, label: group.name }))}
                  value={test}
                  onChange={(chosen) => change({ control, test: chosen })}
                />
              </div>
            )}
            <Statistics pulse={shown} control={controlName} test={nameOf(test)} confidence={asked.confidence} />
            <FoldedSection title="Over time" description="Results at the end of each day. Wide early intervals are clipped.">
              <DayByDay experiment={experiment} asked={{ ...adjusted, control, test }} pulse={shown} />
            </FoldedSection>
            <EffectOverTime
              id={id}
              asked={{ ...asked, control, test }}
              metrics={metricsIn(shown)}
              control={controlName}
              test={nameOf(test)}
            />
            <ByDimension id={id} asked={{ ...asked, control, test }} metrics={metricsIn(shown)} control={controlName} test={nameOf(test)} />
            <Subgroups id={id} asked={{ ...asked, control, test }} metrics={metricsIn(shown)} />
            <Interactions id={id} groupName={nameOf} />
          </>
        )}
        <ExperimentGuardrails experiment={experiment} />
        <HealthChecks id={id} />
      </div>
    </>
  );
}

/** Results without a user, with the health of the exposures. */
function Unseen({ experiment: { id } }: { experiment: Experiment }) {
  return (
    <>
      <HealthAlarms id={id} />
      <Section title="Scorecard">
        <Empty title="No users have seen this experiment yet" action={<UseInCode kind="experiment" id={id} />}>
          Add it to your code.
        </Empty>
      </Section>
      <HealthChecks id={id} />
    </>
  );
}

type Pulse = Answer<"getExperimentPulseResults">["data"];
type DayProps = { experiment: Experiment; asked: { control: string; test: string }; pulse: Pulse };

/** The chosen group's change day by day, which is read once someone opens it. */
function DayByDay({ experiment, asked, pulse }: DayProps) {
  const { id } = experiment;
  const marks = useExperimentMarks(experiment);
  const { data, error } = useQuery(query("getExperimentPulseResults", { path: { id }, query: { ...asked, series: true } }));
  return <OverTime timeZone={pulse.timeZone} metrics={metricsIn(pulse)} days={data && metricsIn(data.data)} error={error} marks={marks} />;
}

const crossoverText = (percent: number | undefined): string =>
  percent === undefined
    ? "Users who saw more than one group are excluded."
    : `Excluded for seeing more than one group: ${numberText(percent)}%.`;

const metricsIn = ({ primaryMetrics, secondaryMetrics, otherMetrics }: Pulse) => [...primaryMetrics, ...secondaryMetrics, ...otherMetrics];
