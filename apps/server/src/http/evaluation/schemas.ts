import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { Document } from "../document.ts";
import type { ValidatorError } from "../violations.ts";

const NAME = "contract";

type Validators = { strict: Ajv2020; coercing: Ajv2020 };

/** One pair for each document: what is compiled for one operation is there for the next. */
const known = new WeakMap<Document, Validators>();

/**
 * Compiles the schema at a place of the document, given as the names that lead to it. `coerce` takes texts for what they say: parameters
 * are numbers and booleans only after that.
 */
export function compileSchema(document: Document, place: string[], { coerce = false } = {}): ValidateFunction {
  const { strict, coercing } = validatorsOf(document);
  const pointer = place.map((step) => step.replaceAll("~", "~0").replaceAll("/", "~1"));
  return (coerce ? coercing : strict).compile({ $ref: `${NAME}#/${pointer.map(encodeURIComponent).join("/")}` });
}

function validatorsOf(document: Document): Validators {
  const found = known.get(document);
  if (found) return found;
  const create = (coerceTypes: boolean) => {
    const options = { allErrors: true, strict: false, validateSchema: false, validateFormats: false, coerceTypes } as const;
    return new Ajv2020(options).addSchema(document, NAME);
  };
  const validators = { strict: create(false), coercing: create(true) };
  known.set(document, validators);
  return validators;
}

/** What a validator found, as the house tells of it. `root` is the part of the request that it looked at. */
export function toValidatorErrors(errors: ErrorObject[], root: string): ValidatorError[] {
  return errors.map(({ instancePath, keyword, params, message = "" }) => {
    const name: string | undefined = params.missingProperty ?? params.unevaluatedProperty;
    const step = name === undefined ? "" : `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    return { path: `/${root}${instancePath}${step}`, message, errorCode: keyword };
  });
}
