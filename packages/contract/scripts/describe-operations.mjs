// Describes each operation of a bundled document. The type is `OperationDescription` (src/descriptions.ts).

/** The default limits of bodies. */
const MAX_BODY_BYTES = 2 ** 20;
const MAX_BODY_VALUES = 100_000;

/** The media types of JSON bodies, the preferred one first. */
const JSON_TYPES = ["application/scim+json", "application/json"];

/** In `x-permission`: no credentials, and the session of a person. */
const ACCOUNT_PERMISSIONS = ["none", "session"];
/** In `x-permission`: everything that is not a permission in a project. */
const NO_PERMISSIONS = [...ACCOUNT_PERMISSIONS, "administrator", "contained"];

/** Why an operation that can be scheduled can't repeat. */
const UNREPEATED =
  "Only PATCH operations, operations without a body, and batches of them can repeat. Others would undo what people change in between.";

/** The descriptions of an API's operations, by operationId. */
export function describeOperations(document, api) {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation.operationId)
      .map(([method, operation]) => describe(document, { api, path, method, item, operation })),
  );
  return Object.fromEntries(operations.map((one) => [one.operationId, one]));
}

function describe(document, { api, path, method, item, operation }) {
  const isOfAccount = ACCOUNT_PERMISSIONS.includes(operation["x-permission"]);
  const isWrite = api !== "evaluation" && method !== "get" && !isOfAccount && !operation["x-reads"];
  const pathParameters = (item.parameters ?? []).map((_, index) => pointer("paths", path, "parameters", index));
  const ownParameters = (operation.parameters ?? []).map((_, index) => pointer("paths", path, method, "parameters", index));
  const parameters = [...pathParameters, ...ownParameters].map((place) => describeParameter(document, place));
  const takes = (name) => parameters.some((parameter) => parameter.in === "header" && parameter.name === name);
  const answers = describeAnswers(document, path, method, operation);
  const successes = Object.keys(operation.responses).filter((status) => /^[23]/.test(status));
  // An operation that always fails answers with a JSON error.
  const answersJSON = successes.length === 0 || successes.some((status) => status.startsWith("2") && status in answers);
  const answersLines = Object.values(operation.responses).some(({ content }) => content?.["application/x-ndjson"] !== undefined);
  const isOfProject = api === "console" && !NO_PERMISSIONS.includes(operation["x-permission"]);
  const takesApplyAt = isInQuery(parameters, "applyAt");
  const takesRepeat = isInQuery(parameters, "repeat");
  const refusedParameters = { ...operation["x-refused-parameters"], ...(takesApplyAt && !takesRepeat && { repeat: UNREPEATED }) };
  return {
    operationId: operation.operationId,
    method,
    path,
    isWrite,
    ...(operation["x-entity"] && { entity: operation["x-entity"] }),
    ...(operation["x-kind"] && { kind: operation["x-kind"] }),
    ...(operation["x-reads"] && { readsByPost: true }),
    ...access(document, operation),
    parameters,
    ...(Object.keys(refusedParameters).length > 0 && { refusedParameters }),
    ...(operation["x-any-query"] && { takesAnyQuery: true }),
    ...(operation["x-analyses"] && { analyses: true }),
    ...(operation["x-asks"] && { asks: operation["x-asks"] }),
    isBatchable:
      isOfProject && answersJSON && !answersLines && !operation["x-reads"] && !operation["x-analyses"] && !operation["x-unbatched"],
    takesIfMatch: takes("If-Match"),
    takesIfNoneMatch: takes("If-None-Match"),
    takesApplyAt,
    ...(takesRepeat && { takesRepeat }),
    ...(operation["x-unbatched"] && { unbatched: operation["x-unbatched"] }),
    ...(operation["x-unscheduled"] && { unscheduled: operation["x-unscheduled"] }),
    takesIdempotencyKey: takes("Idempotency-Key"),
    ...(operation.requestBody && { body: describeBody(document, path, method, operation.requestBody) }),
    statuses: Object.keys(operation.responses).map(Number),
    answers,
    answersJSON,
    answersLines,
    ...(operation["x-uncalled"] && { uncalled: operation["x-uncalled"] }),
    ...(answersPages(document, path, method, operation) && { answersPages: true }),
    ...(operation["x-on-own-key"] && { opensOnOwnKey: true }),
    ...(operation["x-before-second-factor"] && { opensBeforeSecondFactor: true }),
    ...(operation["x-shown-once"] && { shownOnce: operation["x-shown-once"] }),
  };
}

