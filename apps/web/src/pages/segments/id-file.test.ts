import { describe, expect, test } from "vitest";
import { toLine } from "./id-download.ts";
import { type Batch, explainRefusal, readBatches } from "./id-file.ts";
import { readTable } from "./id-table.ts";

async function read(parts: (string | Uint8Array<ArrayBuffer>)[], size = 100): Promise<Batch[]> {
  const batches: Batch[] = [];
  for await (const batch of readBatches(new Blob(parts), size)) batches.push(batch);
  return batches;
}

const listIDs = (batches: readonly Batch[]) => batches.flatMap(({ ids }) => ids);

describe("the ids of a file", () => {
  test("are one per line, or separated by commas or tabs, with any line endings", async () => {
    expect(listIDs(await read(["\uFEFFada\r\nben, cleo\tdora\n\n  \rewa\r"]))).toEqual(["ada", "ben", "cleo", "dora", "ewa"]);
  });

  test("come in batches of a given size, each with the line and the bytes up to its end", async () => {
    expect(await read(["a\nb\nc\n"], 2)).toEqual([
      { ids: ["a", "b"], refused: [], line: 2, bytes: 6 },
      { ids: ["c"], refused: [], line: 3, bytes: 6 },
    ]);
  });

  test("come in batches that the server can keep for a review", async () => {
    const batches = await read([Array.from({ length: 2_900 }, (_, index) => String(index).padEnd(999, "x")).join("\n")], 50_000);
    const sizes = batches.map(({ ids }) => JSON.stringify({ ids }).length);
    expect([sizes.length, sizes.every((size) => size <= 2 ** 20)]).toEqual([3, true]);
  });

  test("are whole where the file is read in pieces within a line or a character", async () => {
    const ids = Array.from({ length: 30_000 }, (_, index) => `größe_${index}`);
    expect(listIDs(await read([ids.join("\r\n")], 1_000))).toEqual(ids);
  });

  test("that a list cannot have are named by their lines, and the others are kept", async () => {
    const [batch] = await read(["good\n", `${"x".repeat(1_001)}\n`, "a\0b\n", new Uint8Array([0xff, 0x0a]), "better\n"]);
    expect(batch).toMatchObject({
      ids: ["good", "better"],
      refused: [
        { line: 2, reason: "IDs can have up to 1,000 characters." },
        { line: 3, reason: "IDs can’t contain the character U+0000." },
        { line: 4, reason: "The line isn’t valid UTF-8." },
      ],
    });
  });

  test("of a line that never ends are not kept in memory", async () => {
    const batches = await read(["first\n", "x".repeat(3 * 2 ** 20), "\nlast"]);
    expect(listIDs(batches)).toEqual(["first", "last"]);
    expect(batches.flatMap(({ refused }) => refused)).toEqual([{ line: 2, reason: "The line is too long." }]);
  });

  test("of an empty file are an empty list", async () => {
    expect(await read([""])).toEqual([{ ids: [], refused: [], line: 0, bytes: 0 }]);
  });
});

test("an id is bounded in characters and in bytes", () => {
  expect(explainRefusal("x".repeat(1_000))).toBeUndefined();
  expect(explainRefusal("€".repeat(666))).toBeUndefined();
  expect(explainRefusal("€".repeat(667))).toBe("IDs can have up to 2,000 bytes in UTF-8.");
});

test("a downloaded list reads back as the same IDs", async () => {
  const ids = ["ada", "b,c", "d;e", 'say "hi"', "two\nlines", "=1+1", "user_id"];
  const file = new Blob(["id\r\n", ...ids.map(toLine)]);
  const table = await readTable(file);
  expect(table).toMatchObject({ records: { 0: ["id"] }, hasHeader: true });
  const found: string[] = [];
  for await (const batch of readBatches(file, 10, table && { separator: table.separator, index: 0, skipsFirst: true }))
    found.push(...batch.ids);
  expect(found).toEqual(ids);
});
