// Valid requests, derived from the contract's schemas and examples, with references to existing entities.
import fc from "fast-check";
import { resolve } from "./contract.mjs";
import * as universe from "./universe.mjs";

const MAX_EXTRA_FIELDS = 3;
const DAY_MS = 86_400_000;
const TOMORROW = Date.now() + DAY_MS;
const json5 = fc.constantFrom("{}", "{ timeout: 3000, /* ms */ }", '{"a": [1, 2, {b: null}]}');
const ids = fc.array(universe.userID, { maxLength: 20 });
const nullable = (arbitrary) => fc.oneof(fc.constant(null), arbitrary);
const some = (arbitrary) => fc.array(arbitrary, { maxLength: 3 });
const unique = (arbitrary) => fc.uniqueArray(arbitrary, { maxLength: 3, selector: (one) => one.n ?? one });

/** Values of fields whose schema is incomplete, by the field's name. */
const MEANINGS = {
  idType: universe.unitIDType,
  unitID: universe.unitIDType,
  unitType: universe.unitIDType,
  default_unit_type: fc.constantFrom("userID", "stableID"),
  default_project_role: fc.constantFrom("Admin", "Member", "Viewer"),
  // Most bodies have no team and no owner.
  require_teams_on_configs: fc.constant(false),
  require_owners_on_configs: fc.constant(false),
  secondaryIDType: nullable(universe.unitIDType),
  tags: some(universe.nameIn("tag")),
  targetApps: some(universe.nameIn("target_app")),
  targetAppIDs: some(universe.nameIn("target_app")),
  secondaryTargetAppIDs: unique(universe.nameIn("target_app")),
  targetAppID: universe.nameIn("target_app"),
  team: nullable(universe.nameIn("team")),
  teamID: nullable(universe.ref("team")),
  releasePipelineID: nullable(universe.ref("release_pipeline")),
  targetingGateID: nullable(universe.ref("gate")),
  layerID: nullable(universe.ref("layer")),
  gateIDs: unique(universe.ref("gate")),
  experimentID: universe.ref("experiment"),
  experimentIDs: unique(universe.ref("experiment")),
  layerIDs: unique(universe.ref("layer")),
  conditions: universe.conditions,
  rules: some(universe.rule),
  inlineTargetingRules: some(universe.rule),
  environments: universe.environments,
  environment: nullable(universe.environment),
  enabledNonProdEnvironments: fc.subarray(["development", "staging"]),
  groups: universe.groups,
  control: fc.constantFrom("blue", "Control"),
  test: fc.constantFrom("green", "Green"),
  ruleId: universe.ref("rule"),
  metricID: fc.constantFrom("purchases::sum", "purchases::event_user"),
  dimension: fc.constantFrom("country", "custom.plan"),
  dimensions: fc.subarray(["country", "custom.plan"], { minLength: 1 }),
  controlGroupID: fc.constantFrom("blue", "Control"),
  launchedGroupID: fc.constantFrom(null, "green"),
  groupID: fc.constantFrom("green", "Green", "Control"),
  id: fc.constantFrom("green", "blue"),
  overrides: some(fc.record({ type: fc.constant("gate"), id: universe.ref("gate"), groupID: fc.constantFrom("Green", "Control") })),
  group_names: fc.subarray(["Control", "Green"], { minLength: 1 }),
  groupName: fc.constantFrom("Control", "Green"),
  ids,
  passingUserIDs: ids,
  failingUserIDs: ids,
  defaultValueJson5: json5,
  returnValueJson5: json5,
  schemaJson5: fc.constantFrom(null, "{ type: 'object' }"),
  schema: fc.constantFrom(null, '{"type":"object"}'),
  scheduledTime: fc.constantFrom(null, 4_102_444_800_000),
  // After the end of a run, and at most a year ahead.
  applyAt: fc.nat(300).map((days) => TOMORROW + days * DAY_MS),
  repeatUntil: fc.nat(600).map((days) => TOMORROW + days * DAY_MS),
  pendingAutomatedRollouts: some(
    fc.record({ time: fc.nat(90).map((days) => Date.UTC(2090, 0, 1) + days * DAY_MS), passPercent: fc.nat(100) }),
  ),
  user: universe.user,
  context: universe.user.map(({ userID, ...rest }) => ({ targetingKey: userID, ...rest })),
  widgets: some(
    fc.oneof(
      fc.record({ type: fc.constant("text"), text: fc.string({ minLength: 1, maxLength: 50 }) }),
      fc.record({
        type: fc.constant("experiment"),
        experimentID: universe.ref("experiment"),
        show: fc.constantFrom("scorecard", "exposures"),
      }),
    ),
  ),
  metric: fc.record({ name: universe.nameIn("metric"), type: fc.constant("event_user") }),
  gateName: universe.nameIn("gate"),
  gateNames: fc.array(universe.nameIn("gate"), { minLength: 1, maxLength: 5 }),
  configName: fc.oneof(universe.nameIn("dynamic_config"), universe.nameIn("experiment")),
  layerName: universe.nameIn("layer"),
  experimentName: universe.nameIn("experiment"),
  eventName: fc.constantFrom("add_to_cart", "purchase", "statsig::gate_exposure"),
};

/** Top-level fields that only a creation can set, or that would rename an entity that other requests use. */
const IDENTITY = new Set(["id", "name"]);

