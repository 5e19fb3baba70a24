// The initial entities, the entities created since, and the other project, which no request may read.
import { createHash } from "node:crypto";
import { descriptions } from "@gatehouse/contract/console";
import { findKind, NAMES_PER_KIND, SEGMENT_TYPES } from "./universe.mjs";

/** Occurs in the other project's content, and in no request. */
export const OTHER_MARKER = "secret-of-the-other-project";
/** Occurs in content of the first project that no request changes and that the other project's keys must not read. */
export const OWN_MARKER = "secret-of-the-first-project";
const SEEDED_PER_KIND = 6;
const MAX_KNOWN_PER_KIND = 60;

export const CONSOLE_KEY = "console-fuzzing-0123456789";
/** Attributes, and kinds whose list needs the entity that they belong to. */
const UNLISTED = new Set(["attribute", "comment", "result_note"]);
/** The lists of the other project. Its attributes are learned from requests with its own keys, which are sent too. */
const LISTS = [
  ...operationsWith("list").flatMap(({ path, entity }) => (UNLISTED.has(entity) ? [] : [`${path}?limit=100`])),
  "/console/v1/comments?type=gate&id=gate_0",
  "/console/v1/result_notes?type=gate&id=gate_0",
  "/console/v1/environments",
  "/console/v1/settings",
];
/** Fields that reads and jobs change. */
const VOLATILE = new Set(["lastUsed", "checksPerHour", "healthChecks", "healthCheckStatus", "progress"]);
/** The fields of an alert that checks change. */
const CHECK_FIELDS = { status: undefined, statusReason: undefined, value: undefined, checkedTime: undefined, lastTriggeredTime: undefined };
const groups = [
  { id: "blue", name: "Control", size: 50 },
  { id: "green", name: "Green", size: 50 },
];
const phases = [{ name: "Everyone", timeIntervalMs: 0, requiredReview: false, rules: [{ name: "All", conditions: [{ type: "public" }] }] }];

/** Kinds that the fuzzer does not create: a project with a warehouse has them. */
const UNMADE = new Set(["ingestion_source"]);
/** Kinds that are created after those that they need. */
const LAST = new Set(["comment", "result_note"]);

/** How to create an entity of a kind whose creation needs more than a name and a description: path and body. */
const OWN_MAKERS = {
  release_pipeline: (name, description) => ["release_pipelines", { name, phases: [{ ...phases[0], name: description }] }],
  role: (name) => ["roles", { name, permissions: { read: true } }],
  segment_list: (name, description) => ["segments", { name, id: name, description, type: "id_list" }],
  segment_rules: (name, description) => ["segments", { name, id: name, description, type: "rule_based" }],
  segment_store: (name, description) => ["segments", { name, id: name, description, type: "user_store_id_list" }],
  gate: (name, description) => [
    "gates",
    { name, id: name, description, isEnabled: true, rules: [{ name: description.slice(0, 40), passPercentage: 50, conditions: [] }] },
  ],
  dynamic_config: (name, description) => [
    "dynamic_configs",
    {
      name,
      id: name,
      description,
      defaultValue: { text: description },
      rules: [{ name: "Staff", passPercentage: 50, conditions: [], returnValue: { text: description } }],
    },
  ],
  layer: (name, description) => [
    "layers",
    { name, description, idType: "userID", parameters: [{ name: "text", type: "string", defaultValue: description }] },
  ],
  experiment: (name, description) => [
    "experiments",
    { name, id: name, description, groups, allocation: 10, status: /[135]/.test(name) ? "active" : "setup" },
  ],
  autotune: (name, description) => [
    "autotunes",
    {
      name,
      description,
      variants: ["blue", "green"].map((id) => ({ id, name: id, json: { text: description } })),
      successEvent: "purchase",
      explorationWindow: "24hr",
      attributionWindow: "1hr",
      winnerThreshold: "95%",
    },
  ],
  alert: (name, message) => [
    "alerts",
    {
      ...{ name, message, alertType: "threshold", metrics: { A: { id: "metric_0::event_user" } } },
      ...{ condition: "less", alertThreshold: -1, windowMs: 300_000, priority: "P5" },
    },
  ],
  assignment_source: (name, description) => [
    "experiments/assignment_sources",
    { name, description, sql: "select 1", timestampColumn: "at", experimentIDColumn: "e", groupIDColumn: "g", idTypeMapping: [] },
  ],
  entity_property_source: (name, description) => [
    "experiments/entity_properties",
    { name, description, sql: "select 1", idTypeMapping: [] },
  ],
  qualifying_event: (name, description) => [
    "experiments/qualifying_events",
    { name, description, sql: "select 1", timestampColumn: "time", idTypeMapping: [] },
  ],
  metric_source: (name, description) => [
    "metrics/metric_source",
    { name, description, sql: "select 1", timestampColumn: "time", idTypeMapping: [] },
  ],
  metric: (name, description) => ["metrics", { name, description, type: "event_user", metricEvents: [{ name: "purchase" }] }],
  param_store: (name, description) => [
    "param_stores",
    { name, description, parameters: [{ name: "text", ref_type: "static", param_type: "string", value: description }] },
  ],
  // Nothing listens there.
  webhook: (name, description) => ["webhooks", { name, description, url: "http://127.0.0.1:1/" }],
  key: (_name, description) => ["keys", { type: "SERVER", description }],
  comment: (_name, text) => ["comments", { entityType: "gate", entityID: "gate_0", text }],
  result_note: (_name, text) => ["result_notes", { entityType: "gate", entityID: "gate_0", time: 0, text: text.slice(0, 500) || "?" }],
};
/** The creation of each kind. Entities that are segments have separate kinds. */
const MAKERS = {
  ...Object.fromEntries(
    operationsWith("create")
      .filter(({ entity }) => entity !== "segment" && !UNMADE.has(entity) && !LAST.has(entity))
      .map(({ entity, path }) => [entity, (name, description) => [path.slice("/console/v1/".length), { name, description }]]),
  ),
  ...OWN_MAKERS,
};
/** Entities that the contract's examples reference. */
const NAMED_BY_EXAMPLES = [
  ...["new_checkout", "new_search", "dark_mode"].map((name) => ["gate", name]),
  ...["iOS", "Watch", "web"].map((name) => ["target_app", name]),
  ["segment_rules", "staff"],
  ["experiment", "button_wording"],
  ["layer", "checkout_page"],
];
const CALLED_BY_NAME = new Set(
  operationsWith("get").flatMap(({ entity, path }) => (path.endsWith("/{name}") && !UNMADE.has(entity) ? [entity] : [])),
);

