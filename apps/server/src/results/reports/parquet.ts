import { ByteWriter, type ColumnSource, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import type { Column, ReportFile } from "./columns.ts";

const TYPES = { text: "STRING", number: "DOUBLE", integer: "INT64", boolean: "BOOLEAN", time: "TIMESTAMP" } as const;

/** A Parquet file, compressed with Snappy. All rows that are added together are one row group. Every column is optional. */
export function createParquet<Row>(columns: readonly Column<Row>[]): ReportFile<Row> {
  const writer = new ByteWriter();
  const schema = schemaFromColumnData({
    columnData: columns.map(({ name, type }) => ({ name, data: [], type: TYPES[type], nullable: true })),
  });
  const file = new ParquetWriter({ writer, schema, createdBy: "Gatehouse" });

  /** The bytes since the last call. Offsets in the file continue. */
  function taken(): Uint8Array {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  }

  return {
    begin: taken,
    add(rows) {
      const columnData = columns.map((column): ColumnSource => ({ name: column.name, data: rows.map((row) => toCell(column, row)) }));
      void file.write({ columnData, rowGroupSize: rows.length });
      return taken();
    },
    end() {
      void file.finish();
      return taken();
    },
  };
}

function toCell<Row>(column: Column<Row>, row: Row): unknown {
  const value = column.readCell(row);
  if (value === undefined || value === null) return null;
  switch (column.type) {
    case "integer":
      return BigInt(value as number);
    case "time":
      return new Date(value as number);
    default:
      return value;
  }
}
