// The faults of a source's columns as they are edited. Pure.
import type { UnitColumn } from "../entity/unit-columns.tsx";
import type { Fault } from "../targeting/types.ts";

export const error = (property: string, message: string): Fault => ({ property, message, level: "error" });

export const empty = (property: string, value: string, message: string): Fault[] => (value.trim() === "" ? [error(property, message)] : []);

/** The faults of the columns with ids of units. */
export function faultsOfUnits(mapping: readonly UnitColumn[]): Fault[] {
  const units = mapping.map(({ unit }) => unit);
  return [
    ...(units.length === 0 ? [error("idTypeMapping", "Add a column with unit IDs.")] : []),
    ...mapping.flatMap(({ unit, column }, index) => [
      ...empty(`idTypeMapping[${index}].serviceUnitID`, unit, "Choose a unit ID type."),
      ...(unit !== "" && units.indexOf(unit) < index
        ? [error(`idTypeMapping[${index}].serviceUnitID`, "Another column already has this unit ID type.")]
        : []),
      ...empty(`idTypeMapping[${index}].column`, column, "Enter the column."),
    ]),
  ];
}

export const toUnitColumns = (mapping: readonly { serviceUnitID: string; column: string }[]): UnitColumn[] =>
  mapping.map(({ serviceUnitID, column }) => ({ unit: serviceUnitID, column }));

export const toMapping = (columns: readonly UnitColumn[]) => columns.map(({ unit, column }) => ({ serviceUnitID: unit, column }));

/** Mappings as texts, one for each. */
export const unitTexts = (columns: readonly UnitColumn[]) => columns.map(({ unit, column }) => `${unit}: ${column}`);
