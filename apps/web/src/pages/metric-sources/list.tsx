import { useSuspenseQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { call, query, type Schema } from "../../api.ts";
import { plainListRequest } from "../../entity/plain-list-search.ts";
import { queryPreview } from "../../sources/preview-request.ts";
import { originColumn, sourceColumns } from "../../sources/source-columns.tsx";
import { SourceList } from "../../sources/source-list.tsx";

const FROM = "/projects/$projectID/metric-sources";

const COLUMNS = sourceColumns<Schema<"MetricSource">>([originColumn()]);

export default function MetricSourceList() {
  const { data: answer } = useSuspenseQuery(query("listMetricSources", plainListRequest(useSearch({ from: FROM }))));
  return (
    <SourceList
      noun="metric source"
      list={{ to: FROM, title: "Metric sources" }}
      answer={answer}
      columns={COLUMNS}
      reads="listMetricSources"
      nameHint="Metrics read it by its name, which never changes."
      blank={{ sql: "", timestampColumn: "", unitColumn: "" }}
      asks={[{ name: "timestampColumn", label: "Time column" }]}
      toPreviewRequest={queryPreview}
      preview={(body) => call("previewMetricSource", { body })}
      create={(body) => call("createMetricSource", { body })}
      purpose="A metric source says where rows are that events do not have, such as orders in the project's warehouse: a query or a table, and which columns say when and whose. Loads of results read them there."
    />
  );
}
