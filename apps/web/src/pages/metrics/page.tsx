import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { currentProjectID, invalidate, query } from "../../api.ts";
import { EntityPage } from "../../entity/entity-page.tsx";
import { EntitySteps } from "../../entity/entity-steps.tsx";
import { HistoryTab, MAX_VERSIONS } from "../../entity/history-tab.tsx";
import { UsedByTab } from "../../entity/used-by-tab.tsx";
import { kinds } from "../../kinds/kinds.ts";
import { isAutomatic } from "../../results/metric-days.ts";
import { useRefusal } from "../../session/account.ts";
import { Badge } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { DefinitionTab } from "./definition-tab.tsx";
import { DetailsTab } from "./details-tab.tsx";
import { describeDraft, describeVersions, faultsOfDraft, metricModel, type StoredMetric, toWriteRequests } from "./metric-draft.ts";
import { metricSteps } from "./metric-steps.tsx";
import { TYPES } from "./metric-words.ts";

const FROM = "/projects/$projectID/metrics/$id";
const READ_ONLY = "Read-only: this metric is managed through the API.";
const AUTOMATIC = "Read-only: Gatehouse creates this metric automatically.";
const ARCHIVED = "Unarchive the metric to change it.";

const { tabs: TABS } = kinds.metric;
/** An automatic metric has neither versions nor editable details. */
const AUTOMATIC_TABS = { definition: TABS.definition, "used-by": TABS["used-by"] } as const;

export default function MetricPage() {
  const { id } = useParams({ from: FROM });
  return <MetricView key={`${currentProjectID()} ${id}`} id={id} />;
}

function MetricView({ id }: { id: string }) {
  const { projectID } = useParams({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getMetric", { path: { id } }));
  const stored = useMemo((): StoredMetric => ({ entity: answer.data, etag: answer.etag ?? "" }), [answer]);
  const { entity: metric } = stored;
  const { isReadOnly, isHidden, archiveTime } = metric;
  const navigate = useNavigate({ from: FROM });
  const isOfNobody = isAutomatic(metric.type);
  const lockedReason = isOfNobody ? AUTOMATIC : isReadOnly ? READ_ONLY : isHidden ? ARCHIVED : undefined;
  const refusal = useRefusal()("metric_management") ?? (isReadOnly ? READ_ONLY : undefined);
  return (
    <EntityPage
      noun="metric"
      list={
        <Link to="/projects/$projectID/metrics" params={{ projectID }}>
          Metrics
        </Link>
      }
      stored={stored}
      model={metricModel}
      permission="metric_management"
      lockedReason={lockedReason}
      notices={
        <>
          {lockedReason !== undefined && <Notice>{lockedReason}</Notice>}
          {!isHidden && archiveTime !== null && (
            <Notice>
              Will be archived: <Time time={archiveTime} />. It’s not computed after that.
            </Notice>
          )}
        </>
      }
      beside={
        <>
          <Badge tone="plain">{TYPES[metric.type].label}</Badge>
          {metric.isVerified && <Badge tone="good">Verified</Badge>}
          <code>{id}</code>
        </>
      }
      findFaults={faultsOfDraft}
      write={toWriteRequests}
      inWords={describeDraft}
      reads={{ own: ["getMetric"], others: ["listMetrics", "listMetricVersions"] }}
      actions={({ count }) =>
        isOfNobody ? undefined : (
          <EntitySteps
            name={metric.name}
            hasDraft={count > 0}
            steps={metricSteps(stored, refusal)}
            onConflict={() => void invalidate("getMetric")}
            onDone={async (step) => {
              if (step.id === "delete") await navigate({ to: "/projects/$projectID/metrics" });
              else await invalidate("getMetric");
              await invalidate("listMetrics", "listMetricVersions", "listChanges");
            }}
          />
        )
      }
      // Only these tabs are shown, so no other can be opened.
      tabs={(isOfNobody ? AUTOMATIC_TABS : TABS) as typeof TABS}
      content={(tab, shared, restoreReason) => {
        switch (tab) {
          case "definition":
            return <DefinitionTab {...shared} />;
          case "history":
            return <MetricHistory stored={stored} disabledReason={restoreReason} />;
          case "used-by":
            return (
              <UsedByTab type="metric" id={id} noun="metric">
                Experiments, gates, holdouts, teams, and metrics that use it are listed here.
              </UsedByTab>
            );
          case "details":
            return <DetailsTab {...shared} />;
        }
      }}
    />
  );
}

type HistoryProps = { stored: StoredMetric; disabledReason: string | undefined };

function MetricHistory({ stored: { entity, etag }, disabledReason }: HistoryProps) {
  const { id, name } = entity;
  return (
    <HistoryTab
      read={useQuery(query("listMetricVersions", { path: { id }, query: { limit: MAX_VERSIONS } }))}
      name={name}
      noun="metric"
      inWords={(_, before, after) => describeVersions(before, after)}
      restore={(version) => ({ operationId: "restoreMetricVersion", path: { id, version }, ifMatch: etag })}
      disabledReason={disabledReason}
      onReadAgain={() => void invalidate("getMetric", "listMetrics", "listMetricVersions", "listChanges")}
    />
  );
}
