// The few names that all requests share, so that requests change, reference, archive or delete entities of earlier ones.
import { descriptions } from "@gatehouse/contract/console";
import fc from "fast-check";
import { Ref } from "./json.mjs";

export const NAMES_PER_KIND = 12;

/** The types of entities by the start of their paths. The longest is first. */
const STARTS = Object.values(descriptions)
  .filter(({ entity, kind }) => entity !== undefined && ["create", "get"].includes(kind))
  .map(({ path, entity }) => [path.replace(/\/\{\w+\}$/, ""), entity])
  .toSorted(([one], [other]) => other.length - one.length);

/** `gate` for `/console/v1/gates/{id}/archive`; undefined for paths that address no entity. */
export function findKind(path) {
  return STARTS.find(([start]) => path === start || path.startsWith(`${start}/`))?.[1];
}

/** Segments accept different requests depending on their type, which is part of their names. */
export const SEGMENT_TYPES = { segment_list: "id_list", segment_rules: "rule_based", segment_store: "user_store_id_list" };

export function findSegmentKind(path) {
  if (/id_list|idlist/.test(path)) return "segment_list";
  if (path.endsWith("/conditional")) return "segment_rules";
  return /(add|remove)_ids$/.test(path) ? "segment_store" : undefined;
}

/** `gate_7` */
export function nameIn(kind) {
  return fc.nat({ max: NAMES_PER_KIND - 1 }).map((index) => `${kind}_${index}`);
}

export const segmentName = fc.constantFrom(...Object.keys(SEGMENT_TYPES)).chain((kind) => nameIn(kind));

/** The id of an entity of a kind. */
export function ref(kind) {
  const arbitrary = fc.nat({ max: 2 ** 30 }).map((n) => new Ref(kind, n));
  return arbitrary;
}

const TIERS = ["development", "staging", "production"];
export const environments = fc.oneof(fc.constant(null), fc.subarray(TIERS));
export const environment = fc.constantFrom(...TIERS);
export const unitIDType = fc.constantFrom("userID", "stableID", "companyID");
export const userID = fc.nat({ max: 999 }).map((index) => `user_${index}`);

const text = (type, operators, values) =>
  fc.record({
    type: fc.constant(type),
    operator: fc.constantFrom(...operators),
    targetValue: fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 4 }),
  });
const named = (types, target) => fc.record({ type: fc.constantFrom(...types), targetValue: target });
const version = fc.record({
  type: fc.constantFrom("app_version", "os_version", "browser_version"),
  operator: fc.constantFrom("version_gt", "version_lte"),
  targetValue: fc.constantFrom("1.2.3", "4.0"),
});
const number = fc.record({
  type: fc.constant("custom_field"),
  field: fc.constantFrom("age", "seats"),
  operator: fc.constantFrom("gt", "lte"),
  targetValue: fc.integer({ min: -10, max: 100 }),
});

const condition = fc.oneof(
  fc.constant({ type: "public" }),
  text("email", ["str_contains_any", "str_ends_with_any", "any"], ["@example.com", "@example.org"]),
  text("country", ["any", "none"], ["CH", "DE", "NO"]),
  text("user_id", ["any", "none"], ["user_1", "user_2"]),
  version,
  number,
  named(["passes_gate", "fails_gate"], ref("gate")),
  named(["passes_segment", "fails_segment"], ref("segment")),
);

export const conditions = fc.array(condition, { maxLength: 3 });

export const rule = fc.record(
  {
    name: fc.constantFrom("Staff", "Everyone", "Norway"),
    isEnabled: fc.boolean(),
    passPercentage: fc.constantFrom(0, 10, 50, 99.5, 100),
    conditions,
  },
  { requiredKeys: ["name", "passPercentage", "conditions"] },
);

export const groups = fc.constantFrom(
  [
    { id: "blue", name: "Control", size: 50 },
    { id: "green", name: "Green", size: 50 },
  ],
  [
    { name: "Control", size: 20 },
    { name: "Green", size: 80 },
  ],
  [
    { id: "blue", name: "Control", size: 50 },
    { id: "green", name: "Green", size: 25, parameterValues: { color: "green" } },
    { id: "red", name: "Red", size: 25 },
  ],
);

export const user = fc.record(
  {
    userID,
    email: fc.constantFrom("a@example.com", "b@example.org"),
    country: fc.constantFrom("CH", "NO"),
    appVersion: fc.constantFrom("1.2.3", "1.2.4-beta"),
    custom: fc.record({ age: fc.nat(100), plan: fc.constantFrom("pro", "free") }),
    customIDs: fc.record({ companyID: fc.constantFrom("acme", "initech") }),
  },
  { requiredKeys: ["userID"] },
);
