import type { Violation } from "../../errors.ts";
import { pointerSteps, toPlace } from "../../place.ts";
import type { CheckSchema } from "../../schema-checks/schema-check.ts";
import type { JsonObject } from "../common/json5-twin.ts";

/** A value that must satisfy a schema, and where the request has it: `rules[1].returnValue`. */
export type PlacedValue = { place: string; value: JsonObject };

/**
 * Names every place at which a value does not satisfy the schema, and at `schema` what makes it no JSON Schema of draft 2020-12.
 * @throws AppError unavailable if too many checks wait
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