/** A body that an operation should accept: an example of the contract or the required fields, plus up to three more fields. */
export function validBody({ api, body, examples, path, method }) {
  const schema = flattened(api, body);
  if (schema.type === "array") return fc.oneof(fc.constantFrom(...examples), fc.array(universe.rule, { maxLength: 3 }));
  const isCreation = method === "POST" && !path.includes("{");
  const kind = universe.findKind(path);
  const identity = isCreation && kind !== undefined && "name" in schema.properties ? named(kind, schema) : fc.constant({});
  const extra = Object.fromEntries(Object.entries(schema.properties).filter(([name]) => !IDENTITY.has(name)));
  const base = fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...examples) }, { weight: 1, arbitrary: required(api, schema) });
  const weights = { weight: 3, arbitrary: fc.constant({}) };
  return fc
    .tuple(base, fc.oneof(weights, fields(api, extra)), identity)
    .map(([first, second, third]) => withEnvironments(path, { ...first, ...second, ...third }));
}

function named(kind, { properties }) {
  if (kind === "segment") {
    return universe.segmentName.map((name) => ({
      name,
      id: name,
      type: universe.SEGMENT_TYPES[name.replace(/_\d+$/, "")],
      rules: undefined,
    }));
  }
  const withID = properties.id?.readOnly !== true && "id" in properties;
  return universe.nameIn(kind).map((name) => (withID ? { name, id: name } : { name }));
}

/** Keeps the three initial environments, since targeting references them. */
function withEnvironments(path, body) {
  if (path !== "/console/v1/environments") return body;
  const kept = ["development", "staging", "production"].map((name) => ({
    ...{ name, isProduction: name === "production", requiresReview: false, requiresReleasePipeline: false },
  }));
  const given = (body.environments ?? []).filter((one) => typeof one === "object");
  const others = given.filter(({ name }) => !kept.some((one) => one.name === name)).map(({ id: _, ...one }) => one);
  return { environments: [...kept, ...others] };
}

/** A value that a schema allows. */
function allowed(api, node, name) {
  if (name !== undefined && Object.hasOwn(MEANINGS, name)) return MEANINGS[name];
  const schema = flattened(api, node);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.oneOf ?? schema.anyOf) return fc.oneof(...(schema.oneOf ?? schema.anyOf).map((one) => allowed(api, one)));
  const types = [schema.type ?? ["string", "number", "boolean", "null"]].flat();
  return fc.oneof(...types.map((type) => TYPES[type](api, schema)));
}

/** Times at which most fields of the contract can be set. */
const times = fc.constantFrom(1_763_600_000_000, 4_102_444_800_000);
const isTime = ({ format }) => format === "unix-milliseconds";

const TYPES = {
  null: () => fc.constant(null),
  boolean: () => fc.boolean(),
  integer: (_api, { minimum = -1000, maximum = 10_000, ...schema }) =>
    isTime(schema) ? times : fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31) }),
  number: (_api, { minimum = -1000, maximum = 10_000, ...schema }) =>
    isTime(schema) ? times : fc.double({ min: minimum, max: maximum, noNaN: true }),
  string: (_api, schema) => validString(schema),
  array: (api, { items = { type: "string" }, minItems = 0, uniqueItems }) => {
    const options = { minLength: minItems, maxLength: minItems + 2 };
    return uniqueItems ? fc.uniqueArray(allowed(api, items), options) : fc.array(allowed(api, items), options);
  },
  object: (api, schema) =>
    fc.tuple(required(api, schema), fields(api, schema.properties)).map(([first, second]) => ({ ...first, ...second })),
};

function validString({ pattern, minLength = 0, maxLength = 60, format }) {
  if (format === "date") return fc.constantFrom("2025-11-01", "2026-02-28");
  if (format === "date-time") return fc.constant("2025-11-01T12:00:00Z");
  if (format === "uri") return fc.constantFrom("https://example.com/", "http://127.0.0.1:1/a?b=c");
  const options = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) };
  const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789_-";
  const plain = fc.string({ unit: fc.constantFrom(...alphabet), ...options });
  return pattern === undefined ? fc.oneof(plain, fc.string({ unit: "grapheme", ...options })) : plain;
}

function required(api, schema) {
  const names = schema.required.filter((name) => schema.properties[name] !== undefined && !schema.properties[name].readOnly);
  return fc.record(Object.fromEntries(names.map((name) => [name, allowed(api, schema.properties[name], name)])));
}

/** Up to three of the given fields. */
function fields(api, properties) {
  const writable = Object.entries(properties).filter(([, schema]) => schema.readOnly !== true);
  if (writable.length === 0) return fc.constant({});
  const one = fc.constantFrom(...writable).chain(([name, schema]) => allowed(api, schema, name).map((value) => [name, value]));
  return fc.array(one, { maxLength: MAX_EXTRA_FIELDS }).map(Object.fromEntries);
}

const known = new WeakMap();

/** A schema merged with its composed parts. */
function flattened(api, node) {
  const found = known.get(node);
  if (found) return found;
  const { $ref, ...own } = node;
  const parts = [...($ref ? [resolve(api, node)] : []), ...(own.allOf ?? [])].map((part) => flattened(api, part));
  const all = [...parts, own];
  const merged = Object.assign({}, ...all);
  merged.properties = Object.assign({}, ...all.map((part) => part.properties));
  merged.required = all.flatMap((part) => part.required ?? []);
  known.set(node, merged);
  return merged;
}

/** A value of a parameter, as a string. */
export function validParameter(api, { name, schema }) {
  const value = allowed(api, schema, MEANINGS[name] ? name : undefined);
  return value.map((one) => (Array.isArray(one) ? one : [one]).filter((item) => item !== null));
}
