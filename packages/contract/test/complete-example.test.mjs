import { expect, test } from "vitest";
import { completeExample } from "../../../spec/plugin/complete-example.mjs";

const gate = { id: "new_checkout", isEnabled: true, version: 1 };

/** The completed form of a contract example. */
function completed(answer) {
  const example = { summary: "A gate", "x-answer": answer };
  completeExample(example, ({ $ref }) => ({ "Gate.yaml": gate })[$ref]);
  return example;
}

test("An example wraps the entity of a file in the envelope of a success", () => {
  expect(completed({ message: "Gate read successfully.", data: { $ref: "Gate.yaml" } })).toEqual({
    summary: "A gate",
    value: { message: "Gate read successfully.", data: gate },
  });
});

test("An example changes fields of the entity, in their place, and leaves the file's entity as it is", () => {
  const { value } = completed({ message: "Gate disabled.", data: { $ref: "Gate.yaml", with: { isEnabled: false, version: 2 } } });
  expect(JSON.stringify(value.data)).toBe('{"id":"new_checkout","isEnabled":false,"version":2}');
  expect(gate.version).toBe(1);
});

test("An example may have data of its own, or none", () => {
  expect(completed({ message: "Checked.", data: { checksPerHour: 12 } }).value).toEqual({
    message: "Checked.",
    data: { checksPerHour: 12 },
  });
  expect(completed({ message: "Gate deleted." }).value).toEqual({ message: "Gate deleted." });
});

test("A list of more than an example shows is its first page, as long as what it shows", () => {
  const pages = { all: "/console/v1/gates", totalItems: 3 };
  expect(completed({ message: "Listed.", data: [{ $ref: "Gate.yaml" }, { id: "dark_mode" }], pages }).value).toEqual({
    message: "Listed.",
    data: [gate, { id: "dark_mode" }],
    pagination: {
      itemsPerPage: 2,
      pageNumber: 1,
      totalItems: 3,
      nextPage: "/console/v1/gates?page=2&limit=2",
      previousPage: null,
      all: "/console/v1/gates",
    },
  });
});

test("A list of which an example shows all has one page of the size that is used when none is asked for", () => {
  const pages = { all: "/console/v1/gates", totalItems: 1 };
  expect(completed({ message: "Listed.", data: [{ $ref: "Gate.yaml" }], pages }).value.pagination).toMatchObject({
    itemsPerPage: 100,
    nextPage: null,
  });
});

test("An example that is no success stays as it is written", () => {
  const example = { value: { status: 404, code: "not_found", message: "No." } };
  completeExample(example);
  expect(example).toEqual({ value: { status: 404, code: "not_found", message: "No." } });
});
