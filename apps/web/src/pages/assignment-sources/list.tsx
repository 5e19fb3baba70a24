import { useSuspenseQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { call, query, type Schema } from "../../api.ts";
import { plainListRequest } from "../../entity/plain-list-search.ts";
import { sourceColumns } from "../../sources/source-columns.tsx";
import { SourceList } from "../../sources/source-list.tsx";
import { assignmentsPreview } from "./preview-assignments.ts";

const FROM = "/projects/$projectID/assignment-sources";

const COLUMNS = sourceColumns<Schema<"AssignmentSource">>();

export default function AssignmentSourceList() {
  const { data: answer } = useSuspenseQuery(query("listAssignmentSources", plainListRequest(useSearch({ from: FROM }))));
  return (
    <SourceList
      noun="assignment source"
      list={{ to: FROM, title: "Assignment sources" }}
      answer={answer}
      columns={COLUMNS}
      reads="listAssignmentSources"
      nameHint="Can’t be changed later."
      blank={{ sql: "", timestampColumn: "", experimentIDColumn: "", groupIDColumn: "", unitColumn: "" }}
      asks={[
        { name: "timestampColumn", label: "Time column" },
        { name: "experimentIDColumn", label: "Experiment column" },
        { name: "groupIDColumn", label: "Group column" },
      ]}
      toPreviewRequest={(form) => assignmentsPreview({ ...form, groupNameColumn: "" })}
      preview={(body) => call("previewAssignmentSource", { body })}
      create={(body) => call("createAssignmentSource", { body })}
      purpose="Analyze experiments whose assignments are in your warehouse."
    />
  );
}
