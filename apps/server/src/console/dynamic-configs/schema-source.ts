import { isDeepStrictEqual } from "node:util";
import type { Violation } from "../../common/errors.ts";
import { contradiction, type JsonObject, parseObject } from "../common/json5-source.ts";

/** The text of a schema as strict JSON, and as it was written. Both are null without a schema. */
export type SchemaSource = { schema: string | null; schemaJson5: string | null };

/**
 * Derives each text of a schema from the other, as `json5Source` does. If both are given and differ in meaning, the one that differs from
 * `stored` is the edit and determines both.
 */
export function schemaSource(given: Partial<SchemaSource>, stored: SchemaSource, violations: Violation[]): SchemaSource {
  const schema = read("schema", given.schema, violations);
  const text = read("schemaJson5", given.schemaJson5, violations);
  if (schema === "unreadable" || text === "unreadable") return stored;
  if (!text) return schema && schema.text !== stored.schema ? fromOne(schema) : stored;
  if (!schema) return fromOne(text);
  if (isDeepStrictEqual(schema.value, text.value)) return { ...fromOne(schema), schemaJson5: text.text };
  if (schema.text === stored.schema) return fromOne(text);
  if (text.text === stored.schemaJson5) return fromOne(schema);
  violations.push(contradiction({ property: "schema", textProperty: "schemaJson5" }));
  return stored;
}

type Given = { text: string | null; value: JsonObject | null };

function read(property: string, text: string | null | undefined, violations: Violation[]): Given | "unreadable" | undefined {
  if (text === undefined) return undefined;
  if (text === null) return { text, value: null };
  const value = parseObject(property, text, violations);
  return value ? { text, value } : "unreadable";
}

function fromOne({ text, value }: Given): SchemaSource {
  return { schema: text !== null && isJson(text) ? text : value && JSON.stringify(value), schemaJson5: text };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
