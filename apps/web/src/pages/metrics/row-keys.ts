// Keys of rows without their own keys, so that a row that moves stays the same to the reader.
const keys = new WeakMap<object, number>();
let last = 0;

/** The key of a row. The same object always has the same one. */
export function rowKey(row: object): number {
  const known = keys.get(row);
  if (known !== undefined) return known;
  last += 1;
  keys.set(row, last);
  return last;
}

/** The rows with one changed, which keeps its key. */
export function changedAt<Row extends object>(rows: readonly Row[], index: number, changed: Partial<Row>): Row[] {
  return rows.map((row, at) => {
    if (at !== index) return row;
    const made = { ...row, ...changed };
    keys.set(made, rowKey(row));
    return made;
  });
}

/** The rows with one at another place. */
export function movedTo<Row>(rows: readonly Row[], from: number, to: number): Row[] {
  const row = rows[from];
  return row === undefined ? [...rows] : rows.toSpliced(from, 1).toSpliced(to, 0, row);
}
