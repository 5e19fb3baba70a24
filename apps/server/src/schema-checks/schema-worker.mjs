import { parentPort } from "node:worker_threads";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

// Runs in a worker thread, which is terminated if a schema takes too long. Plain JavaScript, since a thread starts without a compiler.

const MAX_FINDINGS = 100;
/** Longer texts of schemas and values are cut in messages. In characters. */
const MAX_TEXT_LENGTH = 300;
const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Validates schemas. Schemas of callers are never added to it. */
const metaSchema = createAjv({});
metaSchema.getSchema(DIALECT);

parentPort?.on("message", ({ schema, values }) => parentPort?.postMessage(runCheck(schema, values)));
parentPort?.postMessage("ready");

/**
 * @param {string} text a JSON Schema
 * @param {unknown[]} values
 * @returns {import("./schema-check.ts").Outcome}
 */
function runCheck(text, values) {
  try {
    return { findings: check(JSON.parse(text), values) };
  } catch (error) {
    if (error instanceof RangeError) return { fault: "refers to itself without end" };
    return { fault: `is not a valid JSON Schema: ${cut(error instanceof Error ? error.message : String(error))}` };
  }
}

/**
 * @param {import("ajv").AnySchemaObject} schema
 * @param {unknown[]} values
 */
function check(schema, values) {
  requireSchema(schema);
  // A new instance for each schema, so that none is kept and none can reference another.
  const validate = createAjv({ allErrors: true, meta: false, validateSchema: false }).compile(schema);
  if ("$async" in validate) throw new Error("$async is not supported");
  /** @type {import("./schema-check.ts").Finding[]} */
  const findings = [];
  for (const [index, value] of values.entries()) {
    if (validate(value)) continue;
    for (const error of validate.errors ?? []) {
      if (findings.length === MAX_FINDINGS) return findings;
      findings.push({ index, ...toFinding(error) });
    }
  }
  return findings;
}

/** @param {import("ajv").AnySchemaObject} schema */
function requireSchema(schema) {
  const { $schema = DIALECT } = schema;
  if ($schema !== DIALECT && $schema !== `${DIALECT}#`) throw new Error(`$schema must be ${DIALECT} or left out`);
  if (!metaSchema.validate(DIALECT, schema)) throw new Error(metaSchema.errorsText(metaSchema.errors, { dataVar: "schema" }));
}

/** @param {import("ajv").ErrorObject} error */
function toFinding({ keyword, instancePath, params, message }) {
  switch (keyword) {
    case "required":
      return { pointer: cut(instancePath), name: cut(params.missingProperty), message: "is required" };
    case "additionalProperties":
      return { pointer: cut(instancePath), name: cut(params.additionalProperty), message: "is not allowed" };
    case "unevaluatedProperties":
      return { pointer: cut(instancePath), name: cut(params.unevaluatedProperty), message: "is not allowed" };
    case "enum":
      return { pointer: cut(instancePath), message: `must be one of ${cut(JSON.stringify(params.allowedValues).slice(1, -1))}` };
    case "const":
      return { pointer: cut(instancePath), message: `must be ${cut(JSON.stringify(params.allowedValue))}` };
    default:
      return { pointer: cut(instancePath), message: cut(message ?? "is not valid") };
  }
}

/** @param {string} text */
function cut(text) {
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}

/** @param {import("ajv").Options} options */
function createAjv(options) {
  const ajv = new Ajv2020({ strict: false, logger: false, ...options });
  addFormats.default(ajv);
  return ajv;
}
