import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { currentProjectID, invalidate, query } from "../../api.ts";
import { DetailFields } from "../../entity/detail-fields.tsx";
import { type EditProps, EntityPage } from "../../entity/entity-page.tsx";
import { EntitySteps } from "../../entity/entity-steps.tsx";
import { Facts } from "../../entity/facts.tsx";
import { HistoryTab, MAX_VERSIONS } from "../../entity/history-tab.tsx";
import { UsedByTab } from "../../entity/used-by-tab.tsx";
import { kinds } from "../../kinds/kinds.ts";
import { setFields } from "../../saving/draft-model.ts";
import { useRefusal } from "../../session/account.ts";
import { type DatasetDraft, datasetModel, describeDraft, describeVersions, type StoredDataset, toWriteRequests } from "./dataset-draft.ts";
import { RowsTab } from "./rows-tab.tsx";

const FROM = "/projects/$projectID/prompt-datasets/$id";

export default function PromptDatasetPage() {
  const { id } = useParams({ from: FROM });
  return <PromptDatasetView key={`${currentProjectID()} ${id}`} id={id} />;
}

function PromptDatasetView({ id }: { id: string }) {
  const { projectID } = useParams({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getPromptDataset", { path: { id } }));
  const stored = useMemo((): StoredDataset => ({ entity: answer.data, etag: answer.etag ?? "" }), [answer]);
  const { entity: dataset } = stored;
  const navigate = useNavigate({ from: FROM });
  const refusal = useRefusal()("edit_or_delete_configs");
  return (
    <EntityPage
      noun="prompt dataset"
      list={
        <Link to="/projects/$projectID/prompt-datasets" params={{ projectID }}>
          Prompt datasets
        </Link>
      }
      stored={stored}
      model={datasetModel}
      beside={<code>{dataset.id}</code>}
      write={toWriteRequests}
      inWords={describeDraft}
      reads={{ own: ["getPromptDataset"], others: ["listPromptDatasets", "listPromptDatasetVersions"] }}
      actions={({ count }) => (
        <EntitySteps
          name={dataset.name}
          hasDraft={count > 0}
          steps={[
            {
              id: "delete",
              label: "Delete",
              request: { operationId: "deletePromptDataset", path: { id }, ifMatch: stored.etag },
              about: <p>Earlier evaluations keep their rows and scores.</p>,
              canForce: true,
              done: "is deleted",
              isRestorable: true,
              disabledReason: refusal,
              isDangerous: true,
            },
          ]}
          onConflict={() => void invalidate("getPromptDataset")}
          onDone={async () => {
            await navigate({ to: "/projects/$projectID/prompt-datasets" });
            await invalidate("listPromptDatasets", "listChanges");
          }}
        />
      )}
      tabs={kinds.prompt_dataset.tabs}
      content={(tab, shared, restoreReason) => {
        switch (tab) {
          case "rows":
            return <RowsTab {...shared} />;
          case "history":
            return <DatasetHistory stored={stored} disabledReason={restoreReason} />;
          case "used-by":
            return (
              <UsedByTab type="prompt_dataset" id={id} noun="prompt dataset">
                Prompts that use this dataset for evaluations appear here.
              </UsedByTab>
            );
          case "details":
            return <Details {...shared} />;
        }
      }}
    />
  );
}

function Details({ draft, onChange, disabledReason, faults }: EditProps<DatasetDraft>) {
  const { entity: dataset } = draft.stored;
  const { rows: _, ...fields } = draft.fields;
  return (
    <DetailFields fields={fields} set={(changed) => onChange(setFields(draft, changed))} disabledReason={disabledReason} faults={faults}>
      <Facts id={dataset.id} of={dataset} />
    </DetailFields>
  );
}

function DatasetHistory({
  stored: { entity: dataset, etag },
  disabledReason,
}: {
  stored: StoredDataset;
  disabledReason: string | undefined;
}) {
  const { id, name } = dataset;
  return (
    <HistoryTab
      read={useQuery(query("listPromptDatasetVersions", { path: { id }, query: { limit: MAX_VERSIONS } }))}
      name={name}
      noun="prompt dataset"
      inWords={(_, before, after) => describeVersions(before, after)}
      restore={(version) => ({ operationId: "restorePromptDatasetVersion", path: { id, version }, ifMatch: etag })}
      disabledReason={disabledReason}
      onReadAgain={() => void invalidate("getPromptDataset", "listPromptDatasets", "listPromptDatasetVersions", "listChanges")}
    />
  );
}
