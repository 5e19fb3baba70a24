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
export const changedAt = <Row extends object>(rows: readonly Row[], index: number, changed: Partial<Row>): Row[] =>
  rows.map((row, at) => (at === index ? keepKey(row, { ...row, ...changed }) : row));

/** The rows with one replaced by another, which gets its key. */
export const replacedAt = <Row extends object>(rows: readonly Row[], index: number, other: Row): Row[] =>
  rows.map((row, at) => (at === index ? keepKey(row, other) : row));

function keepKey<Row extends object>(row: Row, other: Row): Row {
  keys.set(other, rowKey(row));
  return other;
}

/** The rows with one at another place. */
export function movedTo<Row>(rows: readonly Row[], from: number, to: number): Row[] {
  const row = rows[from];
  return row === undefined ? [...rows] : rows.toSpliced(from, 1).toSpliced(to, 0, row);
}
