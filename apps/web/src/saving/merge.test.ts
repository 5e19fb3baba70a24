import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Conflict, merge } from "./merge.ts";
import { mergeOrders } from "./merge-orders.ts";

const base = { name: "A", tags: ["x"], numbers: { one: 1 } };
const places = (conflicts: readonly Pick<Conflict<never>, "path" | "mine" | "theirs">[]) =>
  conflicts.map(({ path, mine, theirs }) => [path, mine, theirs]);

describe("parts", () => {
  test("that only one changed keep the change", () => {
    const merged = merge(base, { ...base, name: "Mine" }, { ...base, numbers: { one: 2 } }, {});
    expect(merged).toEqual({ values: { name: "Mine", tags: ["x"], numbers: { one: 2 } }, conflicts: [] });
  });

  test("that both changed the same way do not conflict", () => {
    const both = { ...base, name: "Same" };
    expect(merge(base, both, { ...both }, {})).toEqual({ values: both, conflicts: [] });
  });

  test("that both changed differently are a conflict, and the choice decides", () => {
    const [mine, theirs] = [
      { ...base, numbers: { one: 2 } },
      { ...base, numbers: { one: 3 } },
    ];
    const { conflicts, values } = merge(base, mine, theirs, {});
    expect(conflicts).toEqual([{ path: "numbers", part: "numbers", before: { one: 1 }, mine: { one: 2 }, theirs: { one: 3 } }]);
    expect(values.numbers).toEqual({ one: 3 });
    expect(merge(base, mine, theirs, { numbers: "mine" }).values.numbers).toEqual({ one: 2 });
  });

  test("that name the same thing are one conflict: the team's id follows its name", () => {
    const team = (name: string) => ({ team: name, teamID: `${name}_id` });
    const sides = [team("core"), team("mine"), team("theirs")] as const;
    expect(places(merge(...sides, {}).conflicts)).toEqual([["team", "mine", "theirs"]]);
    expect(merge(...sides, { team: "mine" }).values).toEqual(team("mine"));
    expect(merge(...sides, { team: "theirs" }).values).toEqual(team("theirs"));
    expect(merge(team("core"), team("mine"), team("core"), {})).toEqual({ values: team("mine"), conflicts: [] });
  });

  test("with names keep what each of the two added and removed", () => {
    const given = { tags: ["kept", "gone", "left"] };
    const merged = merge(given, { tags: ["kept", "left", "mine"] }, { tags: ["theirs", "kept", "gone"] }, {});
    expect(merged).toEqual({ values: { tags: ["theirs", "kept", "mine"] }, conflicts: [] });
  });
});

type Rule = { id?: string; name: string; passPercentage: number; returnValue?: object; returnValueJson5?: string };
const rule = (id: string, more: Partial<Rule> = {}): Rule => ({ id, name: id.toUpperCase(), passPercentage: 10, ...more });
const [a, b, c] = [rule("a"), rule("b"), rule("c")];
const ofRules = (old: Rule[], mine: Rule[], theirs: Rule[], choices = {}) => {
  const { values, conflicts } = merge({ rules: old }, { rules: mine }, { rules: theirs }, choices);
  return { rules: values.rules, conflicts: places(conflicts) };
};

