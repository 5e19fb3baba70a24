import { basename } from "node:path";

/** In `x-permission`: no credentials, and the session of a person. */
const ACCOUNT_PERMISSIONS = ["none", "session"];

/**
 * A rule: the consequences of a fact about an operation. References are relative to the folder of the path files.
 *
 * @typedef {object} Rule
 * @property {(facts: Facts) => boolean} when
 * @property {string[]} [parameters] References. They come before the operation's own.
 * @property {Record<string, string>} [responses] References by status.
 * @property {Record<string, string>} [successHeaders] References by name, for every 2xx response.
 * @property {string} [acceptsAlso] A second media type of the request's body, with the same schema and examples.
 * @property {object[]} [security] The operation's replacement for the API's own.
 */

/**
 * The facts about an operation that rules ask for.
 *
 * @typedef {ReturnType<typeof readFacts>} Facts
 */

/**
 * @param {object} item The path item.
 * @param {object[]} parameters The operation's own, and those that earlier rules add.
 */
function readFacts(item, method, operation, parameters) {
  const permission = operation["x-permission"];
  const isOfAccount = ACCOUNT_PERMISSIONS.includes(permission);
  return {
    permission,
    isOfProject: !isOfAccount && permission !== "administrator",
    /** Whether it is about one's own session. */
    isOfAccount,
    /** Whether it changes configuration. */
    isWrite: isWrite(method, operation),
    /** Whether it reads a JSON document. */
    isRead: method === "get" && successes(operation).some(({ content = {} }) => content["application/json"]),
    /** Whether parts of its answer are shown only once. */
    showsOnce: operation["x-shown-once"] !== undefined,
    /** Whether its path file says why it can't be scheduled. */
    isUnscheduled: operation["x-unscheduled"] !== undefined,
    /** Whether it can be executed again and again without undoing what others change in between. */
    isRepeatable: isRepeatable(method, operation),
    hasBody: operation.requestBody !== undefined,
    hasPathParameters: (item.parameters ?? []).length > 0,
    /** Whether it takes the parameter in the file of this name. */
    takes: (name) => parameters.some((parameter) => isNamed(parameter, name)),
    /** Whether a success answers with the schema in the file of this name. */
    answers: (name) => successes(operation).some(({ content = {} }) => Object.values(content).some(({ schema }) => isNamed(schema, name))),
    hasTag: (tag) => operation.tags?.includes(tag),
    /** Whether it has an extension, such as `x-server-keys-only`. */
    has: (extension) => operation[extension] === true,
  };
}

/** Whether an operation of the console API changes configuration. */
export function isWrite(method, operation) {
  return method !== "get" && !ACCOUNT_PERMISSIONS.includes(operation["x-permission"]) && !operation["x-reads"];
}

/** A patch changes only the fields that it has. Without a body, a request changes a state, unless it deletes or restores something. */
function isRepeatable(method, operation) {
  if (operation["x-repeats"] || method === "patch") return true;
  return operation.requestBody === undefined && method !== "delete" && !operation.operationId?.startsWith("restore");
}

/**
 * Adds the results of the rules to an operation, in place. Statements of its path file stay, and names in `x-without` are left out.
 *
 * @param {Rule[]} rules Applied in order. Later rules see the parameters of the earlier ones.
 * @returns {{ at: (string | number)[], message: string }[]} Mistakes in the path file: repetitions, and exceptions without effect.
 */
export function completeOperation(rules, item, method, operation) {
  // An operation whose entity is unknown states no responses.
  operation.responses ??= {};
  const without = new Set((operation["x-without"] ?? []).map(String));
  const unused = new Set(without);
  const own = operation.parameters ?? [];
  const added = { parameters: [], responses: {}, successHeaders: {} };
  const faults = [];

  const isWanted = (name) => {
    unused.delete(name);
    return !without.has(name);
  };
  const compare = (name, $ref, stated) => {
    for (const { node, at } of stated) {
      if (node.$ref === $ref) faults.push({ at, message: `The rules of this API add ${name} to this operation. Leave it out here.` });
    }
  };
  for (const rule of rules) {
    if (!rule.when(readFacts(item, method, operation, [...own, ...added.parameters]))) continue;
    if (rule.security) operation.security = rule.security;
    if (rule.acceptsAlso) acceptAlso(operation.requestBody, rule.acceptsAlso);
    for (const $ref of rule.parameters ?? []) {
      const name = basename($ref, ".yaml");
      if (!isWanted(name)) continue;
      const isOwn = own.some((one) => one.$ref === $ref);
      if (!isOwn) added.parameters.push({ $ref });
      compare(name, $ref, statedParameters(own));
    }
    for (const [status, $ref] of Object.entries(rule.responses ?? {})) {
      if (!isWanted(status)) continue;
      added.responses[status] = { $ref };
      compare(status, $ref, statedResponse(operation, status));
    }
    for (const [name, $ref] of Object.entries(rule.successHeaders ?? {})) {
      if (!isWanted(name)) continue;
      added.successHeaders[name] = { $ref };
      compare(name, $ref, statedHeaders(operation, name));
    }
  }
  for (const name of unused) {
    faults.push({ at: ["x-without"], message: `\`x-without\` names ${name}, which no rule adds to this operation.` });
  }
  write(operation, added);
  return faults;
}

function acceptAlso({ content }, mediaType) {
  const [stated] = Object.values(content);
  content[mediaType] ??= stated;
}

// The statements of a path file, each with the steps that lead to it in the operation.

function statedParameters(own) {
  return own.map((node, index) => ({ node, at: ["parameters", index] }));
}

function statedResponse({ responses }, status) {
  return responses[status] ? [{ node: responses[status], at: ["responses", status] }] : [];
}

function statedHeaders({ responses }, name) {
  return Object.entries(responses).flatMap(([status, { headers = {} }]) =>
    isSuccess(status) && headers[name] ? [{ node: headers[name], at: ["responses", status, "headers", name] }] : [],
  );
}

function write(operation, { parameters, responses, successHeaders }) {
  for (const response of successes(operation)) {
    const missing = Object.entries(successHeaders).filter(([name]) => !(name in (response.headers ?? {})));
    if (missing.length === 0) continue;
    response.headers = { ...response.headers, ...Object.fromEntries(missing) };
    moveToEnd(response, ["content"]);
  }
  delete operation["x-without"];
  if (parameters.length > 0) operation.parameters = [...parameters, ...(operation.parameters ?? [])];
  operation.responses = { ...responses, ...operation.responses };
  moveToEnd(operation, ["parameters", "requestBody", "responses"]);
}

/** The success responses that stand in the operation itself. */
function successes({ responses }) {
  return Object.entries(responses).flatMap(([status, response]) => (isSuccess(status) && !response.$ref ? [response] : []));
}

function isSuccess(status) {
  return status.startsWith("2");
}

/** Whether a node is the reference to a file of this name. */
function isNamed({ $ref }, name) {
  return $ref !== undefined && basename($ref, ".yaml") === name;
}

/** Gives properties of an object the last places, in this order: a bundle lists them as a path file does. */
function moveToEnd(object, names) {
  for (const name of names.filter((one) => one in object)) {
    const value = object[name];
    delete object[name];
    object[name] = value;
  }
}
