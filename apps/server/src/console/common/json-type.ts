type JsonType = "array" | "boolean" | "null" | "number" | "object" | "string";

/** The JSON type of a value. */
export function jsonType(value: unknown): JsonType {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as JsonType);
}
