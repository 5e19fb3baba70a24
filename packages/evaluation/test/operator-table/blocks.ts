import type { Condition, Spec, User } from "../../src/index.ts";
import { condition, config, gate, rule } from "../support/ruleset.ts";
import { TARGETS, UNKNOWN_OPERATORS } from "./targets.ts";
import { VALUES } from "./values.ts";

/** A user, with the value that a block's conditions read of it. */
type Subject = { value: unknown; user: User };

/** Conditions of one type. All are evaluated for all of these users. */
export type Block = { title: string; conditions: Condition[]; subjects: Subject[] };

type Reads = Pick<Condition, "type"> & Partial<Condition>;

/** The comparisons of an application: every operator with every target, and unknown operators. */
function compared({ type, ...given }: Reads): Condition[] {
  const known = Object.entries(TARGETS).flatMap(([operator, targets]) =>
    targets.map((targetValue) => condition(type, { ...given, operator, targetValue })),
  );
  const unknown = UNKNOWN_OPERATORS.map((operator) => condition(type, { ...given, operator, targetValue: ["a"] }));
  return [...known, ...unknown];
}

function also({ type, ...given }: Reads, pairs: Record<string, unknown[]>): Condition[] {
  return Object.entries(pairs).flatMap(([operator, targets]) =>
    targets.map((targetValue) => condition(type, { ...given, operator, targetValue })),
  );
}

const IDS = ["alice", "a", "A", "", "5", "Foo bar", "1.2.3", "日本", "2021-01-01T12:00:00Z", "1609502400000"];
const ids = (make: (id: string) => User): Subject[] => IDS.map((id) => ({ value: id, user: make(id) }));
const userID = "u";
const noUnit: Subject = { value: undefined, user: { customIDs: { other: "a" } } };

const CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
const ANDROID =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.6478.122 Mobile Safari/537.36";
const AGENTS = [CHROME, SAFARI, FIREFOX, ANDROID, "curl/8.5.0", "something else", "", CHROME.padEnd(1001)];
const agents: Subject[] = [undefined, ...AGENTS].map((userAgent) => ({ value: userAgent, user: { userID, userAgent } as User }));

const COUNTRIES = {
  "8.8.8.8": "US",
  "1.1.1.1": "AU",
  "127.0.0.1": undefined,
  "2001:4860:4860::8888": undefined,
  "8.8.8": undefined,
  "": undefined,
};
const addresses: Subject[] = Object.entries(COUNTRIES).map(([ip, value]) => ({ value, user: { userID, ip } }));
const countries: Subject[] = ["US", "us", "NZ", ""].map((country) => ({ value: country, user: { userID, country, ip: "8.8.8.8" } }));

const tier = (value: string): Subject => ({ value, user: { userID, statsigEnvironment: { tier: value } } });

const fields: Subject[] = [
  { userID: "a", email: "a", ip: "a", country: "a", locale: "a", appVersion: "1.2.3", userAgent: "a" },
  { userID, email: "", custom: { email: "a", Plan: "a", plan: "b" } },
  { userID, email: "b", custom: { email: "a" }, privateAttributes: { plan: "a", email: "c" } },
  { userID, custom: { plan: null }, privateAttributes: { plan: "a" } },
  { userID, privateAttributes: { Plan: "a", email: "a" } },
  { userID, custom: { userID: "a", user_id: "a", appVersion: "a" } },
  { customIDs: { userID: "a", plan: "a" } },
].map((user) => ({ value: undefined, user: user as User }));
const FIELDS = ["userID", "userid", "user_id", "email", "Email", "ip", "country", "locale", "appVersion", "app_version", "userAgent"];
const OTHER_FIELDS = ["plan", "Plan", "PLAN", "custom", "toString", "", null];

const units = (count: number): User[] =>
  Array.from({ length: count }, (_, index) => ({ userID: `user_${index}`, customIDs: { companyID: `company_${index % 7}` } }));
const SHARES = { lt: [250, 500], gte: [500], any: [Array.from({ length: 500 }, (_, index) => index)], none: [[-1], ["1", "2"]] };

