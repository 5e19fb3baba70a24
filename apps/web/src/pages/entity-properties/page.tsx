import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { currentProjectID, query } from "../../api.ts";
import { ColumnField } from "../../entity/column-field.tsx";
import entity from "../../entity/entity.module.css";
import type { EditProps } from "../../entity/entity-page.tsx";
import { MAX_VERSIONS } from "../../entity/history-tab.tsx";
import { UnitColumns } from "../../entity/unit-columns.tsx";
import { setFields } from "../../saving/draft-model.ts";
import { Section } from "../../shell/page.tsx";
import { usePreview } from "../../sources/preview.tsx";
import { queryPreview } from "../../sources/preview-request.ts";
import { faultFinder, SourcePage } from "../../sources/source-page.tsx";
import { PreviewSection } from "../../sources/table-source-tab.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import {
  describeDraft,
  describeVersions,
  type EntityPropertySourceDraft,
  entityPropertySourceModel,
  type Fields,
  faultsOfDraft,
  toWriteRequests,
} from "./entity-property-source-draft.ts";
import { previewProperties } from "./preview-properties.ts";

const FROM = "/projects/$projectID/entity-properties/$id";

const useVersions = (name: string) =>
  useQuery(query("listEntityPropertySourceVersions", { path: { name }, query: { limit: MAX_VERSIONS } }));

export default function EntityPropertySourcePage() {
  const { id } = useParams({ from: FROM });
  return <EntityPropertySourceView key={`${currentProjectID()} ${id}`} name={id} />;
}

function EntityPropertySourceView({ name }: { name: string }) {
  const { data: answer } = useSuspenseQuery(query("getEntityPropertySource", { path: { name } }));
  return (
    <SourcePage
      noun="entity property source"
      list={{ to: "/projects/$projectID/entity-properties", title: "Entity properties" }}
      answer={answer}
      model={entityPropertySourceModel}
      findFaults={faultsOfDraft}
      write={toWriteRequests}
      describeDraft={describeDraft}
      describeVersions={describeVersions}
      reads={{ one: "getEntityPropertySource", list: "listEntityPropertySources", versions: "listEntityPropertySourceVersions" }}
      remove={{ operationId: "deleteEntityPropertySource", path: { name } }}
      restore={(version) => ({ operationId: "restoreEntityPropertySourceVersion", path: { name, version } })}
      useVersions={useVersions}
    >
      {(shared) => <SourceTab {...shared} />}
    </SourcePage>
  );
}

function SourceTab({ draft, onChange, disabledReason, faults }: EditProps<EntityPropertySourceDraft>) {
  const { fields } = draft;
  const preview = usePreview(queryPreview(fields), previewProperties);
  const set = (changed: Partial<Fields>) => onChange(setFields(draft, changed));
  const faultAt = faultFinder([...faults, ...preview.faults]);
  const isDisabled = disabledReason !== undefined;
  return (
    <>
      <Section title="Properties">
        <div className={entity.card}>
          <TextField
            label="Query"
            rows={6}
            isCode
            value={fields.sql}
            onChange={(sql) => set({ sql })}
            description="SQL that returns one row per unit. Each column is a property."
            error={faultAt("sql")}
            isDisabled={isDisabled}
          />
          <ColumnField
            label="Time column"
            value={fields.timestampColumn}
            onChange={(timestampColumn) => set({ timestampColumn })}
            description="For units with several rows: when each row became valid. The latest row before the first exposure counts."
            error={faultAt("timestampColumn")}
            columns={preview.columns}
            isDisabled={isDisabled}
          />
          {fields.timestampColumn !== "" && (
            <Checkbox isSelected={fields.timestampAsDay} onChange={(timestampAsDay) => set({ timestampAsDay })} isDisabled={isDisabled}>
              The column has dates without a time (valid from the end of the day)
            </Checkbox>
          )}
        </div>
      </Section>
      <UnitColumns
        description="The columns with unit IDs. Experiments use the column of their unit ID type."
        mapping={fields.idTypeMapping}
        onChange={(idTypeMapping) => set({ idTypeMapping })}
        disabledReason={disabledReason}
        faultAt={faultAt}
        columns={preview.columns}
      />
      <PreviewSection preview={preview} />
    </>
  );
}
