import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { call, invalidate, query } from "../../api.ts";
import { OWNER_COLUMNS } from "../../entity/common-columns.tsx";
import { CreateEntity } from "../../entity/create-entity.tsx";
import { EntityList } from "../../entity/entity-list.tsx";
import { ListFilters } from "../../entity/list-filters.tsx";
import { NameCell } from "../../entity/name-cell.tsx";
import { statusListRequest } from "../../entity/plain-list-search.ts";
import { type Alert, conditionInWords, describeStatus, STATUS_NAMES } from "../../results/alert-words.ts";
import { useRefusal } from "../../session/account.ts";
import { metricLabels } from "../../targeting/metric-id.ts";
import { Badge } from "../../ui/badge.tsx";
import { soon } from "../../ui/soon.tsx";
import type { TableColumn } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { type Condition, ConditionFields } from "./condition-fields.tsx";

const GuardrailAlerts = soon(() => import("../../guardrails/guardrail-alerts.tsx"));

const FROM = "/projects/$projectID/alerts";

/** @param toLabel the name of a metric */
const columnsWith = (toLabel: (metricID: string) => string): TableColumn<Alert>[] => [
  {
    id: "name",
    name: "Name",
    width: "2fr",
    minWidth: 180,
    isRowHeader: true,
    allowsSorting: true,
    cell: ({ id, name }) => <NameCell id={id} name={name ?? id} />,
  },
  {
    id: "status",
    name: "Status",
    width: 160,
    cell: (alert) => {
      const { name, tone } = describeStatus(alert);
      return <Badge tone={tone}>{name}</Badge>;
    },
  },
  { id: "metric", name: "Metric", width: "1fr", minWidth: 130, cell: ({ metrics }) => <bdi>{toLabel(metrics.A.id)}</bdi> },
  { id: "condition", name: "Condition", width: "2fr", minWidth: 180, cell: conditionInWords },
  ...OWNER_COLUMNS,
  {
    id: "lastTriggeredTime",
    name: "Last triggered",
    width: 130,
    cell: ({ lastTriggeredTime }) => (lastTriggeredTime === null ? "Never" : <Time time={lastTriggeredTime} />),
  },
];

/** A new alert before anything is chosen. */
const NOTHING: Condition = {
  metric: "",
  alertType: "threshold",
  condition: "greater",
  alertThreshold: 0,
  warningThreshold: null,
  windowMs: 3_600_000,
};

export default function AlertList() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { buildLocation } = useRouter();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const { data: answer } = useSuspenseQuery(query("listAlerts", statusListRequest(search)));
  const [given, setGiven] = useState(NOTHING);
  const columns = useMemo(() => columnsWith(metricLabels(answer.data.map(({ metrics }) => metrics.A.id))), [answer]);
  const open = (id: string) => navigate({ to: "/projects/$projectID/alerts/$id", params: (params) => ({ ...params, id }) });
  return (
    <EntityList
      noun="alert"
      nouns="alerts"
      title="Alerts"
      answer={answer}
      columns={columns}
      getID={({ id }) => id}
      href={({ id }) => buildLocation({ to: "/projects/$projectID/alerts/$id", params: { projectID, id } }).href}
      filters={<ListFilters noun="alerts" statuses={STATUS_NAMES} hasTeams hasOwners />}
      above={<GuardrailAlerts />}
      usualSort="createdTime"
      disabledReason={useRefusal()("manage_alerts")}
      create={(isOpen, onClose) => (
        <CreateEntity
          hasTeam
          hasOwner
          noun="alert"
          isOpen={isOpen}
          onClose={onClose}
          hasDescription={false}
          fields={(faultAt) => (
            <ConditionFields fields={given} set={(changed) => setGiven({ ...given, ...changed })} faultAt={faultAt} isDisabled={false} />
          )}
          create={async ({ id: _id, description: _description, ...own }) => {
            const { metric, warningThreshold: _, ...condition } = given;
            const { data } = await call("createAlert", { body: { ...own, metrics: { A: { id: metric } }, priority: "P3", ...condition } });
            setGiven(NOTHING);
            await invalidate("listAlerts", "listChanges", "listReferences");
            await open(data.id);
          }}
        >
          You can add a warning threshold, a message and repeated reports afterwards.
        </CreateEntity>
      )}
      purpose="Know within minutes when a metric crosses a threshold."
    />
  );
}
