// Invariants of every response.
import { declaredAnswer, errorFaults, operationAt, operations } from "./contract.mjs";
import { isOfOtherProject } from "./keys.mjs";
import { OTHER_MARKER, OWN_MARKER } from "./world.mjs";

/** Statuses that Node itself returns for malformed HTTP. */
const HTTP_FAULTS = new Set([400, 408, 411, 413, 414, 417, 431]);
const API_PATH = /^\/(console\/v1|v1|v2|ofrep)\//;
/** Statuses of requests that no operation serves. */
const statuses = new Set([405, ...operations.flatMap((operation) => Object.keys(operation.responses).map(Number))]);

/** Headers that the contract describes as absent from some responses. */
const OPTIONAL_HEADERS = new Set(["Idempotency-Replayed", "CDN-Cache-Control", "Vary"]);

/** A response, or a missing one, that violates the contract. */
export class Fault extends Error {}

/** @throws Fault */
export function checkAnswers(plan, prepared, { answers, isBroken = false, failure }) {
  if (failure !== undefined) throw new Fault(`no answer: ${failure}`);
  for (const answer of answers) {
    checkCommon(plan, answer);
    const operation = plan.wire.kind === "plain" || plan.wire.kind === "pipelined" ? servedOperation(prepared) : undefined;
    if (operation) checkDeclared(operation, plan, answer);
    else checkUndeclared(plan, prepared, answer, isBroken);
  }
}

function checkCommon(plan, { status, text }) {
  if (status === 500) throw new Fault("status 500");
  if (status === 503) throw new Fault("status 503 again and again, with the database at hand");
  const marker = isOfOtherProject(plan.key) ? OWN_MARKER : OTHER_MARKER;
  if (text.includes(marker)) throw new Fault(`the answer holds content of another project (${marker})`);
}

/** The operation that serves a request according to the contract. Undefined without one, or if the request's spelling is ambiguous. */
function servedOperation({ method, target }) {
  const [path] = target.split("?");
  const isPlain = /^[\w\-./~%!'()*]+$/.test(path) && !/\/\/|\/$|\/\.{1,2}(\/|$)|%2f|%00|%(?![0-9a-f]{2})/i.test(path) && isDecodable(path);
  return isPlain ? operationAt(method, path) : undefined;
}

function isDecodable(path) {
  try {
    return decodeURIComponent(path) !== undefined;
  } catch {
    return false;
  }
}

function checkDeclared(operation, { id }, { status, headers, text }) {
  const declared = declaredAnswer(operation, status);
  if (!declared) throw new Fault(`${operation.id} does not declare ${status}`);
  for (const name of declared.headers) {
    const isTaggedRead = operation.api === "console" && operation.method === "GET" && status === 200;
    const isOptional = OPTIONAL_HEADERS.has(name) || (name === "ETag" && !isTaggedRead);
    if (headers[name.toLowerCase()] === undefined && !isOptional) throw new Fault(`${operation.id} answers ${status} without ${name}`);
  }
  for (const name of ["etag", "idempotency-replayed"]) {
    const isDeclared = declared.headers.some((one) => one.toLowerCase() === name);
    if (headers[name] !== undefined && !isDeclared) throw new Fault(`${operation.id} answers ${status} with ${name}, undeclared`);
  }
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  if (declared.mediaTypes.length === 0) {
    if (text !== "") throw new Fault(`${operation.id} answers ${status} with a body, undeclared`);
    return;
  }
  if (!declared.mediaTypes.includes(type)) throw new Fault(`${operation.id} answers ${status} as ${type}`);
  if (type !== "application/json") return;
  const faults = declared.findFaults(parsed(text));
  if (faults) throw new Fault(`${operation.id} answers ${status} with a body that breaks its schema: ${faults} (asked as ${id})`);
}

function checkUndeclared({ wire }, { method, target }, { status, headers, text }, isBroken) {
  if (isBroken && HTTP_FAULTS.has(status)) return;
  if (wire.kind !== "plain" && HTTP_FAULTS.has(status)) return;
  const isPreflight = method === "OPTIONS" && status === 204;
  const isPageElsewhere = status === 301 && !API_PATH.test(target);
  if (!isPreflight && !isPageElsewhere && !statuses.has(status)) throw new Fault(`status ${status}, which no operation declares`);
  if (API_PATH.test(target) && headers["content-type"]?.startsWith("text/html")) throw new Fault("a page at a path of an API");
  if (method === "HEAD" || status < 400) return;
  if (status === 405 && !headers.allow) throw new Fault("status 405 without Allow");
  if (!API_PATH.test(target)) return;
  const body = parsed(text);
  const faults = target.startsWith("/ofrep/") && body?.errorCode ? undefined : errorFaults(body);
  if (faults) throw new Fault(`an error of another shape: ${faults}`);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Fault("the body is not JSON");
  }
}
