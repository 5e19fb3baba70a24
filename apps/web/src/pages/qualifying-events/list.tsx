import { useSuspenseQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { call, query, type Schema } from "../../api.ts";
import { plainListRequest } from "../../entity/plain-list-search.ts";
import { queryPreview } from "../../sources/preview-request.ts";
import { originColumn, sourceColumns } from "../../sources/source-columns.tsx";
import { SourceList } from "../../sources/source-list.tsx";

const FROM = "/projects/$projectID/qualifying-events";

const COLUMNS = sourceColumns<Schema<"QualifyingEvent">>([originColumn()]);

export default function QualifyingEventList() {
  const { data: answer } = useSuspenseQuery(query("listQualifyingEvents", plainListRequest(useSearch({ from: FROM }))));
  return (
    <SourceList
      noun="qualifying event"
      list={{ to: FROM, title: "Qualifying events" }}
      answer={answer}
      columns={COLUMNS}
      reads="listQualifyingEvents"
      nameHint="Can’t be changed later."
      blank={{ sql: "", timestampColumn: "", unitColumn: "" }}
      asks={[{ name: "timestampColumn", label: "Time column" }]}
      toPreviewRequest={queryPreview}
      preview={(body) => call("previewQualifyingEvent", { body })}
      create={(body) => call("createQualifyingEvent", { body })}
      purpose="Limit results to users who could notice the change, such as users who reached the checkout."
    />
  );
}
