import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { currentProjectID, invalidate, query, type Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { type EditProps, EntityPage } from "../../entity/entity-page.tsx";
import { EntitySteps } from "../../entity/entity-steps.tsx";
import { Facts } from "../../entity/facts.tsx";
import { HistoryTab, MAX_VERSIONS } from "../../entity/history-tab.tsx";
import { kinds } from "../../kinds/kinds.ts";
import { setFields } from "../../saving/draft-model.ts";
import { useRefusal } from "../../session/account.ts";
import { Section } from "../../shell/page.tsx";
import { Select } from "../../ui/choice.tsx";
import { Switch, TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { ChoicesField } from "./choices-field.tsx";
import { DeliveriesTab } from "./deliveries-tab.tsx";
import { SecretSection } from "./secret-section.tsx";
import {
  describeDraft,
  describeVersions,
  type Fields,
  type StoredWebhook,
  toWriteRequests,
  type WebhookDraft,
  webhookModel,
} from "./webhook-draft.ts";
import { ACTIONS, FORMATS, typeOptions, urlFault } from "./webhook-words.ts";

const FROM = "/projects/$projectID/webhooks/$id";

type Nouns = { [Type in Exclude<keyof typeof kinds, "person" | "project">]: string };
const TYPES = typeOptions(
  Object.fromEntries(
    Object.entries(kinds).flatMap(([type, { noun }]) => (type === "person" || type === "project" ? [] : [[type, noun]])),
  ) as Nouns,
);

export default function WebhookPage() {
  const { id } = useParams({ from: FROM });
  return <WebhookView key={`${currentProjectID()} ${id}`} id={id} />;
}

function WebhookView({ id }: { id: string }) {
  const { projectID } = useParams({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getWebhook", { path: { id } }));
  const stored = useMemo((): StoredWebhook => ({ entity: answer.data, etag: answer.etag ?? "" }), [answer]);
  const { entity: webhook } = stored;
  const navigate = useNavigate({ from: FROM });
  const refusal = useRefusal()("edit_project_settings");
  return (
    <EntityPage
      noun="webhook"
      list={
        <Link to="/projects/$projectID/webhooks" params={{ projectID }}>
          Webhooks
        </Link>
      }
      stored={stored}
      model={webhookModel}
      permission="edit_project_settings"
      write={toWriteRequests}
      inWords={describeDraft}
      reads={{ own: ["getWebhook"], others: ["listWebhooks", "listWebhookVersions", "listWebhookDeliveries"] }}
      actions={({ count }) => (
        <EntitySteps
          name={webhook.name}
          hasDraft={count > 0}
          steps={[
            {
              id: "delete",
              label: "Delete",
              request: { operationId: "deleteWebhook", path: { id }, ifMatch: stored.etag },
              about: <p>Its deliveries are deleted too. Pending events are not sent.</p>,
              done: "is deleted",
              isRestorable: true,
              disabledReason: refusal,
              isDangerous: true,
            },
          ]}
          onConflict={() => void invalidate("getWebhook")}
          onDone={async () => {
            await navigate({ to: "/projects/$projectID/webhooks" });
            await invalidate("listWebhooks", "listChanges");
          }}
        />
      )}
      tabs={kinds.webhook.tabs}
      content={(tab, shared, restoreReason) => {
        switch (tab) {
          case "webhook":
            return <WebhookTab {...shared} />;
          case "deliveries":
            return <DeliveriesTab id={id} disabledReason={refusal ?? (webhook.isEnabled ? undefined : "Enable the webhook first.")} />;
          case "history":
            return <WebhookHistory stored={stored} disabledReason={restoreReason} />;
        }
      }}
    />
  );
}

function WebhookTab({ draft, onChange, disabledReason, faults }: EditProps<WebhookDraft>) {
  const { fields, stored } = draft;
  const set = (changed: Partial<Fields>) => onChange(setFields(draft, changed));
  const faultAt = (property: string) => faults.find((fault) => fault.property === property)?.message;
  const isDisabled = disabledReason !== undefined;
  return (
    <div className={entity.columns}>
      <Section title="Webhook">
        <div className={entity.card}>
          {stored.entity.disabledReason !== null && (
            <Notice tone="bad">{`The server disabled this webhook. ${stored.entity.disabledReason}`}</Notice>
          )}
          <Switch isSelected={fields.isEnabled} onChange={(isEnabled) => set({ isEnabled })} isDisabled={isDisabled}>
            Send events
          </Switch>
          <TextField label="Name" value={fields.name} onChange={(name) => set({ name })} isDisabled={isDisabled} error={faultAt("name")} />
          <TextField
            label="Description"
            rows={3}
            value={fields.description}
            onChange={(description) => set({ description })}
            isDisabled={isDisabled}
            error={faultAt("description")}
          />
          <TextField
            label="URL"
            value={fields.url}
            onChange={(url) => set({ url })}
            isDisabled={isDisabled}
            error={urlFault(fields.url) ?? faultAt("url")}
          />
          <Select
            label="Format"
            options={FORMATS}
            value={fields.format}
            onChange={(format) => set({ format: format as Schema<"WebhookFormat"> })}
            isDisabled={isDisabled}
          />
        </div>
      </Section>
      <Section title="Events">
        <div className={entity.card}>
          <ChoicesField
            label="Add a type"
            all="All types"
            options={TYPES}
            chosen={fields.entityTypes}
            onChange={(entityTypes) => set({ entityTypes })}
            isDisabled={isDisabled}
          />
          <ChoicesField
            label="Add an action"
            all="All actions"
            options={ACTIONS}
            chosen={fields.actions}
            onChange={(actions) => set({ actions })}
            isDisabled={isDisabled}
          />
        </div>
      </Section>
      {/* Chats don’t check signatures. */}
      <SecretSection id={stored.entity.id} isSigned={fields.format === "standard"} hasDraft={webhookModel.countChanges(draft) > 0} />
      <Facts id={stored.entity.id} of={stored.entity} facts={[]} />
    </div>
  );
}

function WebhookHistory({
  stored: { entity: webhook, etag },
  disabledReason,
}: {
  stored: StoredWebhook;
  disabledReason: string | undefined;
}) {
  const { id, name } = webhook;
  return (
    <HistoryTab
      read={useQuery(query("listWebhookVersions", { path: { id }, query: { limit: MAX_VERSIONS } }))}
      name={name}
      noun="webhook"
      inWords={(_, before, after) => describeVersions(before, after)}
      restore={(version) => ({ operationId: "restoreWebhookVersion", path: { id, version }, ifMatch: etag })}
      disabledReason={disabledReason}
      onReadAgain={() => void invalidate("getWebhook", "listWebhooks", "listWebhookVersions", "listChanges")}
    />
  );
}
