import type { Violation } from "../../common/errors.ts";
import { pointerSteps, toPlace } from "../../common/place.ts";
import type { CheckSchema } from "../../schema-checks/schema-check.ts";
import type { JsonObject } from "../common/json5-source.ts";

/** A value that must satisfy a schema, and its place in the request: `rules[1].returnValue`. */
export type PlacedValue = { place: string; value: JsonObject };

/**
 * Returns a violation for every place where a value does not satisfy the schema. If that is not a JSON Schema of draft 2020-12, returns one
 * at `schema`. @throws AppError unavailable if too many checks are queued
 */
export async function checkValues(schema: string, values: PlacedValue[], check: CheckSchema): Promise<Violation[]> {
  const outcome = await check(
    schema,
    values.map(({ value }) => value),
  );
  if ("fault" in outcome) return [{ property: "schema", errorMessage: outcome.fault }];
  return outcome.findings.map(({ index, pointer, name, message }) => ({
    property: toPlace([...pointerSteps(pointer), ...(name === undefined ? [] : [name])], values[index]?.place),
    errorMessage: `${message} (schema)`,
  }));
}
