// Consequences of an operation's kind in the SCIM API. Path files state only the differences.

const response = (name) => `../components/responses/${name}.yaml`;
const console = (path) => `../../console/components/${path}.yaml`;

/** @type {import("../plugin/complete-operation.mjs").Rule[]} */
export const rules = [
  {
    when: () => true,
    responses: { 401: response("ScimUnauthorized"), 429: response("ScimTooManyRequests") },
    successHeaders: { "X-Request-Id": console("headers/RequestID") },
  },
  {
    // The others describe the server itself, without asking the database.
    when: (operation) => !operation.hasTag("Discovery"),
    responses: { 400: response("ScimBadRequest"), 500: response("ScimInternalError"), 503: response("ScimUnavailable") },
  },
  {
    when: (operation) => operation.hasPathParameters,
    responses: { 400: response("ScimBadRequest"), 404: response("ScimNotFound") },
  },
  {
    when: (operation) => operation.isWrite,
    responses: { 409: response("ScimConflict") },
  },
  {
    when: (operation) => operation.hasBody,
    responses: { 413: response("ScimPayloadTooLarge"), 415: response("ScimUnsupportedMediaType") },
    acceptsAlso: "application/json",
  },
];