/** @param url the server's address */
export async function makeWorld(url, otherKey) {
  const known = new Map();
  const rules = new Map();
  const etags = [];
  const world = { keys: { console: CONSOLE_KEY, unknown: "console-nobody-has-this-key-0", other: undefined } };
  const call = (key) => async (method, path, body) => {
    const headers = { "SERVICE-API-KEY": key, ...(body && { "Content-Type": "application/json" }) };
    const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
  const own = call(CONSOLE_KEY);
  const others = call(otherKey);

  const make = async (caller, kind, name, description) => {
    const [path, body] = MAKERS[kind](name, description);
    const { data } = await caller("POST", `/console/v1/${path}`, body);
    return CALLED_BY_NAME.has(kind) ? name : data.id;
  };
  const makeKey = async (caller, body) => (await caller("POST", "/console/v1/keys", { description: "", ...body })).data;

  for (const kind of Object.keys(MAKERS)) {
    for (let index = 0; index < SEEDED_PER_KIND; index++) remember(kind, await make(own, kind, `${kind}_${index}`, "Seeded."));
    await make(own, kind, `own_${kind}`, OWN_MARKER);
    // The same names as in the first project, so that a request without isolation would find an entity.
    for (const index of [0, 1]) remember(kind, await make(others, kind, `${kind}_${index}`, OTHER_MARKER));
  }
  for (const [kind, name] of NAMED_BY_EXAMPLES) await make(own, kind, name, "Named by examples.");
  await own("POST", "/console/v1/experiments", {
    name: "one_page_checkout",
    id: "one_page_checkout",
    layerID: "checkout_page",
    groups: [...groups, { name: "Test", size: 0 }],
  });
  for (let index = 0; index < NAMES_PER_KIND; index++) {
    const id = `decidable_${index}`;
    await own("POST", "/console/v1/experiments", { name: id, id, groups, allocation: 10, status: "active" });
    await make(own, "autotune", `undecided_${index}`, "To be decided.");
    await own("PUT", `/console/v1/autotunes/undecided_${index}/start`);
  }
  const emails = Array.from({ length: SEEDED_PER_KIND }, (_, index) => `member_${index}@example.com`);
  await own("POST", "/console/v1/users/invite", { emails, role: "Member" });
  for (const { id } of (await own("GET", "/console/v1/users")).data) remember("person", id);
  await makeBigList(own);
  await others("PATCH", "/console/v1/segments/segment_list_0/id_list", { ids: [OTHER_MARKER] });
  await others("PATCH", "/console/v1/gates/gate_0/overrides", { passingUserIDs: [OTHER_MARKER] });
  const deactivated = await makeKey(own, { type: "SERVER" });
  await own("PATCH", `/console/v1/keys/${deactivated.id}/deactivate`);
  Object.assign(world.keys, {
    readOnly: (await makeKey(own, { type: "CONSOLE", scopes: ["omni_read_only"] })).key,
    withoutKeys: (await makeKey(own, { type: "CONSOLE", scopes: ["omni_read_write"] })).key,
    limited: (await makeKey(own, { type: "CONSOLE", scopes: ["omni_read_write"], environments: ["staging"] })).key,
    server: (await makeKey(own, { type: "SERVER" })).key,
    client: (await makeKey(own, { type: "CLIENT" })).key,
    scoped: (await makeKey(own, { type: "SERVER", environments: ["production"], targetAppID: "target_app_0" })).key,
    deactivated: deactivated.key,
    other: (await makeKey(others, { type: "CONSOLE", scopes: ["omni_read_only"] })).key,
    otherServer: (await makeKey(others, { type: "SERVER" })).key,
    otherClient: (await makeKey(others, { type: "CLIENT" })).key,
  });

  const evaluate = async (path, body) => {
    const headers = { Authorization: `Bearer ${world.keys.server}`, "Content-Type": "application/json" };
    return (await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })).json();
  };
  rememberURLs({
    lists: await evaluate("/v1/get_id_lists", {}),
    streams: (await evaluate("/ofrep/v1/evaluate/flags", { context: { targetingKey: "a" } })).eventStreams,
  });

  function rememberURLs({ lists = {}, streams = [] }) {
    for (const { url: file } of Object.values(lists)) remember("id_list_file", file.slice(file.indexOf("/", "https://".length)));
    for (const { endpoint } of streams) remember("flag_stream", endpoint.requestUri);
  }

  function remember(kind, id) {
    const ids = known.get(kind) ?? known.set(kind, []).get(kind);
    if (id !== undefined && !ids.includes(id)) ids.push(id);
    if (ids.length > MAX_KNOWN_PER_KIND) ids.splice(0, 1);
    const type = SEGMENT_TYPES[kind];
    if (type) remember("segment", id);
  }

  function forget(kind, id) {
    for (const of of kind === "segment" ? [kind, ...Object.keys(SEGMENT_TYPES)] : [kind]) {
      const ids = known.get(of);
      if (ids?.includes(id)) ids.splice(ids.indexOf(id), 1);
    }
  }

  /** Resolves a reference. @param plan the request that contains it */
  world.find = ({ kind, n }, plan) => {
    if (kind === undefined) return undefined;
    if (kind === "etag") return etags.length > 0 ? etags[n % etags.length] : '"1"';
    if (kind === "rule") {
      const owner = plan.params.id;
      const ids = rules.get(typeof owner === "string" ? owner : world.find(owner, plan)) ?? [];
      return ids[n % ids.length];
    }
    const ids = known.get(kind) ?? [];
    return ids[n % ids.length];
  };

  /** Records the entity of a successful request for later references. */
  world.learn = (operation, plan, { status, headers, text }) => {
    // The request had a raw URL and did not reach the planned operation.
    if (typeof plan.url === "string") return;
    if (headers.etag && etags.push(headers.etag) > MAX_KNOWN_PER_KIND) etags.shift();
    if (status >= 300 || !headers["content-type"]?.startsWith("application/json")) return;
    const { id: operationID, method, path } = operation;
    const answer = JSON.parse(text);
    if (operationID === "listIDLists") rememberURLs({ lists: answer });
    if (operationID === "evaluateFlags") rememberURLs({ streams: answer.eventStreams });
    if (operation.api !== "console" || answer.changes !== undefined) return;
    const kind = findKind(path);
    const { data } = answer;
    if (status === 202) return answer.review ? remember("review", answer.review.id) : remember("scheduled_change", data.id);
    if (method === "DELETE" && /\}$/.test(path) && !path.includes("rule"))
      forget(kind, world.find(plan.params.id ?? plan.params.name, plan));
    if (method === "POST" && !path.includes("{") && data)
      remember(segmentKind(data) ?? kind, CALLED_BY_NAME.has(kind) ? data.name : data.id);
    if (Array.isArray(data?.rules))
      rules.set(
        data.id,
        data.rules.map((rule) => rule.id),
      );
    if (rules.size > 500) rules.delete(rules.keys().next().value);
  };

  /** A hash of the other project's content, except fields that reads and jobs change. */
  world.otherDigest = async () => {
    const hash = createHash("sha256");
    for (const list of LISTS) hash.update(JSON.stringify(await others("GET", list), withoutVolatile));
    for (const path of ["gates/gate_0/versions", "gates/gate_0/overrides", "segments/segment_list_0/id_list"])
      hash.update(JSON.stringify(await others("GET", `/console/v1/${path}`)));
    hash.update(JSON.stringify(await call(world.keys.otherServer)("GET", "/v1/download_config_specs")));
    return hash.digest("hex");
  };
  return world;
}

/** A segment that is long enough for SDKs to download it, and a gate that references it. */
async function makeBigList(own) {
  const ids = Array.from({ length: 1_001 }, (_, index) => `user_${index}`);
  await own("PATCH", "/console/v1/segments/own_segment_list/id_list", { ids });
  const conditions = [{ type: "passes_segment", targetValue: "own_segment_list" }];
  await own("PATCH", "/console/v1/gates/own_gate", { rules: [{ name: "Listed", passPercentage: 100, conditions }] });
}

function withoutVolatile(name, value) {
  if (typeof value?.alertType === "string") return { ...value, ...CHECK_FIELDS };
  return VOLATILE.has(name) ? undefined : value;
}

function segmentKind({ type }) {
  return Object.keys(SEGMENT_TYPES).find((kind) => SEGMENT_TYPES[kind] === type);
}

/** The operations of a kind that a key may call, such as those that create an entity. */
function operationsWith(kind) {
  return Object.values(descriptions).filter((one) => one.kind === kind && one.entity !== undefined && one.permission !== "administrator");
}
