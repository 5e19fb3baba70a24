/** The same rows in parts of a size; the last one has the rest. */
export async function* grouped<Row>(parts: AsyncIterable<readonly Row[]>, size: number): AsyncGenerator<Row[], void, undefined> {
  let rows: Row[] = [];
  for await (const part of parts) {
    for (const row of part) {
      rows.push(row);
      if (rows.length < size) continue;
      yield rows;
      rows = [];
    }
  }
  if (rows.length > 0) yield rows;
}
