import type { OperationDescription, ParameterDescription } from "@gatehouse/contract";
import type { ValidateFunction } from "ajv";
import { invalid } from "../../common/errors.ts";
import type { Document } from "./document.ts";
import { readPlaces } from "./known-names.ts";
import { compileSchema, type Found, toFoundErrors } from "./schemas.ts";
import { toViolations } from "./violations.ts";

type Values = Record<string, unknown>;

type Given = { path: Record<string, string>; query: URLSearchParams; body: unknown };

type Checked = { path: Values; query: Values; body: unknown };

export type RequestCheck = {
  /**
   * Returns the request with parameters of the contract's types. A missing body becomes an empty one.
   * @throws AppError invalid_request with the violations
   */
  check(request: Given): Checked;
  /** Compiles the schemas ahead of the first check. */
  compile(): void;
};

type Compiled = { parameters: Parameter[]; validateBody: ValidateFunction | undefined };
type Parameter = ParameterDescription & { validate: ValidateFunction };

/** Checks path, query and body against the contract. Ignores unknown query parameters, since SDKs send many. */
export function createRequestCheck(document: Document, operation: OperationDescription): RequestCheck {
  let compiled: Compiled | undefined;
  const compile = () => {
    compiled ??= compileOperation(document, operation);
    return compiled;
  };
  return {
    compile,
    check(given) {
      const { parameters, validateBody } = compile();
      const found: Found = { errors: [], count: 0 };
      const values = readParameters(parameters, given, found);
      const body = validateBody && given.body === undefined ? {} : given.body;
      if (validateBody && !validateBody(body)) add(found, toFoundErrors(validateBody, "body"));
      if (found.count === 0) return { path: values.path, query: values.query, body };
      const violations = toViolations(found.errors, readPlaces(document, operation, { body, query: values.query }));
      const repeated = found.errors.length - violations.length;
      throw invalid(violations, found.count - repeated);
    },
  };
}

function compileOperation(document: Document, { parameters, body }: OperationDescription): Compiled {
  return {
    parameters: parameters.map((parameter) => ({ ...parameter, validate: compileSchema(document, parameter.schema, "parameter") })),
    validateBody: body && compileSchema(document, body.schema, "body"),
  };
}

function readParameters(parameters: Parameter[], { path, query }: Given, found: Found): { path: Values; query: Values } {
  const values: { path: Values; query: Values } = { path: {}, query: {} };
  for (const { name, in: where, isRequired, validate } of parameters) {
    if (where === "header") continue;
    const given = where === "path" ? path[name] : (query.get(name) ?? undefined);
    if (given === undefined) {
      if (isRequired) add(found, { errors: [{ path: `/${where}/${name}`, message: "", errorCode: "required" }], count: 1 });
      continue;
    }
    // Coercion writes to the value's parent.
    const holder = { value: given as unknown };
    const context = { instancePath: "", parentData: holder, parentDataProperty: "value", rootData: holder, dynamicAnchors: {} };
    if (!validate(given, context)) add(found, toFoundErrors(validate, `${where}/${name}`));
    values[where as "path" | "query"][name] = holder.value;
  }
  return values;
}

function add(found: Found, { errors, count }: Found): void {
  found.errors = found.errors.concat(errors);
  found.count += count;
}