export const BLOCKS: Block[] = [
  {
    title: "user_field, of a custom field",
    conditions: compared({ type: "user_field", field: "f" }),
    subjects: VALUES.map((value) => ({ value, user: { userID, custom: value === undefined ? {} : { f: value } } })),
  },
  {
    title: "user_field, of every place in which a user has fields",
    conditions: [...FIELDS, ...OTHER_FIELDS].flatMap((field) =>
      also({ type: "user_field", field }, { any: [["a"]], none: [["a"]], str_contains_any: [["a"]] }),
    ),
    subjects: fields,
  },
  {
    title: "unit_id, of the user",
    conditions: compared({ type: "unit_id", idType: "userID" }),
    subjects: [...ids((id) => ({ userID: id, customIDs: { companyID: "acme" } })), noUnit],
  },
  {
    title: "unit_id, of a custom id",
    conditions: compared({ type: "unit_id", idType: "companyID" }),
    subjects: [...ids((id) => ({ customIDs: { companyID: id } })), noUnit],
  },
  {
    title: "unit_id, of a custom id whose name is in another case",
    conditions: ["companyID", "COMPANYID", "companyid"].flatMap((idType) =>
      also({ type: "unit_id", idType }, { any: [["a"]], none: [["a"]] }),
    ),
    subjects: ids((id) => ({ userID, customIDs: { COMPANYid: id } })),
  },
  {
    title: "ip_based, of the country",
    conditions: [
      ...compared({ type: "ip_based", field: "country" }),
      ...also({ type: "ip_based", field: "country" }, { any: [["US", "NZ"]], none: [["us"]], any_case_sensitive: [["us"]], eq: ["US"] }),
    ],
    subjects: [...addresses, ...countries, { value: undefined, user: { userID } }],
  },
  {
    title: "ip_based, of another field",
    conditions: also({ type: "ip_based", field: "ip" }, { any: [["8.8.8.8"]], none: [["8.8.8.8"]], str_starts_with_any: [["8."]] }),
    subjects: addresses,
  },
  {
    title: "ua_based",
    conditions: ["os_name", "osName", "os_version", "browser_name", "browser_version"].flatMap((field) => [
      ...(field === "browser_version" ? compared({ type: "ua_based", field }) : []),
      ...also({ type: "ua_based", field }, { any: [["Windows", "iOS", "Chrome", "17.5"]], none: [["Linux", "Firefox", "Other"]] }),
      ...also({ type: "ua_based", field }, { version_gt: ["10", "125.9"], version_eq: ["0", "14"], str_contains_any: [["o"]] }),
    ]),
    subjects: [...agents, { value: "a", user: { userID, userAgent: CHROME, custom: { os_name: "a", browser_version: "a" } } }],
  },
  {
    title: "environment_field",
    conditions: [
      ...compared({ type: "environment_field", field: "tier" }),
      ...["tier", "Tier", "region"].flatMap((field) => also({ type: "environment_field", field }, { any: [["production"], ["eu"]] })),
    ],
    subjects: [
      ...["production", "Production", "staging", "a", "5", "1.2.3"].map(tier),
      { value: undefined, user: { userID } },
      { value: undefined, user: { userID, statsigEnvironment: { region: "eu" } } },
    ],
  },
  {
    title: "current_time",
    conditions: [
      ...compared({ type: "current_time" }),
      ...also({ type: "current_time" }, { before: [4_102_444_800_000], after: [4_102_444_800_000], on: ["2100-01-01T00:00:00Z"] }),
    ],
    subjects: [{ value: undefined, user: { userID } }],
  },
  {
    title: "user_bucket",
    conditions: compared({ type: "user_bucket", additionalValues: { salt: "salt" } }),
    subjects: units(6).map((user) => ({ value: 0, user })),
  },
  {
    title: "user_bucket, of shares of the units",
    conditions: [
      ...["salt", "other"].flatMap((salt) => also({ type: "user_bucket", additionalValues: { salt } }, SHARES)),
      ...also({ type: "user_bucket", idType: "companyID", additionalValues: { salt: "salt" } }, SHARES),
    ],
    subjects: [...units(60), { customIDs: { companyID: "c" } }].map((user) => ({ value: 0, user })),
  },
  {
    title: "target_app",
    conditions: [...compared({ type: "target_app" }), ...also({ type: "target_app" }, { any: [["web"], ["other"]], none: [["web"]] })],
    subjects: [{ value: "web", user: { userID } }],
  },
  {
    title: "experiment_group",
    conditions: [
      ...compared({ type: "experiment_group", field: "halves" }),
      ...["halves", "missing"].flatMap((field) => also({ type: "experiment_group", field }, { any: [["Test"]], none: [["Test"]] })),
    ],
    subjects: units(6).map((user) => ({ value: undefined, user })),
  },
  {
    title: "public, pass_gate and fail_gate, multi_pass_gate and multi_fail_gate",
    conditions: [
      condition("public"),
      ...["on", "off", "disabled", "missing", "half", "unsupported", "segment:half", "", null].flatMap((targetValue) =>
        ["pass_gate", "fail_gate"].map((type) => condition(type, { targetValue })),
      ),
      ...[["on", "off"], ["off"], ["half", "missing"], ["missing"], [], "on", null, ["off", "unsupported"]].flatMap((targetValue) =>
        ["multi_pass_gate", "multi_fail_gate"].map((type) => condition(type, { targetValue })),
      ),
    ],
    subjects: units(6).map((user) => ({ value: undefined, user })),
  },
  {
    title: "a type or an operator that is written in capitals, and a type that nobody knows",
    conditions: [
      ...["PUBLIC", "User_Field", "javascript", ""].map((type) => condition(type, { field: "f", operator: "any", targetValue: ["a"] })),
      ...["ANY", "Gt"].map((operator) => condition("user_field", { field: "f", operator, targetValue: ["a"] })),
    ],
    subjects: [{ value: "a", user: { userID, custom: { f: "a" } } }],
  },
];

const half = [rule("half", { passPercentage: 50 })];

/** The specs that the conditions of the blocks depend on. */
export const DEPENDENCIES: { gates: Spec[]; configs: Spec[] } = {
  gates: [
    gate("on", [rule("all")]),
    gate("off", [rule("none", { passPercentage: 0 })]),
    gate("disabled", [rule("all")], { enabled: false }),
    gate("half", half),
    gate("segment:half", half, { entity: "segment" }),
    gate("unsupported", [rule("odd", { conditions: [condition("nonsense")] })]),
  ],
  configs: [
    config("halves", "experiment", [
      ...[rule("test", { groupName: "Test", isExperimentGroup: true, conditions: [testHalf()], returnValue: {} })],
      rule("control", { groupName: "Control", isExperimentGroup: true, returnValue: {} }),
    ]),
  ],
};

function testHalf(): Condition {
  return condition("user_bucket", { operator: "lt", targetValue: 500, additionalValues: { salt: "halves" } });
}
