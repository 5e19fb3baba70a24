import { useSuspenseQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { call, query, type Schema } from "../../api.ts";
import { plainListRequest } from "../../entity/plain-list-search.ts";
import { queryPreview } from "../../sources/preview-request.ts";
import { sourceColumns } from "../../sources/source-columns.tsx";
import { SourceList } from "../../sources/source-list.tsx";
import { previewProperties } from "./preview-properties.ts";

const FROM = "/projects/$projectID/entity-properties";

const COLUMNS = sourceColumns<Schema<"EntityPropertySource">>();

export default function EntityPropertySourceList() {
  const { data: answer } = useSuspenseQuery(query("listEntityPropertySources", plainListRequest(useSearch({ from: FROM }))));
  return (
    <SourceList
      noun="entity property source"
      list={{ to: FROM, title: "Entity properties" }}
      answer={answer}
      columns={COLUMNS}
      reads="listEntityPropertySources"
      nameHint="Can’t be changed later."
      blank={{ sql: "", unitColumn: "" }}
      asks={[]}
      toPreviewRequest={queryPreview}
      preview={previewProperties}
      create={(body) => call("createEntityPropertySource", { body })}
      purpose="Import user properties, such as plan or country, from your warehouse to break down results."
    />
  );
}
