import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { call, currentProjectID, query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import type { EditProps } from "../../entity/entity-page.tsx";
import { MAX_VERSIONS } from "../../entity/history-tab.tsx";
import { UnitColumns } from "../../entity/unit-columns.tsx";
import { setFields } from "../../saving/draft-model.ts";
import { Section } from "../../shell/page.tsx";
import { usePreview } from "../../sources/preview.tsx";
import { faultFinder, SourcePage } from "../../sources/source-page.tsx";
import { PreviewSection } from "../../sources/table-source-tab.tsx";
import {
  type AssignmentSourceDraft,
  assignmentSourceModel,
  describeDraft,
  describeVersions,
  type Fields,
  faultsOfDraft,
  toWriteRequests,
} from "./assignment-source-draft.ts";
import { assignmentsPreview } from "./preview-assignments.ts";
import { RowFields } from "./row-fields.tsx";

const FROM = "/projects/$projectID/assignment-sources/$id";

const useVersions = (name: string) => useQuery(query("listAssignmentSourceVersions", { path: { name }, query: { limit: MAX_VERSIONS } }));

export default function AssignmentSourcePage() {
  const { id } = useParams({ from: FROM });
  return <AssignmentSourceView key={`${currentProjectID()} ${id}`} name={id} />;
}

function AssignmentSourceView({ name }: { name: string }) {
  const { data: answer } = useSuspenseQuery(query("getAssignmentSource", { path: { name } }));
  return (
    <SourcePage
      noun="assignment source"
      list={{ to: "/projects/$projectID/assignment-sources", title: "Assignment sources" }}
      answer={answer}
      model={assignmentSourceModel}
      findFaults={faultsOfDraft}
      write={toWriteRequests}
      describeDraft={describeDraft}
      describeVersions={describeVersions}
      reads={{ one: "getAssignmentSource", list: "listAssignmentSources", versions: "listAssignmentSourceVersions" }}
      remove={{ operationId: "deleteAssignmentSource", path: { name } }}
      restore={(version) => ({ operationId: "restoreAssignmentSourceVersion", path: { name, version } })}
      useVersions={useVersions}
    >
      {(shared) => <SourceTab {...shared} />}
    </SourcePage>
  );
}

function SourceTab({ draft, onChange, disabledReason, faults }: EditProps<AssignmentSourceDraft>) {
  const preview = usePreview(assignmentsPreview(draft.fields), (body) => call("previewAssignmentSource", { body }));
  const set = (fields: Partial<Fields>) => onChange(setFields(draft, fields));
  const faultAt = faultFinder([...faults, ...preview.faults]);
  const { columns } = preview;
  return (
    <>
      <Section title="Assignments">
        <div className={entity.card}>
          <RowFields fields={draft.fields} set={set} isDisabled={disabledReason !== undefined} {...{ faultAt, columns }} />
        </div>
      </Section>
      <UnitColumns
        description="The columns with unit IDs. Experiments use the column of their unit ID type."
        mapping={draft.fields.idTypeMapping}
        onChange={(idTypeMapping) => set({ idTypeMapping })}
        disabledReason={disabledReason}
        {...{ faultAt, columns }}
      />
      <PreviewSection preview={preview} />
    </>
  );
}
