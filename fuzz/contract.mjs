// Every operation of both contracts, with a validator for each declared response.
import consoleDocument from "@gatehouse/contract/console.json" with { type: "json" };
import evaluationDocument from "@gatehouse/contract/evaluation.json" with { type: "json" };
import { Ajv2020 } from "ajv/dist/2020.js";

const METHODS = ["get", "post", "put", "patch", "delete"];
const DEFAULT_BODY_LIMIT_BYTES = 2 ** 20;
const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false });
const validators = new Map();

export const operations = [...listOperations("console", consoleDocument), ...listOperations("evaluation", evaluationDocument)];

function listOperations(api, document) {
  ajv.addSchema(document, api);
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const { operationId, parameters = [], requestBody, responses } = item[method];
      const content = requestBody?.content["application/json"];
      return {
        api,
        id: operationId,
        method: method.toUpperCase(),
        path,
        parameters: [...(item.parameters ?? []), ...parameters].map((node) => resolve(api, node)),
        body: content?.schema,
        examples: Object.values(content?.examples ?? {}).map((example) => resolve(api, example).value),
        bodyLimit: requestBody?.["x-body-limit"] ?? DEFAULT_BODY_LIMIT_BYTES,
        responses,
      };
    }),
  );
}

export function resolve(api, node) {
  return node.$ref === undefined ? node : resolve(api, at(api, node.$ref));
}

function at(api, reference) {
  const document = api === "console" ? consoleDocument : evaluationDocument;
  return pointerSteps(reference).reduce((node, step) => node[step], document);
}

function pointerSteps(reference) {
  return reference
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** An operation's declaration of a status: media types, headers, and a validator of the JSON body; undefined if it declares none. */
export function declaredAnswer(operation, status) {
  const node = operation.responses[status];
  if (node === undefined) return undefined;
  const { content = {}, headers = {} } = resolve(operation.api, node);
  return { mediaTypes: Object.keys(content), headers: Object.keys(headers), findFaults: (body) => findFaults(operation, status, body) };
}

/** The violations in an error body of either API. The error of a batch has an index. */
export function errorFaults(body) {
  return faultsAt(`console#/components/schemas/${body?.index === undefined ? "Error" : "BatchError"}`, body);
}

function findFaults({ api, path, method, responses }, status, body) {
  const place = ["paths", path, method.toLowerCase(), "responses", status];
  const reference = responses[status].$ref ?? `#/${place.map(escaped).join("/")}`;
  return faultsAt(`${api}${reference}/content/application~1json/schema`, body);
}

function faultsAt(reference, body) {
  const validate = validators.get(reference) ?? ajv.compile({ $ref: reference });
  validators.set(reference, validate);
  return validate(body) ? undefined : ajv.errorsText(validate.errors);
}

function escaped(step) {
  return encodeURIComponent(String(step).replaceAll("~", "~0").replaceAll("/", "~1"));
}

const paths = [...new Set(operations.map(({ path }) => path))].map((path) => ({
  served: operations.filter((operation) => operation.path === path),
  // The last parameter of a flag's path matches the rest of the path.
  pattern: new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{(\w+)\}/g, path.startsWith("/ofrep/") ? ".+" : "[^/]+")}$`),
  parameters: path.match(/\{/g)?.length ?? 0,
}));

/** The operation that serves a method at an encoded path; undefined if the contract has none. Literal path segments take precedence. */
export function operationAt(method, path) {
  const found = paths.filter(({ pattern }) => pattern.test(path)).sort((left, right) => left.parameters - right.parameters);
  return found[0]?.served.find((operation) => operation.method === method);
}
