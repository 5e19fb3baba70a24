// The rows in a chosen file. Pure.
import type { WritableSchema } from "../../api.ts";
import { findMember, jsonValue, type Node, parseJson5 } from "../../editor/json5-tree.ts";

type Body = Pick<WritableSchema<"PromptDatasetPatch">, "csv" | "rows">;

/** The request that has the server read a file, and the places of the server's violations in the file. */
export type FileRows = { body: Body; placeOf: (property: string) => string | undefined };

/**
 * A JSON file has a list of rows. Other files are CSV, which the server reads.
 * @returns the fault of a JSON file that cannot be read, with its line and column
 */
export function readFileRows(name: string, text: string): FileRows | { fault: string } {
  if (!/\.json5?$/i.test(name)) return { body: { csv: text }, placeOf: () => undefined };
  const { root, fault } = parseJson5(text);
  if (root === undefined) return { fault: `${placeIn(text, fault.from)}: ${fault.message}` };
  if (root.kind !== "array") return { fault: "The file must have a list of rows in brackets [ ]." };
  return {
    body: { rows: jsonValue(root) as NonNullable<Body["rows"]> },
    placeOf: (property) => {
      const node = nodeAt(root, property);
      return node && placeIn(text, node.from);
    },
  };
}

/** The line and the column of an offset, both counted from 1. */
function placeIn(text: string, offset: number): string {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `Line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}

/** The innermost part of the file on the path of a violation, such as `rows[3].input.order`. */
function nodeAt(root: Node, property: string): Node | undefined {
  const [, index, fields = ""] = /^rows\[(\d+)\](.*)$/s.exec(property) ?? [];
  let found = index !== undefined && root.kind === "array" ? root.items[Number(index)] : undefined;
  for (const field of fields.split(".").filter((name) => name !== "")) {
    const member = findMember(found, field);
    if (member === undefined) break;
    found = member.value;
  }
  return found;
}
