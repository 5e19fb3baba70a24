import { Plus, Trash2 } from "lucide-react";
import { ColumnField } from "../../entity/column-field.tsx";
import entity from "../../entity/entity.module.css";
import { Section } from "../../shell/page.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import type { MetadataColumn } from "./ingestion-source-draft.ts";

type Props = {
  metadata: readonly MetadataColumn[];
  onChange: (metadata: readonly MetadataColumn[]) => void;
  disabledReason: string | undefined;
  faultAt: (property: string) => string | undefined;
  /** The names of the columns, as far as a preview has found them. */
  columns: readonly string[];
};

/** The columns with metadata. */
export function MetadataColumns({ metadata, onChange, disabledReason, faultAt, columns }: Props) {
  const isDisabled = disabledReason !== undefined;
  const edit = (index: number, changed: Partial<MetadataColumn>) =>
    onChange(metadata.map((one, at) => (at === index ? { ...one, ...changed } : one)));
  return (
    <Section
      title="Metadata"
      description="Columns to keep as metadata, each under a name."
      actions={
        <Button onPress={() => onChange([...metadata, { name: "", column: "" }])} disabledReason={disabledReason}>
          <Plus aria-hidden="true" />
          Add metadata
        </Button>
      }
    >
      {metadata.map(({ name, column }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place alone, since both its texts change.
        <fieldset key={index} className={entity.card} aria-label={`Metadata ${index + 1}`}>
          <div className={entity.row}>
            <TextField
              label="Name"
              isCode
              value={name}
              onChange={(text) => edit(index, { name: text })}
              error={faultAt(`metadata[${index}].name`)}
              isDisabled={isDisabled}
            />
            <ColumnField
              label="Column"
              value={column}
              onChange={(text) => edit(index, { column: text })}
              error={faultAt(`metadata[${index}].column`)}
              columns={columns}
              isDisabled={isDisabled}
            />
            <IconButton
              label={`Remove metadata ${index + 1}`}
              onPress={() => onChange(metadata.toSpliced(index, 1))}
              disabledReason={disabledReason}
            >
              <Trash2 aria-hidden="true" />
            </IconButton>
          </div>
        </fieldset>
      ))}
    </Section>
  );
}
