import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { explain } from "../../explain.ts";
import { ROLE_NAMES, type ScoreRow, scoreRows } from "../../results/score-rows.ts";
import { VERDICT_TONES } from "../../results/verdict-badges.ts";
import { numberText, VERDICT_NAMES } from "../../results/verdicts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Select } from "../../ui/choice.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { Loading, Notice } from "../../ui/notice.tsx";
import { concernsOf, plannedEndText, shippedValues, toFindings, wasLoaded } from "./decision.ts";
import { guardrailLimits } from "./guardrail-words.ts";
import type { Experiment } from "./states.ts";
import { ALERTS_READ } from "./steps.ts";

type Props = {
  experiment: Experiment;
  groupID: string;
  onGroup: (groupID: string) => void;
  /** The reason why the group cannot ship yet: the reader has not confirmed the concerns. Undefined without concerns, or after that. */
  onUnconfirmed: (reason: string | undefined) => void;
};

/** The group to ship, with its results and health checks. */
export default function DecisionFields({ experiment, groupID, onGroup, onUnconfirmed }: Props) {
  const { groups, controlGroupID } = experiment;
  const groupName = (id: string | null) => groups.find((group) => group.id === id)?.name ?? "the control";
  const end = plannedEndText(experiment, Date.now());
  const alarming = experiment.healthChecks.filter(({ status }) => status === "FAILED" || status === "WARNING");
  return (
    <>
      <Select
        label="Winning group"
        options={groups.map((group) => ({ id: group.id ?? "", label: group.name }))}
        value={groupID}
        onChange={onGroup}
      />
      {alarming.map(({ name, status, description }) => (
        <Notice key={name} tone={status === "FAILED" ? "bad" : "warn"} title={name}>
          <bdi>{description}</bdi>
        </Notice>
      ))}
      <section aria-label="Results">
        <h3>Results</h3>
        {end.isRisky ? <Notice tone="warn">{end.text}</Notice> : <p>{end.text}</p>}
        {controlGroupID === null ? (
          <p>Set a control group to see comparisons.</p>
        ) : groupID === controlGroupID ? (
          <p>
            <bdi>{groupName(controlGroupID)}</bdi> is the control group. The other groups are compared with it.
          </p>
        ) : (
          <Findings experiment={experiment} control={controlGroupID} test={groupID} controlName={groupName(controlGroupID)} />
        )}
      </section>
      <Concerns key={groupID} {...{ experiment, groupID, onUnconfirmed }} />
      <ShippedValues experiment={experiment} groupID={groupID} />
    </>
  );
}

/** Concerns about the group: open alerts, and metrics that got worse. Shipping it anyway has to be confirmed. */
function Concerns({ experiment, groupID, onUnconfirmed }: Omit<Props, "onGroup">) {
  const { id, controlGroupID } = experiment;
  const [isConfirmed, setConfirmed] = useState(false);
  const alerts = useQuery(query("listExperimentAlerts", { path: { id }, query: { limit: ALERTS_READ } }));
  const isCompared = controlGroupID !== null && groupID !== controlGroupID;
  const results = useQuery({
    ...query("getExperimentPulseResults", { path: { id }, query: { control: controlGroupID ?? "", test: groupID } }),
    enabled: isCompared,
  });
  const isRead = !alerts.isPending && (!isCompared || !results.isPending);
  const concerns = concernsOf(experiment, groupID, alerts.data?.data.alerts ?? [], results.data?.data);
  const reason = isRead ? (concerns.length > 0 && !isConfirmed ? UNCONFIRMED : undefined) : "Loading results.";
  useEffect(() => {
    onUnconfirmed(reason);
    return () => onUnconfirmed(undefined);
  }, [onUnconfirmed, reason]);
  if (alerts.error) return <Notice tone="bad">{explain(alerts.error)}</Notice>;
  if (concerns.length === 0) return null;
  return (
    <Notice tone="bad" title="Before you ship this group">
      <ul>
        {concerns.map((concern) => (
          <li key={concern}>
            <bdi>{concern}</bdi>
          </li>
        ))}
      </ul>
      <Checkbox isSelected={isConfirmed} onChange={setConfirmed}>
        Ship it anyway
      </Checkbox>
    </Notice>
  );
}

const UNCONFIRMED = "Confirm “Ship it anyway” first.";

type FindingsProps = { experiment: Experiment; control: string; test: string; controlName: string };

function Findings({ experiment, control, test, controlName }: FindingsProps) {
  const { data, error } = useQuery(query("getExperimentPulseResults", { path: { id: experiment.id }, query: { control, test } }));
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (!data) return <Loading label="Loading results" />;
  const { primaryMetrics, secondaryMetrics, otherMetrics } = data.data;
  if (!wasLoaded([...primaryMetrics, ...secondaryMetrics, ...otherMetrics]))
    return <Notice tone="warn">No results yet. Refresh them on the Results tab before you decide.</Notice>;
  const rows = scoreRows([{ group: { id: test, name: test }, pulse: data.data }], guardrailLimits(experiment));
  return (
    <>
      {primaryMetrics.length === 0 && <p>No primary metrics.</p>}
      {DECIDING.map((role) => (
        <FindingsTable key={role} role={role} rows={rows.filter((row) => row.role === role)} controlName={controlName} />
      ))}
    </>
  );
}

/** The roles of the metrics that a decision shows, in this order. */
const DECIDING = ["primary", "guardrail", "secondary"] as const;
const COLUMN_NAMES = { primary: "Primary metric", guardrail: "Guardrail", secondary: "Secondary metric" } as const;

type TableProps = { role: (typeof DECIDING)[number]; rows: readonly ScoreRow[]; controlName: string };

function FindingsTable({ role, rows, controlName }: TableProps) {
  if (rows.length === 0) return null;
  return (
    <div className={entity.scroll}>
      <table className={entity.table} aria-label={`${ROLE_NAMES[role]} of the group`}>
        <thead>
          <tr>
            <th scope="col">{COLUMN_NAMES[role]}</th>
            <th scope="col">
              Change from <bdi>{controlName}</bdi>, with its interval
            </th>
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          {toFindings(rows).map(({ metricID, name, limit, verdict, change }) => (
            <tr key={metricID}>
              <th scope="row">
                <bdi>{name}</bdi>
                {limit !== undefined && <div className={entity.soft}>At most {numberText(limit)}% worse</div>}
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
  if (layerID !== null && !layer.data) return <Loading label="Loading layer" />;
  const values = shippedValues(experiment, groupID, layer.data?.data.parameters);
  return (
    <section aria-label="Values that users get">
      <h3>Values that users get</h3>
      {values.length === 0 && <p>This group has no parameters.</p>}
      {values.length > 0 && (
        <div className={entity.scroll}>
          <table className={entity.table} aria-label="Values to ship">
            <thead>
              <tr>
                <th scope="col">Parameter</th>
                {layerID !== null && <th scope="col">Current layer default</th>}
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
