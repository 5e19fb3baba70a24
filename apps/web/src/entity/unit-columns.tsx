import { useQuery } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { query } from "../api.ts";
import { Section } from "../shell/page.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { Select } from "../ui/choice.tsx";
import { Notice } from "../ui/notice.tsx";
import { ColumnField } from "./column-field.tsx";
import entity from "./entity.module.css";

/** The column with the ids of one unit ID type. */
export type UnitColumn = { unit: string; column: string };

type Props = {
  description: string;
  mapping: readonly UnitColumn[];
  onChange: (mapping: readonly UnitColumn[]) => void;
  disabledReason: string | undefined;
  /** @param property of `idTypeMapping` in a request */
  faultAt: (property: string) => string | undefined;
  /** The names of the columns, as far as a preview has found them. */
  columns?: readonly string[];
};

/** The columns with the ids of units. */
export function UnitColumns({ description, mapping, onChange, disabledReason, faultAt, columns = [] }: Props) {
  const { data } = useQuery(query("listUnitIDTypes", { query: { limit: 1000 } }));
  const isDisabled = disabledReason !== undefined;
  const edit = (index: number, changed: Partial<UnitColumn>) =>
    onChange(mapping.map((one, at) => (at === index ? { ...one, ...changed } : one)));
  const known = (data?.data ?? []).map(({ name }) => name);
  const free = known.find((name) => !mapping.some(({ unit }) => unit === name));
  return (
    <Section
      title="Unit IDs"
      description={description}
      actions={
        <Button onPress={() => onChange([...mapping, { unit: free ?? "", column: "" }])} disabledReason={disabledReason}>
          <Plus aria-hidden="true" />
          Add ID column
        </Button>
      }
    >
      {faultAt("idTypeMapping") !== undefined && <Notice tone="bad">{faultAt("idTypeMapping")}</Notice>}
      {mapping.map(({ unit, column }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place alone, since both its texts change.
        <fieldset key={index} className={entity.card} aria-label={`ID column ${index + 1}`}>
          <div className={entity.row}>
            <Select
              label="Unit ID type"
              options={[...new Set([...(unit === "" ? [] : [unit]), ...known])].map((id) => ({ id, label: id }))}
              value={unit === "" ? null : unit}
              onChange={(id) => edit(index, { unit: id })}
              error={faultAt(`idTypeMapping[${index}].serviceUnitID`)}
              isDisabled={isDisabled}
            />
            <ColumnField
              label="Column"
              value={column}
              onChange={(text) => edit(index, { column: text })}
              error={faultAt(`idTypeMapping[${index}].column`)}
              columns={columns}
              isDisabled={isDisabled}
            />
            <IconButton
              label={`Remove ID column ${index + 1}`}
              onPress={() => onChange(mapping.toSpliced(index, 1))}
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
