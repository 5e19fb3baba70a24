import { jsonValue, parseJson5 } from "./json5-tree.ts";

/** A schema as a value, given as such or as a text of JSON or JSON5. Undefined if the text has a fault. */
export function schemaValue(schema: unknown): unknown {
  if (typeof schema !== "string") return schema;
  const { root } = parseJson5(schema);
  return root && jsonValue(root);
}
