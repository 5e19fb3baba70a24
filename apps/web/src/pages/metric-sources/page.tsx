import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { call, currentProjectID, query } from "../../api.ts";
import type { EditProps } from "../../entity/entity-page.tsx";
import { MAX_VERSIONS } from "../../entity/history-tab.tsx";
import { usePreview } from "../../sources/preview.tsx";
import { previewRequest } from "../../sources/preview-request.ts";
import { ComputedFields } from "../../sources/source-fields.tsx";
import { SourcePage } from "../../sources/source-page.tsx";
import { faultsOfDraft, type TableSourceDraft, tableSourceModel } from "../../sources/table-source-draft.ts";
import { TableSourceTab } from "../../sources/table-source-tab.tsx";
import { describeDraft, describeVersions, toWriteRequests } from "./metric-source-draft.ts";

const FROM = "/projects/$projectID/metric-sources/$id";

const useVersions = (name: string) => useQuery(query("listMetricSourceVersions", { path: { name }, query: { limit: MAX_VERSIONS } }));

export default function MetricSourcePage() {
  const { id } = useParams({ from: FROM });
  return <MetricSourceView key={`${currentProjectID()} ${id}`} name={id} />;
}

function MetricSourceView({ name }: { name: string }) {
  const { data: answer } = useSuspenseQuery(query("getMetricSource", { path: { name } }));
  return (
    <SourcePage
      noun="metric source"
      list={{ to: "/projects/$projectID/metric-sources", title: "Metric sources" }}
      answer={answer}
      model={tableSourceModel}
      findFaults={faultsOfDraft}
      write={toWriteRequests}
      describeDraft={describeDraft}
      describeVersions={describeVersions}
      reads={{ one: "getMetricSource", list: "listMetricSources", versions: "listMetricSourceVersions" }}
      remove={{ operationId: "deleteMetricSource", path: { name } }}
      restore={(version) => ({ operationId: "restoreMetricSourceVersion", path: { name, version } })}
      useVersions={useVersions}
    >
      {(shared) => <SourceTab {...shared} />}
    </SourcePage>
  );
}

function SourceTab(shared: EditProps<TableSourceDraft>) {
  const preview = usePreview(previewRequest(shared.draft.fields), (body) => call("previewMetricSource", { body }));
  return (
    <TableSourceTab {...shared} preview={preview} unitsAre="The columns with unit IDs. Metrics are computed for these units.">
      {(fields) => <ComputedFields {...fields} />}
    </TableSourceTab>
  );
}
