import { createContext, Script } from "node:vm";
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Violation } from "../../errors.ts";
import { pointerSteps, toPlace } from "../../place.ts";
import type { JsonObject } from "../common/json5-twin.ts";

/** A value that must satisfy a schema, and where the request has it: `rules[1].returnValue`. */
export type PlacedValue = { place: string; value: JsonObject };

/** How long a schema may take to compile and to check all values, milliseconds. */
const TIME_LIMIT = 1000;
const MOST_VIOLATIONS = 100;

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
/** Tells valid schemas from others; never given a schema of a caller's to keep. */
let metaSchema: Ajv2020 | undefined;

/** Names every place at which a value does not satisfy the schema, and at `schema` what makes it no JSON Schema of draft 2020-12. */
export function checkValues(schema: JsonObject, values: PlacedValue[], violations: Violation[]): void {
  metaSchema ??= createMetaSchema();
  try {
    violations.push(...inTime(() => check(schema, values)));
  } catch (error) {
    violations.push({ property: "schema", errorMessage: faultOf(error as NodeJS.ErrnoException) });
  }
}

function check(schema: JsonObject, values: PlacedValue[]): Violation[] {
  requireSchema(schema);
  // A new one for each schema, so that no schema is kept and none can refer to another.
  const ajv = createAjv({ allErrors: true, meta: false, validateSchema: false });
  const validate = ajv.compile(schema);
  if ("$async" in validate) throw new Error("$async is not supported");
  const found = values.flatMap(({ place, value }) =>
    validate(value) ? [] : (validate.errors ?? []).map((one) => toViolation(place, one)),
  );
  return found.slice(0, MOST_VIOLATIONS);
}

function requireSchema(schema: JsonObject): void {
  const { $schema = DIALECT } = schema;
  if ($schema !== DIALECT && $schema !== `${DIALECT}#`) throw new Error(`$schema must be ${DIALECT} or left out`);
  if (!metaSchema?.validate(DIALECT, schema)) throw new Error(metaSchema?.errorsText(metaSchema.errors, { dataVar: "schema" }));
}

function createMetaSchema(): Ajv2020 {
  const ajv = createAjv({});
  ajv.getSchema(DIALECT);
  return ajv;
}

function createAjv(options: ConstructorParameters<typeof Ajv2020>[0]): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, logger: false, ...options });
  addFormats.default(ajv);
  return ajv;
}

/**
 * Schemas come from callers: their patterns may backtrack and their references branch for as long as they like. The virtual machine
 * interrupts both.
 */
function inTime<T>(work: () => T): T {
  return script.runInContext(createContext({ work }), { timeout: TIME_LIMIT });
}
const script = new Script("work()");

function faultOf(error: NodeJS.ErrnoException): string {
  if (error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return "takes too long to check. Simplify its patterns and references";
  if (error instanceof RangeError) return "refers to itself without end";
  return `is not a valid JSON Schema: ${error.message}`;
}

function toViolation(place: string, { keyword, instancePath, params, message }: ErrorObject): Violation {
  const at = (...names: string[]) => toPlace([...pointerSteps(instancePath), ...names], place);
  switch (keyword) {
    case "required":
      return { property: at(params.missingProperty), errorMessage: "is required (schema)" };
    case "additionalProperties":
      return { property: at(params.additionalProperty), errorMessage: "is not allowed (schema)" };
    case "unevaluatedProperties":
      return { property: at(params.unevaluatedProperty), errorMessage: "is not allowed (schema)" };
    case "enum":
      return { property: at(), errorMessage: `must be one of ${JSON.stringify(params.allowedValues).slice(1, -1)} (schema)` };
    case "const":
      return { property: at(), errorMessage: `must be ${JSON.stringify(params.allowedValue)} (schema)` };
    default:
      return { property: at(), errorMessage: `${message} (schema)` };
  }
}
