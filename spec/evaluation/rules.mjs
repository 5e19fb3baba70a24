// Consequences of an operation's kind in the evaluation API. Path files state only the differences.

const parameter = (name) => `../components/parameters/${name}.yaml`;
const response = (name) => `../components/responses/${name}.yaml`;
const header = (name) => `../components/headers/${name}.yaml`;
const console = (path) => `../../console/components/${path}.yaml`;

/** OFREP has its own error bodies. */
const isOfrep = (operation) => operation.hasTag("OFREP");

/** @type {import("../plugin/complete-operation.mjs").Rule[]} */
export const rules = [
  {
    when: (operation) => !isOfrep(operation),
    responses: {
      400: console("responses/BadRequest"),
      401: response("KeyNeeded"),
      403: response("AddressForbidden"),
      429: response("RequestLimitReached"),
      500: console("responses/InternalError"),
      503: console("responses/Unavailable"),
    },
  },
  {
    when: isOfrep,
    responses: {
      400: response("FlagBadRequest"),
      401: response("FlagUnauthorized"),
      403: response("FlagAddressForbidden"),
      429: response("FlagLimitReached"),
      500: response("FlagInternalError"),
      503: response("FlagUnavailable"),
    },
  },
  {
    when: (operation) => operation.has("x-server-keys-only"),
    responses: { 403: console("responses/Forbidden") },
  },
  {
    // The others carry their key or token in the path.
    when: (operation) => !isOfrep(operation) && !operation.hasPathParameters,
    parameters: [parameter("k")],
  },
  {
    when: (operation) => !isOfrep(operation) && operation.hasBody,
    parameters: [parameter("se"), parameter("gz"), parameter("statsigEncoded")],
    responses: { 413: console("responses/PayloadTooLarge"), 415: response("BodyNotUnderstood") },
  },
  {
    when: (operation) => isOfrep(operation) && operation.hasBody,
    responses: { 413: response("FlagPayloadTooLarge"), 415: response("FlagUnsupportedMediaType") },
  },
  {
    when: (operation) => operation.takes("heldRuleset"),
    responses: { 304: response("RulesetNotModified") },
    successHeaders: { "Cache-Control": header("PrivateCacheControl"), ETag: header("RulesetETag"), Vary: header("VaryEncoding") },
  },
  {
    // Caches identify responses by their URL, so the key must be in the path.
    when: (operation) => operation.takes("heldRuleset") && operation.hasPathParameters,
    responses: { 304: response("CachedRulesetNotModified") },
    successHeaders: { "Cache-Control": header("CacheControl"), "CDN-Cache-Control": header("CDNCacheControl") },
  },
  {
    when: () => true,
    successHeaders: { "X-Request-Id": console("headers/RequestID") },
  },
];
