import type { Place } from "@gatehouse/contract";
import { Ajv2020, type ErrorObject, type Format, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Document } from "./document.ts";
import { FORMATS } from "./formats.ts";
import type { ValidatorError } from "./violations.ts";

const DOCUMENT_ID = "contract";

/** The use of a schema. Texts of parameters are coerced to numbers and booleans; bodies are not. */
type Use = "body" | "parameter";

/** The first errors, and the number of all. */
export type Found = { errors: ValidatorError[]; count: number };

/** The compiled schemas of a document for one use, shared by all operations. */
type Compiler = { ajv: Ajv2020; compiled: Map<string, ValidateFunction> };

const known = new WeakMap<Document, Partial<Record<Use, Compiler>>>();

/** Compiles the schema at a place of the document. */
export function compileSchema(document: Document, place: Place, use: Use): ValidateFunction {
  const { ajv, compiled } = getCompiler(document, use);
  const validate = compiled.get(place) ?? ajv.compile({ $ref: DOCUMENT_ID + place });
  compiled.set(place, validate);
  return validate;
}

function getCompiler(document: Document, use: Use): Compiler {
  const compilers = known.get(document) ?? {};
  known.set(document, compilers);
  compilers[use] ??= { ajv: createValidator(document, use), compiled: new Map() };
  return compilers[use];
}

function createValidator(document: Document, use: Use): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false, coerceTypes: use === "parameter" });
  // The cast is needed because types and Node disagree on the default export of this CommonJS package.
  (addFormats as unknown as (target: Ajv2020, options: { mode: "fast" }) => void)(ajv, { mode: "fast" });
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format as Format);
  return ajv.addSchema(document, DOCUMENT_ID);
}

/** The first errors of a validator, and the number of all. `root` is the part of the request that it checked. */
export function toFoundErrors({ errors, errorCount }: ValidateFunction & { errorCount?: number }, root: string): Found {
  const found = errors ?? [];
  return { errors: found.map((error) => toValidatorError(error, root)), count: errorCount ?? found.length };
}

function toValidatorError({ instancePath, keyword, params, message = "" }: ErrorObject, root: string): ValidatorError {
  const name: string | undefined = params.missingProperty ?? params.unevaluatedProperty;
  const step = name === undefined ? "" : `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const text = keyword === "enum" ? `${message}: ${params.allowedValues.map(String).join(", ")}` : message;
  return { path: `/${root}${instancePath}${step}`, message: text, errorCode: keyword };
}
