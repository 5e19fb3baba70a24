// A plan describes a request: an operation with its parameters, headers and body. Its references are resolved when it is sent.
import fc from "fast-check";
import { hostile } from "./hostile.mjs";
import { mutated } from "./mutations.mjs";
import { findKind, findSegmentKind, nameIn, ref } from "./universe.mjs";
import { validBody, validParameter } from "./valid.mjs";

const SERVED_BY_URL = { getIDListFile: "id_list_file", streamFlagChanges: "flag_stream" };
const FLAGS = ["gate", "dynamic_config", "experiment", "layer", "param_store"];

/** Keys of the first project with all permissions, by the headers that accept them. */
const ABLE = { console: ["console"], evaluation: ["console", "server"] };

const plans = new Map();

/** Plans for an operation: half of them valid, a third with one fault, the rest hostile. */
export function planRequests(operation) {
  const found = plans.get(operation);
  if (found) return found;
  const valid = validPlan(operation);
  const made = fc.oneof(
    { weight: 11, arbitrary: valid },
    { weight: 6, arbitrary: mutated(operation, valid) },
    { weight: 3, arbitrary: hostile(operation, valid) },
  );
  plans.set(operation, made);
  return made;
}

function validPlan(operation) {
  const { api, id, method, path, parameters, body } = operation;
  const url = SERVED_BY_URL[id];
  return fc.record({
    kind: fc.constant("valid"),
    id: fc.constant(id),
    method: fc.constant(method),
    path: fc.constant(path),
    url: url === undefined ? fc.constant(undefined) : ref(url),
    params: fc.record(
      Object.fromEntries(parameters.filter((one) => one.in === "path").map((one) => [one.name, pathParameter(operation, one)])),
    ),
    query: validQuery(api, parameters),
    headers: validHeaders(parameters),
    key: fc.constantFrom(...ABLE[api]),
    body: body === undefined ? fc.constant(undefined) : validBody(operation),
    wire: fc.constant({ kind: "plain" }),
  });
}

function pathParameter({ path }, { name }) {
  if (name === "version") return fc.constantFrom("1", "1", "1", "2", "3");
  if (name === "key") return fc.constantFrom(...FLAGS).chain((kind) => nameIn(kind));
  if (name === "sdkKey") return fc.constant("secret-in-the-path");
  if (name === "eventName") return fc.constantFrom("add_to_cart", "purchase");
  if (/^rule/i.test(name)) return ref("rule");
  // A metric also has a path by its name and type.
  if (path === "/console/v1/metrics/{name}/{type}") return name === "type" ? fc.constant("event_user") : nameIn("metric");
  // Only this layer has the experiment that the examples of overrides reference.
  if (path === "/console/v1/layers/{id}/overrides") return fc.oneof({ weight: 3, arbitrary: fc.constant("checkout_page") }, ref("layer"));
  // Random requests end most experiments before one decides them.
  if (path === "/console/v1/experiments/{id}/make_decision")
    return fc.oneof({ weight: 3, arbitrary: nameIn("decidable") }, ref("experiment"));
  if (path === "/console/v1/autotunes/{id}/make_decision") return fc.oneof({ weight: 3, arbitrary: nameIn("undecided") }, ref("autotune"));
  const kind = findKind(path);
  return ref(kind === "segment" ? (findSegmentKind(path) ?? kind) : kind);
}

function validQuery(api, parameters) {
  const taken = parameters.filter((one) => one.in === "query" && !["k", "se", "gz", "token"].includes(one.name));
  const validPairs = (parameter) => validParameter(api, parameter).map((values) => values.map((value) => [parameter.name, value]));
  const needed = fc.tuple(...taken.filter(({ required }) => required).map(validPairs)).map((pairs) => pairs.flat());
  const optional = taken.filter(({ required }) => !required);
  if (optional.length === 0) return needed;
  const one = fc.constantFrom(...optional).chain(validPairs);
  // Dry runs are few, to let entities accumulate: they are not stored.
  const more = fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.uniqueArray(one, { maxLength: 2, selector: (pairs) => pairs[0]?.[0] }).map((pairs) => pairs.flat()) },
  );
  return fc.tuple(needed, more).map((pairs) => pairs.flat());
}

function validHeaders(parameters) {
  const takes = (name) => parameters.some((one) => one.in === "header" && one.name === name);
  const none = { weight: 6, arbitrary: fc.constant(undefined) };
  const sometimes = (arbitrary) => fc.oneof(none, { weight: 1, arbitrary });
  return fc
    .record({
      ...(takes("Idempotency-Key") && {
        "Idempotency-Key": sometimes(
          fc.oneof({ weight: 5, arbitrary: fc.uuid() }, { weight: 1, arbitrary: fc.constantFrom("one", "two") }),
        ),
      }),
      ...(takes("If-Match") && { "If-Match": sometimes(fc.oneof(fc.constant("*"), ref("etag"))) }),
      ...(takes("If-None-Match") && { "If-None-Match": sometimes(fc.oneof(fc.constant('"1"'), ref("etag"))) }),
      ...(takes("Range") && { Range: sometimes(fc.constantFrom("bytes=0-", "bytes=5-", "bytes=0-3", "bytes=99999999-")) }),
      "Accept-Encoding": sometimes(fc.constantFrom("gzip", "br", "zstd", "gzip, br;q=0.5", "identity;q=0, *;q=0", "*")),
    })
    .map((headers) => Object.entries(headers).filter(([, value]) => value !== undefined));
}
