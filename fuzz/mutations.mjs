// Valid requests with one fault.
import fc from "fast-check";
import { isObject, listMembers, Members } from "./json.mjs";
import { anyKey } from "./keys.mjs";
import { largeValue, NAMES, oddString, oddValue } from "./values.mjs";

const changed = (fields) => (plan) => ({ ...plan, ...fields });

/** Node accepts at most 16 KiB of request headers. */
const MAX_HEAD_TEXT = 1_000;
const shortString = oddString.map((text) => text.slice(0, MAX_HEAD_TEXT));

/** Plans for an operation, with one fault. */
export function mutated(operation, valid) {
  const faults = [
    { weight: 2, arbitrary: queryFault(operation) },
    { weight: 2, arbitrary: headerFault },
    { weight: 2, arbitrary: keyFault },
    {
      weight: 1,
      arbitrary: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS").map((method) => changed({ method })),
    },
  ];
  if (operation.path.includes("{")) faults.push({ weight: 2, arbitrary: pathFault(operation) });
  faults.push({ weight: operation.body === undefined ? 1 : 10, arbitrary: bodyFault });
  return fc.tuple(valid, fc.oneof(...faults)).map(([plan, fault]) => ({ ...fault(plan), kind: "mutated" }));
}

const edit = fc.oneof(
  { weight: 6, arbitrary: oddValue.map((value) => ({ kind: "replace", value })) },
  { weight: 2, arbitrary: fc.constant({ kind: "remove" }) },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.oneof(fc.constantFrom(...NAMES), oddString), oddValue).map(([name, value]) => ({ kind: "add", name, value })),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "twice" }) },
  { weight: 1, arbitrary: fc.constant({ kind: "wrap" }) },
);

const bodyFault = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.tuple(fc.nat({ max: 2 ** 20 }), edit).map(([n, change]) => (plan) => ({ ...plan, body: edited(plan.body, n, change) })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat({ max: 2 ** 20 }), largeValue).map(([n, value]) => (plan) => ({
      ...plan,
      body: edited(plan.body, n, { kind: "replace", value }),
    })),
  },
);

/** A body with one change at a random place. */
function edited(body, n, change) {
  if (body === undefined) return change.value ?? {};
  const places = listPlaces(body);
  return apply(body, places[n % places.length], change);
}

function listPlaces(value) {
  const inner = Array.isArray(value) ? value.map((item, index) => [index, item]) : isObject(value) ? listMembers(value) : [];
  return [[], ...inner.flatMap(([step, item]) => listPlaces(item).map((place) => [step, ...place]))];
}

function apply(value, [step, ...rest], change) {
  if (step === undefined) return atTop(value, change);
  const isLast = rest.length === 0;
  if (Array.isArray(value)) {
    if (isLast && change.kind === "remove") return value.filter((_, index) => index !== step);
    if (isLast && change.kind === "twice") return [...value, value[step]];
    return value.map((item, index) => (index === step ? apply(item, rest, change) : item));
  }
  const pairs = listMembers(value).flatMap(([name, member]) => {
    if (name !== step) return [[name, member]];
    if (isLast && change.kind === "remove") return [];
    if (isLast && change.kind === "twice")
      return [
        [name, member],
        [name, member],
      ];
    return [[name, apply(member, rest, change)]];
  });
  return new Members(pairs);
}

function atTop(value, { kind, name, value: given }) {
  if (kind === "replace") return given;
  if (kind === "add" && isObject(value)) return new Members([...listMembers(value), [name, given]]);
  return kind === "wrap" ? [value] : value;
}

