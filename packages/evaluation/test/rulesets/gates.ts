import type { Condition, Rule, Spec } from "../../src/index.ts";
import { condition, gate, rule } from "../support/ruleset.ts";
import { bucket, fails, field, passes, unit } from "./conditions.ts";

const when = (id: string, conditions: Condition[], given: Partial<Rule> = {}) => rule(id, { conditions, ...given });
const JAN_2020_MS = 1_577_836_800_000;
const JAN_2100_MS = 4_102_444_800_000;

/** Users decided by a percentage, an override or the lack of a rule. */
const ROLLOUTS: Spec[] = [
  gate("everyone", [rule("everyone", { groupName: "Everyone" })]),
  gate("nobody", [rule("nobody", { passPercentage: 0 })]),
  gate("no rules", []),
  gate("off", [rule("everyone")], { enabled: false }),
  gate("tenth", [rule("tenth", { passPercentage: 10 })]),
  gate("two decimals", [rule("share", { passPercentage: 33.33, groupName: "A third" })]),
  gate("half of the companies", [rule("half", { passPercentage: 50, idType: "companyID" })], { idType: "companyID" }),
  gate("half of the devices", [rule("half", { passPercentage: 50, idType: "stableID" })], { idType: "stableID" }),
  gate("salted", [rule("half", { passPercentage: 50, salt: "a salt of its own" })]),
  gate("Größe 🗻", [rule("für alle", { passPercentage: 50 })]),
  gate("overridden", [
    when("pass:all:id_override", [unit("any_case_sensitive", ["user_1", "user_2", "user_3"])]),
    when("fail:all:id_override", [unit("any_case_sensitive", ["user_4", "user_5"])], { passPercentage: 0 }),
    when("pass:companyID:id_override", [unit("any", ["COMPANY_3"], "companyID")]),
    rule("rest", { passPercentage: 50 }),
  ]),
];

/** Users targeted by their properties. */
const TARGETED: Spec[] = [
  gate("staff first", [
    when("staff", [field("email", "str_ends_with_any", ["@Staff.example"])], { groupName: "Staff" }),
    when("paying", [field("plan", "any", ["pro", "enterprise"]), field("age", "gte", 18)], { passPercentage: 60 }),
    rule("others", { passPercentage: 5 }),
  ]),
  gate("by country", [when("abroad", [condition("ip_based", { field: "country", operator: "none", targetValue: ["DE", "US"] })])]),
  gate("by browser", [
    when("chrome", [
      condition("ua_based", { field: "browser_name", operator: "any", targetValue: ["Chrome"] }),
      condition("ua_based", { field: "browser_version", operator: "version_gt", targetValue: "100" }),
    ]),
    when("windows", [condition("ua_based", { field: "os_name", operator: "any", targetValue: ["Windows"] })]),
  ]),
  gate("by version", [when("new", [field("appVersion", "version_gte", "1.7")]), when("odd", [field("appVersion", "version_eq", "1.3.1")])]),
  gate("by environment", [
    when("production", [condition("environment_field", { field: "tier", operator: "any", targetValue: ["production"] })]),
    when("staging", [condition("environment_field", { field: "tier", operator: "any", targetValue: ["staging"] })], { passPercentage: 50 }),
  ]),
  gate("by time", [
    when("over", [condition("current_time", { operator: "before", targetValue: JAN_2020_MS })]),
    when("during", [condition("current_time", { operator: "before", targetValue: JAN_2100_MS })]),
  ]),
  gate("by signup", [
    when("early", [field("signup", "before", "2021-06-01T00:00:00Z")]),
    when("late", [field("signup", "after", JAN_2020_MS)]),
  ]),
  gate("by tags", [
    when("both", [field("tags", "array_contains_all", ["beta", "vip"])]),
    when("either", [field("tags", "array_contains_any", ["beta", "vip"])], { passPercentage: 50 }),
  ]),
  gate("by locale", [when("pattern", [field("locale", "str_matches", "^(?:de|fr)_[A-Z]{2}$")])]),
  gate("by private field", [when("rich", [field("salary", "gt", 50_000)])]),
  gate("by bucket", [when("bucket", [bucket("lt", 300, "bucket salt")])]),
  gate("by app", [when("web", [condition("target_app", { operator: "any", targetValue: ["web"] })])], { targetAppIDs: ["another app"] }),
];