function isInQuery(parameters, name) {
  return parameters.some((parameter) => parameter.in === "query" && parameter.name === name);
}

function access(document, operation) {
  const schemes = (operation.security ?? []).flatMap((one) => Object.keys(one));
  const isToken = (name) =>
    document.components.securitySchemes[name].in === "query" && document.components.securitySchemes[name].name === "token";
  return {
    opensBy: schemes.some(isToken) ? "token" : "key",
    ...(operation["x-permission"] && { permission: operation["x-permission"] }),
    isForServers: operation["x-server-keys-only"] === true,
    ...(operation["x-client-scope"] && { clientScope: operation["x-client-scope"] }),
  };
}

/** The roles and scopes that give each permission, by its name. */
export function describePermissions({ components: { schemas } }) {
  return Object.fromEntries(
    Object.entries(schemas.Permissions.properties).map(([name, { "x-roles": roles, "x-scopes": scopes = [["omni_read_write"]] }]) => [
      name,
      { roles, scopes },
    ]),
  );
}

function describeParameter(document, place) {
  const target = follow(document, place);
  const { name, in: where, required = false, schema, example } = valueAt(document, target);
  return {
    name,
    in: where,
    isRequired: required,
    isNullable: [schema.type].flat().includes("null"),
    schema: follow(document, `${target}/schema`),
    ...(example !== undefined && { example }),
  };
}

function describeBody(document, path, method, body) {
  const media = pointer("paths", path, method, "requestBody", "content", jsonTypeIn(body.content));
  const schema = follow(document, `${media}/schema`);
  const [example] = Object.keys(valueAt(document, media).examples ?? {});
  return {
    isRequired: body.required === true,
    schema,
    ...(example && { example: `${follow(document, `${media}/examples/${escapeStep(example)}`)}/value` }),
    maxBytes: body["x-body-limit"] ?? MAX_BODY_BYTES,
    maxValues: body["x-max-values"] ?? MAX_BODY_VALUES,
    refusesEmpty: body["x-refuses-empty"] === true,
    checksItemsSingly: body["x-items-checked-singly"] === true,
  };
}

/** The schemas of JSON responses, by status. */
function describeAnswers(document, path, method, { responses }) {
  return Object.fromEntries(
    Object.keys(responses).flatMap((status) => {
      const response = follow(document, pointer("paths", path, method, "responses", status));
      const type = jsonTypeIn(valueAt(document, response).content ?? {});
      return type === undefined ? [] : [[status, follow(document, `${response}/content/${escapeStep(type)}/schema`)]];
    }),
  );
}

function jsonTypeIn(content) {
  return JSON_TYPES.find((type) => content[type] !== undefined);
}

/** Whether a failure can be a page. */
function answersPages(document, path, method, { responses }) {
  const contents = Object.keys(responses).map((status) => follow(document, pointer("paths", path, method, "responses", status)));
  return contents.some((response) => valueAt(document, response).content?.["text/html"] !== undefined);
}

/** Follows references that have no siblings. */
function follow(document, place) {
  const node = valueAt(document, place);
  return node.$ref && Object.keys(node).length === 1 ? follow(document, node.$ref) : place;
}

function pointer(...steps) {
  return `#/${steps.map(escapeStep).join("/")}`;
}

/** Escapes a step of a JSON pointer in a URL's fragment. */
function escapeStep(step) {
  return encodeURIComponent(String(step).replaceAll("~", "~0").replaceAll("/", "~1"));
}

export function valueAt(document, place) {
  const steps = place.split("/").slice(1);
  return steps.reduce((node, step) => node[decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")], document);
}
