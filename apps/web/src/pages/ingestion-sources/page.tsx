import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { Suspense, useMemo, useState } from "react";
import { currentProjectID, invalidate, query } from "../../api.ts";
import { EntityPage } from "../../entity/entity-page.tsx";
import { EntitySteps } from "../../entity/entity-steps.tsx";
import { HistoryTab, MAX_VERSIONS } from "../../entity/history-tab.tsx";
import { INGESTION_EDIT } from "../../ingestion/ingestion-words.ts";
import { kinds } from "../../kinds/kinds.ts";
import { useRefusal } from "../../session/account.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Loading } from "../../ui/notice.tsx";
import { soon, soonDialog } from "../../ui/soon.tsx";
import { DetailsTab } from "./details-tab.tsx";
import { faultsOfDraft } from "./form-places.ts";
import {
  describeDraft,
  describeVersions,
  ingestionSourceModel,
  type StoredIngestionSource,
  toWriteRequests,
} from "./ingestion-source-draft.ts";
import { SourceTab } from "./source-tab.tsx";

const FROM = "/projects/$projectID/ingestion-sources/$id";
const SAVE_FIRST = "Save or discard your changes first.";

const BackfillDialog = soonDialog(() => import("../../ingestion/backfill-dialog.tsx"));
const DaysTab = soon(() => import("./days-tab.tsx"));

export default function IngestionSourcePage() {
  const { id } = useParams({ from: FROM });
  return <IngestionSourceView key={`${currentProjectID()} ${id}`} name={id} />;
}

function IngestionSourceView({ name }: { name: string }) {
  const { projectID } = useParams({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getIngestionSource", { path: { name } }));
  const stored = useMemo((): StoredIngestionSource => ({ entity: answer.data, etag: answer.etag ?? "" }), [answer]);
  const { entity: source } = stored;
  const navigate = useNavigate({ from: FROM });
  const refusal = useRefusal()(INGESTION_EDIT);
  const [isBackfilling, setBackfilling] = useState(false);
  return (
    <EntityPage
      noun="ingestion source"
      list={
        <Link to="/projects/$projectID/ingestion-sources" params={{ projectID }}>
          Ingestion sources
        </Link>
      }
      stored={stored}
      model={ingestionSourceModel}
      title={name}
      permission={INGESTION_EDIT}
      beside={
        <>
          <Badge>{source.data.dataset}</Badge>
          {source.enabled ? <Badge tone="good">Copied daily</Badge> : <Badge tone="off">Not copied daily</Badge>}
        </>
      }
      findFaults={faultsOfDraft}
      write={toWriteRequests}
      inWords={describeDraft}
      reads={{ own: ["getIngestionSource"], others: ["listIngestionSources", "listIngestionSourceVersions"] }}
      actions={({ count }) => (
        <>
          <Button onPress={() => setBackfilling(true)} disabledReason={refusal ?? (count > 0 ? SAVE_FIRST : undefined)}>
            Backfill
          </Button>
          <EntitySteps
            name={name}
            hasDraft={count > 0}
            steps={[
              {
                id: "delete",
                label: "Delete",
                request: { operationId: "deleteIngestionSource", path: { name }, ifMatch: stored.etag },
                about: (
                  <p>
                    Copied rows are kept. Days that are still waiting to be copied fail. A new source with the same name doesn’t copy rows
                    twice.
                  </p>
                ),
                done: "is deleted",
                isRestorable: true,
                disabledReason: refusal,
                isDangerous: true,
              },
            ]}
            onConflict={() => void invalidate("getIngestionSource")}
            onDone={async () => {
              await navigate({ to: "/projects/$projectID/ingestion-sources" });
              await invalidate("listIngestionSources", "listChanges");
            }}
          />
          {isBackfilling && (
            <Suspense>
              <BackfillDialog source={source} onClose={() => setBackfilling(false)} />
            </Suspense>
          )}
        </>
      )}
      tabs={kinds.ingestion_source.tabs}
      content={(tab, shared, restoreReason) => {
        switch (tab) {
          case "source":
            return <SourceTab {...shared} />;
          case "days":
            return (
              <Suspense fallback={<Loading />}>
                <DaysTab name={name} />
              </Suspense>
            );
          case "history":
            return <IngestionSourceHistory stored={stored} disabledReason={restoreReason} />;
          case "details":
            return <DetailsTab {...shared} />;
        }
      }}
    />
  );
}

type HistoryProps = { stored: StoredIngestionSource; disabledReason: string | undefined };

function IngestionSourceHistory({ stored: { entity: source, etag }, disabledReason }: HistoryProps) {
  const { id: name } = source;
  return (
    <HistoryTab
      read={useQuery(query("listIngestionSourceVersions", { path: { name }, query: { limit: MAX_VERSIONS } }))}
      name={name}
      noun="ingestion source"
      inWords={(_, before, after) => describeVersions(before, after)}
      restore={(version) => ({ operationId: "restoreIngestionSourceVersion", path: { name, version }, ifMatch: etag })}
      disabledReason={disabledReason}
      onReadAgain={() => void invalidate("getIngestionSource", "listIngestionSources", "listIngestionSourceVersions", "listChanges")}
    />
  );
}
