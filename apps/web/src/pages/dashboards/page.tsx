import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { currentProjectID, invalidate, query } from "../../api.ts";
import { DetailFields } from "../../entity/detail-fields.tsx";
import { EntityPage } from "../../entity/entity-page.tsx";
import { EntitySteps } from "../../entity/entity-steps.tsx";
import { Facts } from "../../entity/facts.tsx";
import { HistoryTab, MAX_VERSIONS } from "../../entity/history-tab.tsx";
import { kinds } from "../../kinds/kinds.ts";
import { setFields } from "../../saving/draft-model.ts";
import { useRefusal } from "../../session/account.ts";
import {
  type Dashboard,
  dashboardModel,
  describeDraft,
  describeVersions,
  type Fields,
  type StoredDashboard,
  toWriteRequests,
} from "./dashboard-draft.ts";
import { WidgetsTab } from "./widgets-tab.tsx";

const FROM = "/projects/$projectID/dashboards/$id";

export default function DashboardPage() {
  const { id } = useParams({ from: FROM });
  return <DashboardView key={`${currentProjectID()} ${id}`} id={id} />;
}

function DashboardView({ id }: { id: string }) {
  const { projectID } = useParams({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getDashboard", { path: { id } }));
  const stored = useMemo((): StoredDashboard => ({ entity: answer.data, etag: answer.etag ?? "" }), [answer]);
  const { entity: dashboard } = stored;
  const navigate = useNavigate({ from: FROM });
  const refusal = useRefusal()("create_or_edit_dashboards");
  return (
    <EntityPage
      noun="dashboard"
      list={
        <Link to="/projects/$projectID/dashboards" params={{ projectID }}>
          Dashboards
        </Link>
      }
      stored={stored}
      model={dashboardModel}
      permission="create_or_edit_dashboards"
      beside={<code>{dashboard.id}</code>}
      write={toWriteRequests}
      inWords={describeDraft}
      reads={{ own: ["getDashboard"], others: ["listDashboards", "listDashboardVersions"] }}
      actions={({ count }) => (
        <EntitySteps
          name={dashboard.name}
          hasDraft={count > 0}
          steps={[
            {
              id: "delete",
              label: "Delete",
              request: { operationId: "deleteDashboard", path: { id }, ifMatch: stored.etag },
              about: <p>Its metrics, experiments, and alerts stay.</p>,
              done: "is deleted",
              isRestorable: true,
              disabledReason: refusal,
              isDangerous: true,
            },
          ]}
          onConflict={() => void invalidate("getDashboard")}
          onDone={async () => {
            await navigate({ to: "/projects/$projectID/dashboards" });
            await invalidate("listDashboards", "listChanges", "listReferences");
          }}
        />
      )}
      tabs={kinds.dashboard.tabs}
      content={(tab, shared, restoreReason) => {
        const { draft, onChange, disabledReason, faults } = shared;
        switch (tab) {
          case "widgets":
            return <WidgetsTab {...shared} />;
          case "history":
            return <DashboardHistory stored={stored} disabledReason={restoreReason} />;
          case "details":
            return (
              <DetailFields
                fields={draft.fields}
                set={(changed) => onChange(setFields<Dashboard, Fields>(draft, changed))}
                disabledReason={disabledReason}
                faults={faults}
              >
                <Facts id={dashboard.id} of={dashboard} />
              </DetailFields>
            );
        }
      }}
    />
  );
}

type HistoryProps = { stored: StoredDashboard; disabledReason: string | undefined };

function DashboardHistory({ stored: { entity, etag }, disabledReason }: HistoryProps) {
  const { id, name } = entity;
  return (
    <HistoryTab
      read={useQuery(query("listDashboardVersions", { path: { id }, query: { limit: MAX_VERSIONS } }))}
      name={name}
      noun="dashboard"
      inWords={(_, before, after) => describeVersions(before, after)}
      restore={(version) => ({ operationId: "restoreDashboardVersion", path: { id, version }, ifMatch: etag })}
      disabledReason={disabledReason}
      onReadAgain={() => void invalidate("getDashboard", "listDashboards", "listDashboardVersions", "listChanges", "listReferences")}
    />
  );
}