/** Specs that depend on other gates, which then are exposed. */
const DEPENDENT: Spec[] = [
  gate("segment:staff", [when("staff", [field("email", "str_ends_with_any", ["@staff.example"])])], { entity: "segment" }),
  gate("segment:friends", [when("id_list", [unit("in_segment_list", "friends")])], { entity: "segment" }),
  gate("segment:companies", [when("id_list", [unit("any", ["company_1", "company_2"], "companyID")])], {
    entity: "segment",
    idType: "companyID",
  }),
  gate("segment:of segments", [when("r", [passes("segment:staff"), fails("tenth")])], { entity: "segment" }),
  gate("by segments", [
    when("friends of staff", [passes("segment:friends"), passes("segment:staff")]),
    when("friends", [passes("segment:friends")], { passPercentage: 70 }),
    when("strangers", [unit("not_in_segment_list", "friends"), fails("segment:companies")], { passPercentage: 20 }),
  ]),
  gate("segments of segments", [when("r", [fails("segment:of segments"), passes("by segments")])]),
  gate("of a gate", [when("r", [passes("tenth")]), when("s", [fails("half of the companies")], { passPercentage: 50 })]),
  gate("of a chain", [when("r", [passes("of a gate"), fails("tenth")]), when("s", [passes("of a gate")])]),
  gate("of a disabled gate", [when("r", [passes("off")]), when("s", [fails("off")])]),
  gate("of a missing gate", [when("r", [passes("missing")]), when("s", [fails("missing")])]),
  gate("of the same gate twice", [
    when("r", [passes("tenth"), field("plan", "any", ["pro"])]),
    when("s", [passes("tenth"), fails("nobody")]),
  ]),
  gate("unsupported", [when("staff", [passes("segment:staff")]), when("r", [condition("javascript")])]),
  gate("of an unsupported gate", [when("r", [passes("segment:friends"), fails("unsupported")]), rule("everyone")]),
];

/** Holdouts, and a gate that they hold users out of. */
const HOLDOUTS: Spec[] = [
  gate(
    "holdout",
    [when("fail:all:id_override", [unit("any", ["user_7"])], { passPercentage: 0 }), rule("holdout:20.00:1", { passPercentage: 20 })],
    {
      entity: "holdout",
    },
  ),
  gate(
    "holdout of companies",
    [
      when("targetingGate", [fails("two decimals")], { passPercentage: 0, idType: "companyID" }),
      rule("holdout of companies:30.00:1", { passPercentage: 30, idType: "companyID" }),
    ],
    { entity: "holdout", idType: "companyID" },
  ),
  gate("held out", [
    when("holdout", [passes("holdout")], { passPercentage: 0 }),
    when("holdout of companies", [passes("holdout of companies")], { passPercentage: 0 }),
    rule("rest", { passPercentage: 80 }),
  ]),
];

export const GATES: Spec[] = [...ROLLOUTS, ...TARGETED, ...DEPENDENT, ...HOLDOUTS];

/** That a gate is false by a rule that lets everyone pass is known to newer SDKs alone. */
export const FALSE_BY_RULE = gate("false by a rule", [when("staff", [passes("segment:staff")], { returnValue: false }), rule("everyone")]);

/** Conditions on several gates are known to older SDKs alone. */
export const OF_SEVERAL_GATES = gate("of several gates", [
  when("any", [condition("multi_pass_gate", { targetValue: ["tenth", "salted"] })]),
  when("none", [condition("multi_fail_gate", { targetValue: ["everyone", "two decimals"] })], { passPercentage: 50 }),
]);
