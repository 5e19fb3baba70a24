import { describe, expect, test } from "vitest";
import type { Places, Refusals } from "./known-names.ts";
import { toViolations, unknownName } from "./violations.ts";

const at = (path: string, errorCode: string, message = "") => ({ path, errorCode, message });

const places = (known: Partial<Places> = {}): Places => ({
  ...{ names: () => [], refusedNames: () => ({}), refusedValues: () => ({}), given: () => undefined },
  ...known,
});

describe("toViolations", () => {
  test.each([
    [at("/body/rules/0/name", "required", "must have required property 'name'"), "rules[0].name", "is required"],
    [at("/body/name", "type", "must be array,string,null"), "name", "must be array or string or null"],
    [at("/body/limit", "maximum", "must be <= 1,000"), "limit", "must be <= 1,000"],
    [at("/body", "type", "must be object"), "body", "must be object"],
    [at("/query/limit", "type", "must be integer"), "limit", "must be integer"],
    [at("/body/a~1b/c~0d", "type", "must be string"), "a/b.c~d", "must be string"],
  ])("%j is at its place in words", (error, property, errorMessage) => {
    expect(toViolations([error], places())).toEqual([{ property, errorMessage }]);
  });

  test("an unknown name is compared with the known names of its place", () => {
    const known = (pointer: string[]) => (pointer.join("/") === "body/rules/0" ? ["conditions", "name"] : []);
    expect(toViolations([at("/body/rules/0/nmae", "unevaluatedProperties")], places({ names: known }))).toEqual([
      { property: "rules[0].nmae", errorMessage: "is unknown. Did you mean name?" },
    ]);
  });

  test("a name and a value that the contract refuses have its reasons", () => {
    const refusals = (pointer: string[], place: string, found: Refusals): Refusals => (pointer.join("/") === place ? found : {});
    const refusing = places({
      refusedNames: (pointer) => refusals(pointer, "body", { surrogate: "Nothing computes it." }),
      refusedValues: (pointer) => refusals(pointer, "body/kind", { sql: "Nothing runs it." }),
      given: () => "sql",
    });
    expect(toViolations([at("/body/surrogate", "unevaluatedProperties"), at("/body/kind", "enum")], refusing)).toEqual([
      { property: "surrogate", errorMessage: "is not supported: Nothing computes it." },
      { property: "kind", errorMessage: "is not supported: Nothing runs it." },
    ]);
    const elsewhere = at("/body/rules/surrogate", "unevaluatedProperties");
    expect(toViolations([elsewhere], refusing)).toEqual([{ property: "rules.surrogate", errorMessage: "is unknown" }]);
  });

  test("the same violation is reported once", () => {
    const twice = [at("/body/a", "required"), at("/body/b", "required"), at("/body/a", "required")];
    expect(toViolations(twice, places()).map(({ property }) => property)).toEqual(["a", "b"]);
  });

  test("a very long name is cut and skips the comparison", () => {
    const name = "n".repeat(1_000_000);
    expect(toViolations([at(`/body/rules/0/${name}`, "unevaluatedProperties")], places({ names: () => ["n"] }))).toEqual([
      { property: `rules[0].${"n".repeat(100)}…`, errorMessage: "is unknown" },
    ]);
  });
});

test.each([
  [1_763_600_000, "looks like a time in seconds. In milliseconds it is 1763600000000"],
  [1_763_600_000_000_000, "is after the year 9999. It may be in microseconds or nanoseconds"],
])("a time of %d is explained", (time, reason) => {
  const error = at("/body/rules/0/time", "format", 'must match format "unix-milliseconds"');
  const errorMessage = `must be in milliseconds since the epoch, but ${time} ${reason}`;
  expect(toViolations([error], places({ given: (pointer) => (pointer.join("/") === "body/rules/0/time" ? time : undefined) }))).toEqual([
    { property: "rules[0].time", errorMessage },
  ]);
});

describe("unknownName", () => {
  test.each([
    ["idtype", ["idType", "id"], "is unknown. Did you mean idType?"],
    ["tg", ["tags"], "is unknown. Did you mean tags?"],
    ["colour", ["idType", "tags"], "is unknown"],
    ["anything", [], "is unknown"],
  ])("%s among %j", (name, known, errorMessage) => {
    expect(unknownName(`rules[0].${name}`, name, known)).toEqual({ property: `rules[0].${name}`, errorMessage });
  });
});
