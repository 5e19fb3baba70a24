import { describe, expect, test } from "vitest";
import { readBatches } from "./id-file.ts";
import { findTable, type IDColumn, parseRecord, previewIDs, readTable, SAMPLE_LENGTH } from "./id-table.ts";

const column = (index: number | null, more: Partial<IDColumn> = {}): IDColumn => ({ separator: ",", index, skipsFirst: true, ...more });

async function readIDs(text: string, given: IDColumn) {
  const batches = [];
  for await (const batch of readBatches(new Blob([text]), 100, given)) batches.push(batch);
  return { ids: batches.flatMap(({ ids }) => ids), refused: batches.flatMap(({ refused }) => refused) };
}

describe("parseRecord", () => {
  test.each([
    ["ada, pro ,1", ",", ["ada", "pro", "1"]],
    ['"a,b","say ""hi""",c', ",", ["a,b", 'say "hi"', "c"]],
    ['5" screen;x', ";", ['5" screen', "x"]],
    ["a\t\tb", "\t", ["a", "", "b"]],
    ['"open,b', ",", undefined],
    ["", ",", [""]],
  ])("%j with %j", (text, separator, fields) => {
    expect(parseRecord(text, separator)).toEqual(fields);
  });
});

describe("findTable", () => {
  test.each([
    ["user_id,plan\nada,pro\nben,free", ",", true],
    ["\uFEFFid;plan\r\nada;pro\r\n", ";", true],
    ["ada\tpro\nben\tfree", "\t", false],
    ['id,note\nada,"a\nb, c"\n', ",", true],
    ["user_id\nada\nben", "\t", true],
    ["userID,plan\nada,pro\nben\ncleo,free,late", ",", true],
    ["user_id\nada, ben", ",", true],
  ])("%j is a table", (text, separator, hasHeader) => {
    expect(findTable(text)).toMatchObject({ separator, hasHeader });
  });

  test.each(["ada\nben", "ada, ben, cleo", "ada, ben\n<b>x</b>\nada", "", "user_id"])("%j is a list of ids", (text) => {
    expect(findTable(text)).toBeUndefined();
  });

  test("asks for the column under names, even if lines have unequal numbers of values", async () => {
    const text = "userID,plan\nada,pro\nben\ncleo,free,late";
    expect(findTable(text)?.records[0]).toEqual(["userID", "plan", ""]);
    expect((await readIDs(text, column(0))).ids).toEqual(["ada", "ben", "cleo"]);
  });

  test("reads the beginning of a long file, up to the last whole record", async () => {
    const lines = ["id,plan", ...Array.from({ length: 20_000 }, (_, index) => `customer_${index},"größe ${index % 3}"`)];
    const table = await readTable(new Blob([lines.join("\n")]));
    expect(lines.join("\n").length).toBeGreaterThan(SAMPLE_LENGTH);
    expect(table && previewIDs(table, column(0), 2)).toEqual(["customer_0", "customer_1"]);
  });
});

describe("the ids of a column", () => {
  const text = '\uFEFFuser_id,plan,note\r\nada,pro,"a, b"\r\n\r\nben,free,"two\r\nlines"\r\nada,pro,\r\n';

  test("come only from its records, each once, no matter what other columns contain", async () => {
    expect(await readIDs(text, column(0))).toEqual({ ids: ["ada", "ben"], refused: [] });
    expect(await readIDs(text, column(2))).toEqual({ ids: ["a, b", "two\nlines"], refused: [] });
    expect(await readIDs(text, column(0, { skipsFirst: false }))).toMatchObject({ ids: ["user_id", "ada", "ben"] });
    expect(await readIDs(text, column(null))).toMatchObject({ ids: ["ada", "pro", "a, b", "ben", "free", "two\nlines"] });
  });

  test("lack records that are too short or never end, which are named by their lines", async () => {
    expect(await readIDs('id,plan\nada,pro\nben\ncleo,"free\nx', column(1))).toEqual({
      ids: ["pro"],
      refused: [
        { line: 3, reason: "The column is missing in this line." },
        { line: 5, reason: "A quotation mark isn’t closed." },
      ],
    });
  });
});
