import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { explain } from "../../shell/explain.ts";
import { Section } from "../../shell/page.tsx";
import { Select } from "../../ui/choice.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import { Health } from "./health.tsx";
import { Loads } from "./loads.tsx";
import { OverTime } from "./over-time.tsx";
import styles from "./results.module.css";
import { Scorecard } from "./scorecard.tsx";
import type { Experiment } from "./states.ts";
import { conclusion } from "./verdicts.ts";

const CONFIDENCES = ["80", "90", "95", "98", "99"];

/** What the experiment did to its metrics, and the loads that compute it. */
export default function ResultsTab({ experiment }: { experiment: Experiment }) {
  const { id, startTime } = experiment;
  if (startTime === null) return <Empty title="No results yet">They begin with the first unit that gets a group after the start.</Empty>;
  return (
    <>
      <Health id={id} />
      <Comparison experiment={experiment} />
      <Loads id={id} disabledReason={experiment.status === "archived" ? "The experiment is archived." : undefined} />
    </>
  );
}

function Comparison({ experiment }: { experiment: Experiment }) {
  const { id, groups, controlGroupID, defaultConfidenceInterval } = experiment;
  const options = groups.flatMap(({ id: group, name }) => (group ? [{ id: group, label: name }] : []));
  const first = controlGroupID ?? options[0]?.id ?? "";
  const [control, setControl] = useState(first);
  const [test, setTest] = useState(options.find((option) => option.id !== first)?.id ?? "");
  const [confidence, setConfidence] = useState<string>(defaultConfidenceInterval);
  const [cuped, setCuped] = useState(true);
  const asked = { control, test, confidence: Number(confidence), cuped };
  const { data, error, isPending } = useQuery(query("getExperimentPulseResults", { path: { id }, query: asked }));
  const nameOf = (group: string) => options.find((option) => option.id === group)?.label ?? group;
  const [controlName, testName] = [nameOf(control), nameOf(test)];
  const { primaryMetrics = [], secondaryMetrics = [], otherMetrics = [], ds } = data?.data ?? {};
  const all = [...primaryMetrics, ...secondaryMetrics, ...otherMetrics];
  const named = { all, control: controlName, test: testName };
  return (
    <>
      <Section title="Results" description={ds && `As of ${ds}. Days are those of UTC. Units that saw two groups are left out.`}>
        <div className={entity.row}>
          <Select label="Compare with" options={options.filter((option) => option.id !== test)} value={control} onChange={setControl} />
          <Select label="Group" options={options.filter((option) => option.id !== control)} value={test} onChange={setTest} />
          <Select
            label="Confidence"
            options={CONFIDENCES.map((level) => ({ id: level, label: `${level} %` }))}
            value={confidence}
            onChange={setConfidence}
          />
          <Checkbox isSelected={cuped} onChange={setCuped}>
            Reduce the variance by what units did before (CUPED)
          </Checkbox>
        </div>
        {error && <Notice tone="bad">{explain(error)}</Notice>}
        {isPending && <Loading label="Reading the results" />}
        {data && all.length === 0 && (
          <Empty title="The experiment names no metrics">
            Name primary and secondary metrics of the experiment through the API, then load the results.
          </Empty>
        )}
        {all.length > 0 && (
          <>
            <p className={styles.conclusion}>
              <bdi>{conclusion(primaryMetrics.length > 0 ? primaryMetrics : all, controlName, testName)}</bdi>
            </p>
            <Scorecard title="Primary metrics" metrics={primaryMetrics} {...named} />
            <Scorecard title="Secondary metrics" metrics={secondaryMetrics} {...named} />
            <Scorecard title="Other metrics" metrics={otherMetrics} {...named} />
            <Meanings confidence={confidence} />
          </>
        )}
      </Section>
      {all.length > 0 && (
        <Section title="Over time" description="The results as of the end of each day. Early intervals are cut off where they are wide.">
          <OverTime path={{ id }} asked={asked} metrics={all} />
        </Section>
      )}
    </>
  );
}

/** What each number means, and where its formula is from. */
function Meanings({ confidence }: { confidence: string }) {
  return (
    <details>
      <summary>What these numbers mean</summary>
      <dl className={styles.meanings}>
        <dt>Groups</dt>
        <dd>
          The mean of a unit, and how many units count. Of a metric that divides: the ratio of the group’s sums, and the units with a
          denominator.
        </dd>
        <dt>Change</dt>
        <dd>
          The difference of the means relative to that of the group compared with. Of 100 such intervals, {confidence} hold the true change
          (Fieller 1954).
        </dd>
        <dt>Verdict</dt>
        <dd>
          Whether the difference is larger than chance explains, by Welch’s test of the means, at one α with the interval after all
          corrections of the experiment.
        </dd>
        <dt>p-value</dt>
        <dd>How probable such a difference or a larger one is if the groups do not differ.</dd>
        <dt>CUPED</dt>
        <dd>
          Removes what units did before their first exposure already (Deng, Xu, Kohavi, Walker 2013). The change stays, its interval becomes
          shorter.
        </dd>
      </dl>
    </details>
  );
}
