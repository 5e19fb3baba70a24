import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CopiedRows, dayCounts, dayRows, type EqualRows } from "../../src/results/sql/day-rows.ts";
import { DAY_MS, START } from "../support/moments.ts";
import { onEngine, openEngine, type ResultsEngine } from "../support/results-engine.ts";
import { DATE_TIME, rowsOn } from "../support/warehouse-rows.ts";

let engine: ResultsEngine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine?.close());

const { iso, isPostgres, quoted, storeTable, pickType } = rowsOn(() => engine);

const DAY = Math.floor(START / DAY_MS);

/** A row: the text of a column, null if it has none, and the time, null if it has none. */
type Row = readonly [name: string | null, at: number | null];

async function copiedFrom(table: string, rows: readonly Row[]): Promise<CopiedRows> {
  const type = pickType(DATE_TIME);
  const [text, time] = isPostgres() ? ["text", type] : ["Nullable(String)", `Nullable(${type})`];
  for (let at = 0; at < Math.max(1, rows.length); at += 2_000) {
    const part = rows.slice(at, at + 2_000).map(([name, ms]) => [quoted(name), ms === null ? "null" : iso(ms)]);
    if (at === 0) await storeTable(table, `what ${text}, at ${time}`, part);
    else await engine.command(`insert into ${table} values ${part.map((row) => `(${row.join(", ")})`).join(", ")}`);
  }
  return { query: `select * from ${table} -- a comment`, timestampColumn: "at", timestampType: time, columns: ["at", "what"] };
}

/** All rows of a day, as passes read them, and how many statements that took. */
async function passOver(rows: CopiedRows, day: number): Promise<{ found: EqualRows[]; statements: number }> {
  const found: EqualRows[] = [];
  for (let statements = 1; ; statements += 1) {
    const next = await engine.ask<EqualRows>(dayRows(rows, day, found.at(-1)?.identity ?? "", engine.dialect));
    if (next.length === 0) return { found, statements };
    found.push(...next);
  }
}

const describeRow = ({ fields, time, times }: EqualRows) => [fields && JSON.parse(fields).what, time, times];
const byText = (rows: unknown[][]) => rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

describe("the rows of a day on a warehouse", onEngine, () => {
  test("are each answered once, with the number of equal ones, in the order of their identities", async () => {
    const noon = START + DAY_MS / 2;
    const rows: Row[] = [
      ...(["a", "b", "b", "b", "", "é \"'\\\n", null] as const).map((what) => [what, noon] as const),
      ["the first moment", START],
      ["the last moment", START + DAY_MS - 1],
      ["b", noon + 1],
      ["the day before", START - 1],
      ["the day after", START + DAY_MS],
      ["no time", null],
    ];
    const { found } = await passOver(await copiedFrom("few", rows), DAY);
    expect(byText(found.map(describeRow))).toEqual(
      byText([
        ...[
          ["a", noon, 1],
          ["b", noon, 3],
          ["", noon, 1],
          ["é \"'\\\n", noon, 1],
          [null, noon, 1],
        ],
        ...[
          ["the first moment", START, 1],
          ["the last moment", START + DAY_MS - 1, 1],
          ["b", noon + 1, 1],
        ],
      ]),
    );
    const identities = found.map(({ identity }) => identity);
    expect(identities).toEqual(identities.toSorted());
    expect(new Set(identities).size).toBe(found.length);
    for (const identity of identities) expect(identity).toMatch(/^[0-9a-f]{16}$/);
  });

  test("have identities that follow from their texts alone", async () => {
    const rows = await copiedFrom("identified", [
      ["bought", START + 1],
      ["returned", START + 2],
    ]);
    const { found } = await passOver(rows, DAY);
    const ofText = (text: string | null) => createHash("md5").update(String(text)).digest("hex").slice(0, 16);
    expect(found.map(({ identity }) => identity)).toEqual(found.map(({ fields }) => ofText(fields)));
    expect(found.length).toBe(2);
  });

  test("are divided among statements, equal ones never", async () => {
    const rows: Row[] = Array.from({ length: 45_000 }, (_, n) => [`row ${n % 30_000}`, START + 1]);
    const { found, statements } = await passOver(await copiedFrom("many", rows), DAY);
    expect(statements).toBe(4);
    expect(found.length).toBe(30_000);
    expect(found.reduce((sum, { times }) => sum + times, 0)).toBe(45_000);
    expect(new Set(found.map((row) => String(describeRow(row)))).size).toBe(30_000);
  });

  test("come without their texts if these are too large, and with fewer others if they are large", async () => {
    const large = "x".repeat(2 ** 20 - 100);
    const rows: Row[] = [["y".repeat(2 ** 20), START], ...Array.from({ length: 20 }, (_, n): Row => [`${n}${large}`, START])];
    const { found, statements } = await passOver(await copiedFrom("large", rows), DAY);
    expect(found.filter(({ fields }) => fields === null).length).toBe(1);
    expect(new Set(found.flatMap((row) => (row.fields ? [String(describeRow(row)[0]).slice(0, 2)] : []))).size).toBe(20);
    expect(statements).toBe(3);
  });

  test("are counted day by day", async () => {
    const rows = await copiedFrom("counted", [
      ...[0, 1, DAY_MS - 1, DAY_MS, 3 * DAY_MS, -1].map((after) => [null, START + after] as const),
      ["no time", null],
    ]);
    const [counts] = await engine.ask(dayCounts(rows, [DAY + 2, DAY, DAY + 1, DAY - 1], engine.dialect));
    expect(counts).toEqual({ d0: 0, d1: 3, d2: 1, d3: 1 });
  });
});
