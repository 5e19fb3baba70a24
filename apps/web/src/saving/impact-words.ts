// Values that users get, in the words of an estimated impact. Pure.

/** A value before or after a change. Experiments and layers without a value return the defaults in the code. */
export function impactValue(type: string, value: unknown): string {
  if (typeof value === "boolean") return value ? "pass" : "fail";
  if (value === null) return "nothing";
  if (typeof value !== "object" || Array.isArray(value)) return JSON.stringify(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return type === "dynamic_config" ? "an empty value" : "default values";
  return entries.map(([name, of]) => `${name}: ${typeof of === "string" && of !== "" ? of : JSON.stringify(of)}`).join(", ");
}
