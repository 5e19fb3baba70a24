import type { ValidateFunction } from "ajv";
import { invalid } from "../../errors.ts";
import type { Document } from "../document.ts";
import { knownNames } from "../known-names.ts";
import { toViolations, type ValidatorError } from "../violations.ts";
import { type ParameterParts, parameterPlaces, partsOf } from "./contract-places.ts";
import { compileSchema, toValidatorErrors } from "./schemas.ts";

type Values = Record<string, unknown>;

/** Answers the query as the contract types it. @throws AppError invalid_request that names every violation */
export type RequestCheck = (request: { path: Record<string, string>; query: URLSearchParams; body: unknown }) => Values;

type Check = { parameters: ParameterCheck[]; body: ValidateFunction | undefined; isBodyRequired: boolean };
type ParameterCheck = ParameterParts & { validate: ValidateFunction };

/** Checks path, query and body against the contract. Query parameters that it does not name are let pass: SDKs send many. */
export function createRequestCheck(document: Document, path: string, method: string): RequestCheck {
  let check: Check | undefined;
  return (request) => {
    check ??= compile(document, path, method);
    const errors: ValidatorError[] = [];
    const query = readParameters(check.parameters, request, errors);
    checkBody(check, request.body, errors);
    if (errors.length === 0) return query;
    const operation = partsOf(document, path, method);
    throw invalid(toViolations(errors, (pointer) => knownNames(document, operation, pointer)));
  };
}

function compile(document: Document, path: string, method: string): Check {
  const operation = partsOf(document, path, method);
  const parameters = parameterPlaces(document, path, method).map(({ place, ...parameter }) => ({
    ...parameter,
    validate: compileSchema(document, [...place, "schema"], { coerce: true }),
  }));
  const place = ["paths", path, method, "requestBody", "content", "application/json", "schema"];
  return {
    parameters,
    body: operation.requestBody && compileSchema(document, place),
    isBodyRequired: operation.requestBody?.required === true,
  };
}

function readParameters(
  parameters: ParameterCheck[],
  { path, query }: { path: Record<string, string>; query: URLSearchParams },
  errors: ValidatorError[],
): Values {
  const values: Values = {};
  for (const { name, in: where, required, validate } of parameters) {
    if (where === "header") continue;
    const given = where === "path" ? path[name] : query.get(name);
    if (given === null || given === undefined) {
      if (required) errors.push({ path: `/${where}/${name}`, message: "", errorCode: "required" });
      continue;
    }
    // Coercion replaces a value in what holds it.
    const holder = { value: given as unknown };
    const context = { instancePath: "", parentData: holder, parentDataProperty: "value", rootData: holder, dynamicAnchors: {} };
    if (!validate(given, context)) errors.push(...toValidatorErrors(validate.errors ?? [], `${where}/${name}`));
    if (where === "query") values[name] = holder.value;
  }
  return values;
}

function checkBody({ body, isBodyRequired }: Check, given: unknown, errors: ValidatorError[]): void {
  if (!body) return;
  // Where a body is needed, one that is missing is told by the fields that it misses.
  const value = given === undefined && isBodyRequired ? {} : given;
  if (value !== undefined && !body(value)) errors.push(...toValidatorErrors(body.errors ?? [], "body"));
}
