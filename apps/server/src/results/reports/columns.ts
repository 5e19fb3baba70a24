/** The types of a cell's value. A time is ms since the epoch; undefined is a cell without a value. */
type Values = { text: string; number: number; integer: number; boolean: boolean; time: number };

/** A column of a report. */
export type Column<Row> = {
  [Type in keyof Values]: { name: string; type: Type; readCell(row: Row): Values[Type] | null | undefined };
}[keyof Values];

/** A file in a format: its first bytes, those of some rows, and its last ones. Rows are added in their order. */
export type ReportFile<Row> = {
  begin(): Uint8Array;
  add(rows: readonly Row[]): Uint8Array;
  end(): Uint8Array;
};
