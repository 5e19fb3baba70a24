import { arrayOf, objectType, type TypeText, union } from "./type-text.ts";

/** A type that all of these values have. Properties that some of them lack are optional. */
export function typeOfValues(values: readonly unknown[]): TypeText {
  const objects = values.filter(isObject);
  const lists = values.filter((value) => Array.isArray(value));
  const others = values.filter((value) => !isObject(value) && !Array.isArray(value));
  return union([
    ...others.map((value) => (value === null ? "null" : typeof value)),
    ...(lists.length > 0 ? [arrayOf(lists.flat().length === 0 ? "unknown" : typeOfValues(lists.flat()))] : []),
    ...(objects.length > 0 ? [typeOfObjects(objects)] : []),
  ]);
}

type JsonObject = { [name: string]: unknown };

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function typeOfObjects(objects: readonly JsonObject[]): TypeText {
  const names = [...new Set(objects.flatMap((one) => Object.keys(one)))];
  return objectType(
    names.map((name) => {
      const having = objects.filter((one) => Object.hasOwn(one, name));
      return { name, type: typeOfValues(having.map((one) => one[name])), isOptional: having.length < objects.length };
    }),
  );
}
