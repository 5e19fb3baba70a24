import type { ReactNode } from "react";
import entity from "../entity/entity.module.css";
import type { EditProps } from "../entity/entity-page.tsx";
import { UnitColumns } from "../entity/unit-columns.tsx";
import { setFields } from "../saving/draft-model.ts";
import { Section } from "../shell/page.tsx";
import { PreviewButton, PreviewResult, type usePreview } from "./preview.tsx";
import { type FieldProps, RowFields } from "./source-fields.tsx";
import { faultFinder } from "./source-page.tsx";
import type { Fields, TableSourceDraft } from "./table-source-draft.ts";

type Props = EditProps<TableSourceDraft> & {
  preview: ReturnType<typeof usePreview>;
  /** Description of the unit columns. */
  unitsAre: string;
  /** Further fields. */
  children?: (fields: FieldProps) => ReactNode;
};

/** The origin of the rows. A preview of the form also marks the faults in it. */
export function TableSourceTab({ draft, onChange, disabledReason, faults, preview, unitsAre, children }: Props) {
  const set = (fields: Partial<Fields>) => onChange(setFields(draft, fields));
  const found = preview.faults.filter(({ property }) => !faults.some((fault) => fault.property === property));
  const fieldProps = { fields: draft.fields, set, disabledReason, faults: [...faults, ...found], columns: preview.columns };
  return (
    <>
      <Section title="Rows">
        <div className={entity.card}>
          <RowFields {...fieldProps} />
        </div>
      </Section>
      <UnitColumns
        description={unitsAre}
        mapping={draft.fields.idTypeMapping}
        onChange={(idTypeMapping) => set({ idTypeMapping })}
        disabledReason={disabledReason}
        faultAt={faultFinder(fieldProps.faults)}
        columns={preview.columns}
      />
      {children?.(fieldProps)}
      <PreviewSection preview={preview} />
    </>
  );
}

export function PreviewSection({ preview }: Pick<Props, "preview">) {
  return (
    <Section
      title="Preview"
      description="Ten rows from your warehouse, with unsaved changes applied."
      actions={<PreviewButton {...preview} />}
    >
      <PreviewResult {...preview} />
    </Section>
  );
}
