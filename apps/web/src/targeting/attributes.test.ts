import { describe, expect, test } from "vitest";
import {
  adviceOnField,
  chosenField,
  customFieldOption,
  fieldOptions,
  type SeenAttribute,
  suggestedValues,
  toCountryCode,
} from "./attributes.ts";
import type { Condition } from "./types.ts";

function attribute(id: string, given: Partial<SeenAttribute> = {}): SeenAttribute {
  return {
    ...{ id, kind: "custom", types: ["string"], userShare: 0.5, distinctValues: 0, values: [], rules: 0, lastSeenTime: 1 },
    ...{ description: "", isHidden: false, version: 0, createdTime: 0 },
    ...given,
  };
}

const valued = (...values: string[]) => values.map((value) => ({ value, userShare: 0.1, rules: 0 }));

describe("fieldOptions", () => {
  test("offers custom fields that aren't hidden, those of most rules first, with types and description", () => {
    const attributes = [
      attribute("seats", { types: ["number"] }),
      attribute("old", { isHidden: true }),
      attribute("country", { kind: "standard" }),
      attribute("plan", { rules: 2, description: "The plan." }),
    ];
    const options = fieldOptions(attributes);
    expect(options.map(({ label, hint }) => [label, hint])).toEqual([
      ["plan", "string · The plan."],
      ["seats", "number"],
    ]);
    expect(options.map(({ id }) => chosenField(id))).toEqual([
      { type: "custom_field", field: "plan" },
      { type: "custom_field", field: "seats" },
    ]);
    expect(chosenField("country")).toEqual({ type: "country" });
  });
});

test("a typed name is the custom field of that name, without spaces around it", () => {
  const { id, label } = customFieldOption("seats per team ");
  expect(label).toContain("seats per team ");
  expect(chosenField(id)).toEqual({ type: "custom_field", field: "seats per team" });
});

describe("suggestedValues", () => {
  const plan: Condition = { type: "custom_field", field: "plan", operator: "any", targetValue: ["PRO"] };
  const country: Condition = { type: "country", operator: "any", targetValue: ["SE"] };
  const suggest = (...given: Parameters<typeof suggestedValues>) => suggestedValues(...given).map(({ label }) => label);

  test("offers values that contain the typed text and that the list lacks, in any case", () => {
    const known = attribute("plan", { values: valued("pro", "free", "freemium", "my free") });
    expect(suggest(plan, "", known)).toEqual(["free", "freemium", "my free"]);
    expect(suggest(plan, "FREE", known)).toEqual(["free", "freemium", "my free"]);
    expect(suggest(plan, "", undefined)).toEqual([]);
  });

  test("finds countries by name and by code, and offers those of users before anything is typed", () => {
    const known = attribute("country", { kind: "standard", values: valued("NO", "SE") });
    expect(suggest(country, "", known)).toEqual(["Norway (NO)"]);
    expect(suggest(country, "norw", undefined)).toEqual(["Norway (NO)"]);
    expect(suggest(country, "united st", undefined)).toEqual(["United States (US)"]);
    expect(suggest(country, "swed", undefined)).toEqual([]);
  });
});

test.each([
  ["Norway", "NO"],
  ["norw", "NO"],
  ["Niger", "NE"],
  ["united", "united"],
  ["no", "no"],
  ["Atlantis", "Atlantis"],
])("toCountryCode of %s is %s", (text, code) => {
  expect(toCountryCode(text)).toBe(code);
});

describe("adviceOnField", () => {
  test("says that SDKs don't read nested fields, unless users have a field with that very name", () => {
    expect(adviceOnField("org.plan", undefined)).toBe("SDKs look for a custom field named org.plan. They don’t read fields inside org.");
    expect(adviceOnField("org.plan", attribute("org.plan", { types: [] }))).toBeDefined();
    expect(adviceOnField("org.plan", attribute("org.plan"))).toBeUndefined();
    expect(adviceOnField("plan", undefined)).toBeUndefined();
  });

  test("says that rules can't read inside an object", () => {
    expect(adviceOnField("org", attribute("org", { types: ["object"] }))).toBe(
      "Rules can’t read fields inside org. Send each one as a custom field.",
    );
  });
});
