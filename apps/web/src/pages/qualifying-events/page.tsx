import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { call, currentProjectID, query } from "../../api.ts";
import type { EditProps } from "../../entity/entity-page.tsx";
import { MAX_VERSIONS } from "../../entity/history-tab.tsx";
import { usePreview } from "../../sources/preview.tsx";
import { previewRequest } from "../../sources/preview-request.ts";
import { SourcePage } from "../../sources/source-page.tsx";
import { faultsOfDraft, type TableSourceDraft, tableSourceModel } from "../../sources/table-source-draft.ts";
import { TableSourceTab } from "../../sources/table-source-tab.tsx";
import { describeDraft, describeVersions, toWriteRequests } from "./qualifying-event-draft.ts";

const FROM = "/projects/$projectID/qualifying-events/$id";

const useVersions = (name: string) => useQuery(query("listQualifyingEventVersions", { path: { name }, query: { limit: MAX_VERSIONS } }));

export default function QualifyingEventPage() {
  const { id } = useParams({ from: FROM });
  return <QualifyingEventView key={`${currentProjectID()} ${id}`} name={id} />;
}

function QualifyingEventView({ name }: { name: string }) {
  const { data: answer } = useSuspenseQuery(query("getQualifyingEvent", { path: { name } }));
  return (
    <SourcePage
      noun="qualifying event"
      list={{ to: "/projects/$projectID/qualifying-events", title: "Qualifying events" }}
      answer={answer}
      model={tableSourceModel}
      findFaults={faultsOfDraft}
      write={toWriteRequests}
      describeDraft={describeDraft}
      describeVersions={describeVersions}
      reads={{ one: "getQualifyingEvent", list: "listQualifyingEvents", versions: "listQualifyingEventVersions" }}
      remove={{ operationId: "deleteQualifyingEvent", path: { name } }}
      restore={(version) => ({ operationId: "restoreQualifyingEventVersion", path: { name, version } })}
      useVersions={useVersions}
    >
      {(shared) => <SourceTab {...shared} />}
    </SourcePage>
  );
}

function SourceTab(shared: EditProps<TableSourceDraft>) {
  const preview = usePreview(previewRequest(shared.draft.fields), (body) => call("previewQualifyingEvent", { body }));
  return (
    <TableSourceTab {...shared} preview={preview} unitsAre="The columns with unit IDs. Experiments use the column of their unit ID type." />
  );
}
