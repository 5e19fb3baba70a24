import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { currentProjectID, invalidate, query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { EntityPage } from "../../entity/entity-page.tsx";
import { EntitySteps } from "../../entity/entity-steps.tsx";
import { Facts } from "../../entity/facts.tsx";
import { HistoryTab, MAX_VERSIONS } from "../../entity/history-tab.tsx";
import { OwnerField } from "../../entity/owner-field.tsx";
import { TagsField } from "../../entity/tags-field.tsx";
import { TeamField } from "../../entity/team-field.tsx";
import { kinds } from "../../kinds/kinds.ts";
import { describeStatus } from "../../results/alert-words.ts";
import { setFields } from "../../saving/draft-model.ts";
import { useRefusal } from "../../session/account.ts";
import { Section } from "../../shell/page.tsx";
import { Badge } from "../../ui/badge.tsx";
import { TextField } from "../../ui/field.tsx";
import {
  type AlertDraft,
  alertModel,
  describeDraft,
  describeVersions,
  type Fields,
  type StoredAlert,
  toWriteRequests,
} from "./alert-draft.ts";
import { DefinitionTab } from "./definition-tab.tsx";
import { StatusTab } from "./status-tab.tsx";

const FROM = "/projects/$projectID/alerts/$id";

export default function AlertPage() {
  const { id } = useParams({ from: FROM });
  return <AlertView key={`${currentProjectID()} ${id}`} id={id} />;
}

function AlertView({ id }: { id: string }) {
  const { projectID } = useParams({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getAlert", { path: { id } }));
  const stored = useMemo((): StoredAlert => ({ entity: answer.data, etag: answer.etag ?? "" }), [answer]);
  const { entity: alert } = stored;
  const { name, tone } = describeStatus(alert);
  return (
    <EntityPage
      noun="alert"
      list={
        <Link to="/projects/$projectID/alerts" params={{ projectID }}>
          Alerts
        </Link>
      }
      stored={stored}
      model={alertModel}
      permission="manage_alerts"
      beside={
        <>
          <Badge tone={tone}>{name}</Badge>
          <code>{alert.id}</code>
        </>
      }
      write={toWriteRequests}
      inWords={describeDraft}
      reads={{ own: ["getAlert"], others: ["listAlerts", "listAlertVersions"] }}
      actions={({ count }) => <AlertSteps stored={stored} hasDraft={count > 0} />}
      tabs={kinds.alert.tabs}
      content={(tab, { draft, onChange, disabledReason, faults }, restoreReason) => {
        switch (tab) {
          case "status":
            return <StatusTab alert={alert} />;
          case "definition":
            return <DefinitionTab {...{ draft, onChange, disabledReason, faults }} />;
          case "history":
            return <AlertHistory stored={stored} disabledReason={restoreReason} />;
          case "details": {
            const set = (changed: Partial<Fields>) => onChange(setFields<StoredAlert["entity"], Fields>(draft, changed));
            const at = (property: string) => ({
              error: faults.find((fault) => fault.property === property)?.message,
              isDisabled: disabledReason !== undefined,
            });
            return <AlertDetails {...{ draft, set, at, stored }} />;
          }
        }
      }}
    />
  );
}

type DetailsProps = {
  draft: AlertDraft;
  set: (changed: Partial<Fields>) => void;
  at: (property: string) => { error: string | undefined; isDisabled: boolean };
  stored: StoredAlert;
};

function AlertDetails({ draft: { fields }, set, at, stored: { entity: alert } }: DetailsProps) {
  return (
    <div className={entity.columns}>
      <Section title="Description">
        <div className={entity.card}>
          <TextField label="Name" value={fields.name ?? ""} onChange={(name) => set({ name })} {...at("name")} />
          <TextField
            label="Message"
            rows={4}
            value={fields.description}
            onChange={(description) => set({ description })}
            description="Included in every alert. Tell responders what to do."
            {...at("message")}
          />
          <TagsField tags={fields.tags} onChange={(tags) => set({ tags })} {...at("tags")} />
          <TeamField value={fields} onChange={set} {...at("teamID")} />
          <OwnerField value={fields.owner} onChange={set} {...at("owner")} />
        </div>
      </Section>
      <Facts id={alert.id} of={alert} />
    </div>
  );
}

function AlertSteps({ stored: { entity: alert, etag }, hasDraft }: { stored: StoredAlert; hasDraft: boolean }) {
  const navigate = useNavigate({ from: FROM });
  const disabledReason = useRefusal()("manage_alerts");
  const { id, name = id } = alert;
  return (
    <EntitySteps
      name={name}
      steps={[
        {
          id: "delete",
          label: "Delete",
          request: { operationId: "deleteAlert", path: { id }, ifMatch: etag },
          canForce: true,
          done: "is deleted",
          isRestorable: true,
          disabledReason,
          isDangerous: true,
          about: <p>The alert and its events are deleted. It no longer pauses releases as a guardrail.</p>,
        },
      ]}
      hasDraft={hasDraft}
      onConflict={() => void invalidate("getAlert")}
      onDone={async () => {
        await navigate({ to: "/projects/$projectID/alerts" });
        await invalidate("listAlerts", "listAlertVersions", "listChanges", "listReferences");
      }}
    />
  );
}

function AlertHistory({ stored: { entity: alert, etag }, disabledReason }: { stored: StoredAlert; disabledReason: string | undefined }) {
  const { id, name = id } = alert;
  return (
    <HistoryTab
      read={useQuery(query("listAlertVersions", { path: { id }, query: { limit: MAX_VERSIONS } }))}
      name={name}
      noun="alert"
      inWords={(_, before, after) => describeVersions(before, after)}
      restore={(version) => ({ operationId: "restoreAlertVersion", path: { id, version }, ifMatch: etag })}
      disabledReason={disabledReason}
      onReadAgain={() => void invalidate("getAlert", "listAlerts", "listAlertVersions", "listChanges", "listReferences")}
    />
  );
}
