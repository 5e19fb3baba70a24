import { useSuspenseQuery } from "@tanstack/react-query";
import { useParams, useRouter } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { query, type Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { useRefusal } from "../../session/account.ts";
import { Page } from "../../shell/page.tsx";
import { useOfferActions } from "../../shell/page-actions.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/notice.tsx";
import { Table, type TableColumn } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { CreateWebhook } from "./create.tsx";
import { LIST } from "./reads.ts";
import { FORMATS } from "./webhook-words.ts";

export default function WebhookListPage() {
  const refusal = useRefusal()("edit_project_settings");
  if (refusal === undefined) return <WebhookList />;
  return (
    <Page title="Webhooks">
      <Empty title="You can’t view webhooks">{refusal}</Empty>
    </Page>
  );
}

function WebhookList() {
  const { data } = useSuspenseQuery(query("listWebhooks", LIST));
  const { buildLocation } = useRouter();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const [isCreating, setCreating] = useState(false);
  const refusal = useRefusal()("read_audit_logs");
  useOfferActions(
    useMemo(
      () => (refusal === undefined ? [{ id: "create", label: "Create a webhook", shortcut: "c", run: () => setCreating(true) }] : []),
      [refusal],
    ),
  );
  const create = (
    <Button look="primary" onPress={() => setCreating(true)} disabledReason={refusal}>
      <Plus aria-hidden="true" />
      Create webhook
    </Button>
  );
  return (
    <Page title="Webhooks" actions={create}>
      <p className={entity.soft}>Webhooks send changes and other events of this project to your systems and chats.</p>
      <Table
        label="Webhooks"
        columns={COLUMNS}
        items={data.data}
        getID={({ id }) => id}
        href={({ id }) => buildLocation({ to: "/projects/$projectID/webhooks/$id", params: { projectID, id } }).href}
        empty={
          <Empty title="No webhooks yet" action={create}>
            Create a webhook to get notified about changes, alerts, and reviews.
          </Empty>
        }
      />
      {isCreating && <CreateWebhook onClose={() => setCreating(false)} />}
    </Page>
  );
}

const COLUMNS: TableColumn<Schema<"Webhook">>[] = [
  { id: "name", name: "Name", width: "1fr", minWidth: 140, isRowHeader: true, cell: ({ name }) => <bdi title={name}>{name}</bdi> },
  {
    id: "status",
    name: "Status",
    width: 110,
    cell: ({ isEnabled }) => <Badge tone={isEnabled ? "good" : "off"}>{isEnabled ? "Enabled" : "Disabled"}</Badge>,
  },
  { id: "url", name: "URL", width: "2fr", minWidth: 140, cell: ({ url }) => <bdi>{url}</bdi> },
  {
    id: "format",
    name: "Format",
    width: 160,
    cell: ({ format }) => (format === "standard" ? "JSON" : FORMATS.find(({ id }) => id === format)?.label),
  },
  { id: "changed", name: "Changed", width: 130, cell: ({ lastModifiedTime }) => <Time time={lastModifiedTime} /> },
];
