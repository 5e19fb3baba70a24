import { basename } from "node:path";

/**
 * A rule: what follows from a fact about an operation. References are relative to the folder of the path files.
 *
 * @typedef {object} Rule
 * @property {(facts: Facts) => boolean} when
 * @property {string[]} [parameters] References. They come before the operation's own.
 * @property {Record<string, string>} [responses] References by status.
 * @property {Record<string, string>} [successHeaders] References by name, for every 2xx response.
 */

/** What rules ask about an operation. */
export class Facts {
  #item;
  #method;
  #operation;
  #parameters;

  constructor(item, method, operation, parameters) {
    this.#item = item;
    this.#method = method;
    this.#operation = operation;
    this.#parameters = parameters;
  }

  get isWrite() {
    return this.#method !== "get";
  }

  get hasBody() {
    return this.#operation.requestBody !== undefined;
  }

  get hasPathParameters() {
    return (this.#item.parameters ?? []).length > 0;
  }

  get hasOwnSecurity() {
    return this.#operation.security !== undefined;
  }

  /** Whether it takes the parameter in the file of this name, by its path file or by an earlier rule. */
  takes(name) {
    return this.#parameters.some(({ $ref }) => $ref !== undefined && basename($ref, ".yaml") === name);
  }

  /** Whether a success answers with the schema in the file of this name. */
  answers(name) {
    return successes(this.#operation).some(({ content = {} }) =>
      Object.values(content).some(({ schema }) => schema.$ref !== undefined && basename(schema.$ref, ".yaml") === name),
    );
  }

  hasTag(tag) {
    return this.#operation.tags.includes(tag);
  }

  /** Whether the operation has an extension, such as `x-server-keys-only`. */
  has(extension) {
    return this.#operation[extension] === true;
  }
}

/**
 * Adds to an operation, in place, what the rules say. What its path file states itself stays, and what `x-without` names is left out.
 *
 * @param {Rule[]} rules Applied in order; a later rule sees the parameters of the earlier ones.
 * @returns {{ at: (string | number)[], message: string }[]} What the path file should not say: repetitions, and exceptions from nothing.
 */
export function completeOperation(rules, item, method, operation) {
  const without = new Set((operation["x-without"] ?? []).map(String));
  const unused = new Set(without);
  const faults = [];
  const own = operation.parameters ?? [];
  const added = { parameters: [], responses: {}, successHeaders: {} };
  const isWanted = (name) => !without.has(name) || void unused.delete(name);
  const addNamed = (kind, references, ownNodes) => {
    for (const [name, $ref] of Object.entries(references ?? {}).filter(([key]) => isWanted(key))) {
      added[kind][name] = { $ref };
      for (const { node, at } of ownNodes(name)) if (node.$ref === $ref) faults.push({ at, message: repeated(name) });
    }
  };

  for (const rule of rules) {
    if (!rule.when(new Facts(item, method, operation, [...own, ...added.parameters]))) continue;
    for (const $ref of (rule.parameters ?? []).filter((one) => isWanted(basename(one, ".yaml")))) {
      const index = own.findIndex((one) => one.$ref === $ref);
      if (index < 0) added.parameters.push({ $ref });
      else faults.push({ at: ["parameters", index], message: repeated(basename($ref, ".yaml")) });
    }
    addNamed("responses", rule.responses, (status) => ownResponse(operation, status));
    addNamed("successHeaders", rule.successHeaders, (name) => ownHeaders(operation, name));
  }
  for (const name of unused) {
    faults.push({ at: ["x-without"], message: `\`x-without\` names ${name}, which no rule adds to this operation.` });
  }
  write(operation, [...added.parameters, ...own], added);
  return faults;
}

function repeated(name) {
  return `The rules of this API add ${name} to this operation. Leave it out here.`;
}

function ownResponse({ responses }, status) {
  return responses[status] ? [{ node: responses[status], at: ["responses", status] }] : [];
}

function ownHeaders({ responses }, name) {
  return Object.entries(responses).flatMap(([status, { headers = {} }]) =>
    isSuccess(status) && headers[name] ? [{ node: headers[name], at: ["responses", status, "headers", name] }] : [],
  );
}

function write(operation, parameters, { responses, successHeaders }) {
  const { "x-without": _, parameters: __, requestBody, responses: own, ...head } = operation;
  for (const response of successes(operation)) {
    const headers = { ...response.headers, ...missingFrom(response.headers, successHeaders) };
    const { description, headers: ___, ...tail } = response;
    replace(response, { description, ...(Object.keys(headers).length > 0 && { headers }), ...tail });
  }
  replace(operation, {
    ...head,
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { ...responses, ...own },
  });
}

function missingFrom(present = {}, nodes) {
  return Object.fromEntries(Object.entries(nodes).filter(([name]) => !(name in present)));
}

/** The success responses that stand in the operation itself. */
function successes({ responses }) {
  return Object.entries(responses).flatMap(([status, response]) => (isSuccess(status) && !response.$ref ? [response] : []));
}

function isSuccess(status) {
  return status.startsWith("2");
}

/** Gives an object other properties, in their order. */
function replace(object, properties) {
  for (const name of Object.keys(object)) delete object[name];
  Object.assign(object, properties);
}