function queryFault({ parameters }) {
  const names = parameters.filter((one) => one.in === "query").map(({ name }) => name);
  const odd = fc.constantFrom(
    "limit",
    "page",
    "__proto__",
    "limit[]",
    "limit[a]",
    "tags[__proto__]",
    "k",
    "se",
    "gz",
    "token",
    "dryRun",
    "",
    "constructor",
  );
  const name = names.length > 0 ? fc.oneof(fc.constantFrom(...names), odd) : odd;
  const value = fc.oneof(
    shortString,
    fc.constantFrom(
      "Infinity",
      "1e400",
      "-1",
      "0",
      "1.5",
      "0x10",
      "1e3",
      "9007199254740993",
      "9".repeat(400),
      "TRUE",
      "1",
      "[]",
      "{}",
      "null",
    ),
  );
  return fc
    .array(fc.tuple(name, value), { minLength: 1, maxLength: 3 })
    .map((pairs) => (plan) => ({ ...plan, query: [...plan.query, ...pairs] }));
}

function pathFault({ path }) {
  const names = path.match(/\{\w+\}/g).map((one) => one.slice(1, -1));
  const value = fc.oneof(shortString, fc.constantFrom("..", ".", "%2F", "a/b", "list", "versions", "2147483648", "1.5", "0", "absent"));
  return fc.tuple(fc.constantFrom(...names), value).map(([name, text]) => (plan) => ({
    ...plan,
    params: { ...plan.params, [name]: text },
    url: undefined,
  }));
}

const ODD_HEADERS = {
  "If-Match": ["", "*", "W/*", '"', '"1", "2"', 'W/"3-x"', ",".repeat(2_000), '"'.repeat(2_000), "1".repeat(5_000)],
  "If-None-Match": ["", "*", '"1", W/"2"', ",,,", '"'.repeat(2_000)],
  "Idempotency-Key": ["", " ", "a b", "é", "x".repeat(256), "__proto__", "constructor", "x".repeat(255)],
  "Accept-Encoding": ["", ";", "gzip;q=2", "br;q=abc", "gzip,".repeat(500), "identity;q=0"],
  "Content-Type": [
    "text/plain",
    "application/json; charset=utf-16",
    "application/json;charset=latin1",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json;",
    "APPLICATION/JSON",
    'application/json; charset="utf-8"',
    "json",
    "application/json, application/json",
    "application/vnd.api+json",
  ],
  "Content-Encoding": ["gzip", "br", "identity", "zstd", "compress", "gzip, gzip", "x", "GZIP"],
  "X-Forwarded-For": ["127.0.0.1", "x".repeat(3_000), "::1, 10.0.0.1", "%00", "1.2.3.4\t"],
  "X-Forwarded-Proto": ["javascript", "https", "https, http"],
  "X-Forwarded-Host": ["evil.example", "[::1", "a b", "x".repeat(3_000)],
  "Last-Event-ID": ["0", "1763700000000.x", "-1.zzz", "x".repeat(3_000), "9".repeat(400)],
  Range: ["bytes=-1", "bytes=5-2", "bytes=0-0,2-3", "bytes=99999999999999999999-", "lines=1-2", "bytes=", "bytes=-0"],
  "STATSIG-ENCODED": ["1", "true", "0"],
  Accept: ["text/html", "*/*;q=0", "x"],
  Origin: ["null", "https://evil.example", "x"],
  "X-HTTP-Method-Override": ["DELETE"],
  Expect: ["100-continue"],
  "STATSIG-CLIENT-TIME": ["NaN", "-1", "9".repeat(400)],
  Cookie: ["a=b; __proto__=c", "=".repeat(3_000)],
  "User-Agent": ["", "Mozilla/5.0 ".repeat(300), "(".repeat(3_000)],
};

const headerFault = fc
  .constantFrom(...Object.entries(ODD_HEADERS))
  .chain(([name, values]) =>
    fc
      .constantFrom(...values)
      .map((value) => (plan) => ({ ...plan, headers: [...plan.headers.filter(([other]) => other !== name), [name, value]] })),
  );

const keyFault = fc
  .record({ key: anyKey, keyPlace: fc.constantFrom("usual", "query", "X-API-Key", "STATSIG-API-KEY", "SERVICE-API-KEY", "Authorization") })
  .map(changed);
