import type { Place } from "@gatehouse/contract";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Document } from "./document.ts";
import type { ValidatorError } from "./violations.ts";

const DOCUMENT_ID = "contract";

/** What a schema is for. The text of a parameter is taken for what it says, as a number or a boolean; a body is checked as it is. */
type Use = "body" | "parameter";

/** The first errors, and how many there were. */
export type Found = { errors: ValidatorError[]; count: number };

/** Compiles schemas of a document for one use. What is compiled for one operation is there for the next. */
type Compiler = { ajv: Ajv2020; compiled: Map<string, ValidateFunction> };

const known = new WeakMap<Document, Partial<Record<Use, Compiler>>>();

/** Compiles the schema at a place of the document. */
export function compileSchema(document: Document, place: Place, use: Use): ValidateFunction {
  const { ajv, compiled } = compilerOf(document, use);
  const validate = compiled.get(place) ?? ajv.compile({ $ref: DOCUMENT_ID + place });
  compiled.set(place, validate);
  return validate;
}

function compilerOf(document: Document, use: Use): Compiler {
  const compilers = known.get(document) ?? {};
  known.set(document, compilers);
  compilers[use] ??= { ajv: createValidator(document, use), compiled: new Map() };
  return compilers[use];
}

function createValidator(document: Document, use: Use): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false, coerceTypes: use === "parameter" });
  // As a function that is called: the package is CommonJS, whose default export types and Node disagree on.
  (addFormats as unknown as (target: Ajv2020, options: { mode: "fast" }) => void)(ajv, { mode: "fast" });
  return ajv.addSchema(document, DOCUMENT_ID);
}

/** The first errors that a validator found, and how many there were. `root` is the part of the request that it looked at. */
export function errorsOf({ errors, errorCount }: ValidateFunction & { errorCount?: number }, root: string): Found {
  const found = errors ?? [];
  return { errors: found.map((error) => toValidatorError(error, root)), count: errorCount ?? found.length };
}

function toValidatorError({ instancePath, keyword, params, message = "" }: ErrorObject, root: string): ValidatorError {
  const name: string | undefined = params.missingProperty ?? params.unevaluatedProperty;
  const step = name === undefined ? "" : `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const text = keyword === "enum" ? `${message}: ${params.allowedValues.map(String).join(", ")}` : message;
  return { path: `/${root}${instancePath}${step}`, message: text, errorCode: keyword };
}
