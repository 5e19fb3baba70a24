type JsonType = "array" | "boolean" | "null" | "number" | "object" | "string";

/** What a value is in JSON. */
export function jsonType(value: unknown): JsonType {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as JsonType);
}
