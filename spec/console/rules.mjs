// Consequences of an operation's kind in the console API. Path files state only the differences.

const parameter = (name) => `../components/parameters/${name}.yaml`;
const response = (name) => `../components/responses/${name}.yaml`;
const header = (name) => `../components/headers/${name}.yaml`;

/** @type {import("../plugin/complete-operation.mjs").Rule[]} */
export const rules = [
  {
    when: () => true,
    responses: {
      400: response("BadRequest"),
      401: response("Unauthorized"),
      403: response("Forbidden"),
      500: response("InternalError"),
      503: response("Unavailable"),
    },
  },
  {
    // Sign-in and its follow-ups: they need no permission, but pages of other sites may not call them.
    when: ({ isOfAccount }) => isOfAccount,
    responses: { 403: response("OtherSite") },
  },
  { when: ({ isOfProject }) => isOfProject, parameters: [parameter("project")] },
  { when: ({ permission }) => permission === "none", security: [] },
  { when: ({ permission }) => permission === "session" || permission === "administrator", security: [{ Session: [] }] },
  {
    when: ({ hasPathParameters }) => hasPathParameters,
    responses: { 404: response("NotFound") },
  },
  {
    when: ({ hasBody }) => hasBody,
    responses: { 413: response("PayloadTooLarge"), 415: response("UnsupportedMediaType") },
  },
  {
    // Some clients page through everything that they read.
    when: (operation) => operation.isOfProject && operation.isRead && !operation.hasPathParameters && !operation.takes("page"),
    parameters: [parameter("onlyPageLimit"), parameter("onlyPage")],
  },
  {
    when: (operation) => operation.takes("ifNoneMatch"),
    responses: { 304: response("NotModified") },
    successHeaders: { ETag: header("ETag") },
  },
  {
    // Others answer an entity, and its version makes the ETag.
    when: (operation) => operation.isWrite && !operation.answers("Message") && !operation.answers("SegmentIDsChanged"),
    successHeaders: { ETag: header("ETag") },
  },
  {
    when: ({ isWrite }) => isWrite,
    parameters: [parameter("dryRun"), parameter("impact"), parameter("reason"), parameter("idempotencyKey")],
    responses: { 409: response("Conflict"), 422: response("IdempotencyKeyReused"), 429: response("TooManyRequests") },
    successHeaders: {
      "Idempotency-Replayed": header("IdempotencyReplayed"),
      RateLimit: header("RateLimit"),
      "RateLimit-Policy": header("RateLimitPolicy"),
    },
  },
  {
    // Nobody would see a secret that the answer shows only once.
    when: ({ isWrite, isOfProject, showsOnce, isUnscheduled }) => isWrite && isOfProject && !showsOnce && !isUnscheduled,
    parameters: [parameter("applyAt"), parameter("bypassReview"), parameter("requestReview"), parameter("reviewers")],
    responses: { 202: response("Stored") },
  },
  {
    when: (operation) => operation.takes("applyAt") && operation.isRepeatable,
    parameters: [parameter("repeat"), parameter("repeatUntil")],
  },
  {
    when: ({ isWrite, hasPathParameters }) => isWrite && hasPathParameters,
    parameters: [parameter("ifMatch")],
  },
  {
    when: (operation) => operation.takes("ifMatch"),
    responses: { 412: response("PreconditionFailed") },
  },
];