describe("rules", () => {
  test("that a colleague added stay, no matter which rule I changed", () => {
    const mine = { ...a, passPercentage: 50 };
    expect(ofRules([a, b], [mine, b], [a, b, c])).toEqual({ rules: [mine, b, c], conflicts: [] });
  });

  test("that both added stay", () => {
    const added: Rule = { name: "New", passPercentage: 100 };
    expect(ofRules([a], [a, added], [a, c])).toEqual({ rules: [a, c, added], conflicts: [] });
  });

  test("keep the fields that only one of the two changed", () => {
    const merged = ofRules([a], [{ ...a, name: "Mine" }], [{ ...a, passPercentage: 20 }]);
    expect(merged).toEqual({ rules: [{ id: "a", name: "Mine", passPercentage: 20 }], conflicts: [] });
  });

  test("conflict in the field that both changed, and the choice decides about that field alone", () => {
    const [mine, theirs] = [
      { ...a, name: "Mine", passPercentage: 30 },
      { ...a, passPercentage: 20 },
    ];
    expect(ofRules([a], [mine], [theirs, c]).conflicts).toEqual([["rules[Mine].passPercentage", 30, 20]]);
    expect(ofRules([a], [mine], [theirs, c], { "rules[Mine].passPercentage": "mine" }).rules).toEqual([mine, c]);
    expect(ofRules([a], [mine], [theirs, c]).rules).toEqual([{ ...mine, passPercentage: 20 }, c]);
  });

  test("that one removed are gone if the other left them alone, and a conflict if not", () => {
    expect(ofRules([a, b], [b], [a, b])).toEqual({ rules: [b], conflicts: [] });
    expect(ofRules([a, b], [a, b], [b])).toEqual({ rules: [b], conflicts: [] });
    const changed = { ...a, passPercentage: 20 };
    expect(ofRules([a, b], [b], [changed, b])).toEqual({ rules: [changed, b], conflicts: [["rules[A]", undefined, changed]] });
    expect(ofRules([a, b], [b], [changed, b], { "rules[A]": "mine" }).rules).toEqual([b]);
    expect(ofRules([a, b], [changed, b], [b], { "rules[A]": "mine" }).rules).toEqual([changed, b]);
  });

  test("keep the order of the person who moved them, and conflict if both did", () => {
    expect(ofRules([a, b], [b, a], [a, b, c])).toEqual({ rules: [b, c, a], conflicts: [] });
    expect(ofRules([a, b, c], [b, a, c], [a, c, b])).toEqual({
      rules: [a, c, b],
      conflicts: [["rules[].order", ["B", "A", "C"], ["A", "C", "B"]]],
    });
    expect(ofRules([a, b, c], [b, a, c], [a, c, b], { "rules[].order": "mine" }).rules).toEqual([b, a, c]);
  });

  test("take a value and its text from the same side", () => {
    const valued = (number: number) => ({ ...a, returnValue: { number }, returnValueJson5: `{number: ${number}}` });
    const path = "rules[A].returnValueJson5";
    expect(ofRules([valued(1)], [valued(2)], [valued(3)]).conflicts).toEqual([[path, "{number: 2}", "{number: 3}"]]);
    expect(ofRules([valued(1)], [valued(2)], [valued(3)], { [path]: "mine" }).rules).toEqual([valued(2)]);
    expect(ofRules([valued(1)], [valued(2)], [valued(1), c]).rules).toEqual([valued(2), c]);
  });

  test("of two random edits are lost only where somebody removed them", () => {
    const lists = fc.subarray(["a", "b", "c", "d"]).chain((ids) => fc.shuffledSubarray(ids, { minLength: ids.length }));
    const edited = fc.tuple(lists, fc.boolean(), fc.nat({ max: 3 }));
    fc.assert(
      fc.property(edited, edited, ([mine, isMore, own], [theirs, isMoreToo, other]) => {
        const old = ["a", "b", "c", "d"].map((id) => rule(id));
        const my = [...mine.map((id) => rule(id, { passPercentage: own })), ...(isMore ? [{ name: "Mine", passPercentage: 1 }] : [])];
        const their = [...theirs.map((id) => rule(id, { passPercentage: other })), ...(isMoreToo ? [rule("e")] : [])];
        const { rules } = ofRules(old, my, their, { "rules[].order": "mine" });
        const names = rules.map(({ name }) => name);
        expect(new Set(names).size).toBe(names.length);
        if (isMore) expect(names).toContain("Mine");
        if (isMoreToo) expect(names).toContain("E");
        for (const id of ["a", "b", "c", "d"].filter((one) => mine.includes(one) && theirs.includes(one)))
          expect(names).toContain(id.toUpperCase());
      }),
    );
  });
});

test("lists whose items have no identity are one part", () => {
  const list = (value: number) => ({ conditions: [{ value }, { value }] });
  expect(places(merge(list(1), list(2), list(3), {}).conflicts).map(([path]) => path)).toEqual(["conditions"]);
});

test.each([
  [
    ["a", "b"],
    ["a", "x", "b"],
    ["a", "b", "y"],
    ["a", "x", "b", "y"],
  ],
  [
    ["a", "b"],
    ["b", "a"],
    ["x", "a", "b"],
    ["x", "b", "a"],
  ],
  [
    ["a", "b"],
    ["b", "a"],
    ["b", "a", "x"],
    ["b", "a", "x"],
  ],
])("orders of %j: %j and %j make %j", (old, mine, theirs, merged) => {
  expect(mergeOrders(old, mine, theirs).merged).toEqual(merged);
});
