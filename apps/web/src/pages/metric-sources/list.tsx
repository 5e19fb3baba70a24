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
      nameHint="Can’t be changed later."
      blank={{ sql: "", timestampColumn: "", unitColumn: "" }}
      asks={[{ name: "timestampColumn", label: "Time column" }]}
      toPreviewRequest={queryPreview}
      preview={(body) => call("previewMetricSource", { body })}
      create={(body) => call("createMetricSource", { body })}
      purpose="Build metrics from warehouse tables."
    />
  );
}
