import { expect, test } from "vitest";
import { readFileRows } from "./file-rows.ts";

const JSON_TEXT = `[
  { "input": { "order": "One lamp" }, "expected": "A lamp." },
  { "input": { "order": 2 } }
]`;

test("a CSV file goes to the server as it is", () => {
  const read = readFileRows("orders.csv", "order\nOne lamp\n");
  expect(read).toMatchObject({ body: { csv: "order\nOne lamp\n" } });
});

test("a JSON file is read as rows, and violations are found by line and column", () => {
  const read = readFileRows("orders.JSON", JSON_TEXT);
  if ("fault" in read) throw new Error(read.fault);
  expect(read.body).toEqual({ rows: [{ input: { order: "One lamp" }, expected: "A lamp." }, { input: { order: 2 } }] });
  expect(read.placeOf("rows[1].input.order")).toBe("Line 3, column 25");
  expect(read.placeOf("rows[1].expected")).toBe("Line 3, column 3");
  expect(read.placeOf("rows")).toBeUndefined();
});

test("a JSON file that cannot be read is refused with the line and the column", () => {
  expect(readFileRows("orders.json", '[\n  { "input" "order" }\n]')).toEqual({ fault: expect.stringMatching(/^Line 2, column 13: /) });
  expect(readFileRows("orders.json", '{ "rows": [] }')).toEqual({ fault: "The file must have a list of rows in brackets [ ]." });
});
