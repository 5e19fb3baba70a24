import { useQuery } from "@tanstack/react-query";
import { query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { explain } from "../../explain.ts";
import { VERDICT_TONES } from "../../results/verdict-badges.ts";
import { VERDICT_NAMES } from "../../results/verdicts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Select } from "../../ui/choice.tsx";
import { Loading, Notice } from "../../ui/notice.tsx";
import { plannedEndText, shippedValues, toFindings, wasLoaded } from "./decision.ts";
import type { Experiment } from "./states.ts";

type Props = { experiment: Experiment; groupID: string; onGroup: (groupID: string) => void };

/** What ships, and what the results and the health checks say of it. */
export default function DecisionFields({ experiment, groupID, onGroup }: Props) {
  const { groups, controlGroupID } = experiment;
  const groupName = (id: string | null) => groups.find((group) => group.id === id)?.name ?? "the control";
  const end = plannedEndText(experiment, Date.now());
  const alarming = experiment.healthChecks.filter(({ status }) => status === "FAILED" || status === "WARNING");
  return (
    <>
      <Select
        label="Group that ships"
        options={groups.map((group) => ({ id: group.id ?? "", label: group.name }))}
        value={groupID}
        onChange={onGroup}
      />
      {alarming.map(({ name, status, description }) => (
        <Notice key={name} tone={status === "FAILED" ? "bad" : "warn"} title={name}>
          <bdi>{description}</bdi>
        </Notice>
      ))}
      <section aria-label="What the results say">
        <h3>What the results say</h3>
        {end.isReached ? <p>{end.text}</p> : <Notice tone="warn">{end.text}</Notice>}
        {controlGroupID === null ? (
          <p>No control group is named, so nothing is compared here.</p>
        ) : groupID === controlGroupID ? (
          <p>
            <bdi>{groupName(controlGroupID)}</bdi> is the control: the other groups were compared with it.
          </p>
        ) : (
          <Findings id={experiment.id} control={controlGroupID} test={groupID} controlName={groupName(controlGroupID)} />
        )}
      </section>
      <ShippedValues experiment={experiment} groupID={groupID} />
    </>
  );
}

type FindingsProps = { id: string; control: string; test: string; controlName: string };

function Findings({ id, control, test, controlName }: FindingsProps) {
  const { data, error } = useQuery(query("getExperimentPulseResults", { path: { id }, query: { control, test } }));
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (!data) return <Loading label="Reading the results" />;
  const { primaryMetrics, secondaryMetrics, otherMetrics } = data.data;
  if (!wasLoaded([...primaryMetrics, ...secondaryMetrics, ...otherMetrics]))
    return <Notice tone="warn">Results were never loaded. Load them on the results tab before you decide.</Notice>;
  if (primaryMetrics.length === 0) return <p>No primary metric is named. The results tab shows the other ones.</p>;
  return (
    <div className={entity.scroll}>
      <table className={entity.table} aria-label="Primary metrics of the group">
        <thead>
          <tr>
            <th scope="col">Metric</th>
            <th scope="col">
              Change from <bdi>{controlName}</bdi>, with its interval
            </th>
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          {toFindings(primaryMetrics).map(({ metricID, name, verdict, change }) => (
            <tr key={metricID}>
              <th scope="row">
                <bdi>{name}</bdi>
              </th>
              <td>{change}</td>
              <td>
                <Badge tone={VERDICT_TONES[verdict]}>{VERDICT_NAMES[verdict]}</Badge>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ShippedValues({ experiment, groupID }: Pick<Props, "experiment" | "groupID">) {
  const { layerID } = experiment;
  const layer = useQuery({ ...query("getLayer", { path: { id: layerID ?? "" } }), enabled: layerID !== null });
  if (layer.error) return <Notice tone="bad">{explain(layer.error)}</Notice>;
  if (layerID !== null && !layer.data) return <Loading label="Reading the layer" />;
  const values = shippedValues(experiment, groupID, layer.data?.data.parameters);
  return (
    <section aria-label="What everybody gets">
      <h3>What everybody gets</h3>
      {values.length === 0 && <p>The group sets no parameters.</p>}
      {values.length > 0 && (
        <div className={entity.scroll}>
          <table className={entity.table} aria-label="Values that ship">
            <thead>
              <tr>
                <th scope="col">Parameter</th>
                {layerID !== null && <th scope="col">Default of the layer now</th>}
                <th scope="col">{layerID === null ? "Value" : "Then"}</th>
              </tr>
            </thead>
            <tbody>
              {values.map(({ name, value, before, isChanged }) => (
                <tr key={name}>
                  <th scope="row">
                    <bdi>{name}</bdi>
                  </th>
                  {layerID !== null && <td>{before === undefined ? "None" : <code>{before}</code>}</td>}
                  <td>
                    <code>{value}</code>
                    {layerID !== null && !isChanged && " (as now)"}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
