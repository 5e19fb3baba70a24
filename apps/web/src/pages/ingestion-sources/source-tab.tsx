import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { call, query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import type { EditProps } from "../../entity/entity-page.tsx";
import { UnitColumns } from "../../entity/unit-columns.tsx";
import { INGESTION_EDIT } from "../../ingestion/ingestion-words.ts";
import { setFields } from "../../saving/draft-model.ts";
import { Section } from "../../shell/page.tsx";
import { PreviewButton, PreviewResult, usePreview } from "../../sources/preview.tsx";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { faultsInForm, previewRequest } from "./form-places.ts";
import { changesRows, type Engine, type Fields, type IngestionSourceDraft } from "./ingestion-source-draft.ts";
import { MetadataColumns } from "./metadata-columns.tsx";
import { ColumnFields, OriginFields } from "./row-fields.tsx";

/** The copied rows and their origin. A preview of the form also marks the faults in it. */
export function SourceTab({ draft, onChange, disabledReason, faults }: EditProps<IngestionSourceDraft>) {
  const { fields, stored } = draft;
  const { dataset } = stored.entity.data;
  const preview = usePreview(previewRequest(dataset, fields), (body) => call("previewIngestionSource", { body }));
  const set = (changed: Partial<Fields>) => onChange(setFields(draft, changed));
  const shown = faultsInForm(faults, fields);
  const faultAt = (property: string) => [...shown, ...preview.faults].find((fault) => fault.property === property)?.message;
  const isDisabled = disabledReason !== undefined;
  const fieldProps = { fields, set, isDisabled, faultAt };
  const { columns } = preview;
  return (
    <>
      <EngineNotice engine={fields.type} onChange={(type) => set({ type })} disabledReason={disabledReason} />
      {changesRows(draft) && (
        <Notice tone="warn" title="Copied days aren’t changed">
          Changes to the query, table, or columns apply to days without copied rows. Copying another day again fails, to avoid duplicate
          rows.
        </Notice>
      )}
      <Section title="Rows">
        <div className={entity.card}>
          <OriginFields {...fieldProps} />
        </div>
      </Section>
      <Section title="Columns" description="The columns to copy.">
        <div className={entity.card}>
          <ColumnFields dataset={dataset} columns={columns} {...fieldProps} />
        </div>
      </Section>
      <UnitColumns
        description="The columns with unit IDs. Each row needs at least one."
        mapping={fields.units}
        onChange={(units) => set({ units })}
        disabledReason={disabledReason}
        faultAt={faultAt}
        columns={columns}
      />
      <MetadataColumns
        metadata={fields.metadata}
        onChange={(metadata) => set({ metadata })}
        disabledReason={disabledReason}
        faultAt={faultAt}
        columns={columns}
      />
      <Section title="Schedule">
        <div className={entity.card}>
          <Checkbox isSelected={fields.enabled} onChange={(enabled) => set({ enabled })} isDisabled={isDisabled}>
            Copy rows daily
          </Checkbox>
          <p className={entity.soft}>You can backfill any source, even if it isn’t copied daily.</p>
        </div>
      </Section>
      <Section
        title="Preview"
        description="Ten rows from your warehouse, with unsaved changes applied."
        actions={<PreviewButton {...preview} permission={INGESTION_EDIT} />}
      >
        <PreviewResult {...preview} />
      </Section>
    </>
  );
}

const ENGINES: Record<Engine, string> = { postgres: "Postgres", clickhouse: "ClickHouse" };

type EngineProps = { engine: Engine; onChange: (engine: Engine) => void; disabledReason: string | undefined };

/** Rows are copied only if the warehouse has the same engine as the source. */
function EngineNotice({ engine, onChange, disabledReason }: EngineProps) {
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const { data } = useQuery(query("getWarehouseConnection"));
  if (data === undefined || data.data.type === engine) return null;
  const { type } = data.data;
  if (type === null)
    return (
      <Notice
        tone="warn"
        title="The project has no warehouse"
        actions={
          <Link to="/projects/$projectID/settings" params={{ projectID }} search={{ tab: "warehouse" }}>
            Open the warehouse
          </Link>
        }
      >
        Connect one to copy rows.
      </Notice>
    );
  return (
    <Notice
      tone="warn"
      title={`This source needs ${ENGINES[engine]}, but your warehouse is ${ENGINES[type]}`}
      actions={
        <Button onPress={() => onChange(type)} disabledReason={disabledReason}>
          Use it with {ENGINES[type]}
        </Button>
      }
    >
      Runs fail until both match.
    </Notice>
  );
}
