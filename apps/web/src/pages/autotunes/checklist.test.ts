import { expect, test } from "vitest";
import { checklist, listRisks, whyNotStart } from "./checklist.ts";

const variant = (name: string, value: string) => ({ id: null, name, value });
const different = { variants: [variant("A", '{ color: "blue" }'), variant("B", "{}")], successEvent: "purchase" };

test("an autotune with the same value in every variant can't start, however the value is written", () => {
  const same = { ...different, variants: [variant("A", "{ a: 1, b: 2 }"), variant("B", '{ "b": 2, "a": 1 }')] };
  expect(whyNotStart(checklist(same, true))).toBe("Set different values for the variants. They’re all the same now.");
  expect(whyNotStart(checklist(different, true))).toBeUndefined();
});

test("an event that was never logged is a warning, unless that isn't known", () => {
  const misspelled = { ...different, successEvent: "purchace" };
  expect([whyNotStart(checklist(misspelled, false)), listRisks(checklist(misspelled, false))]).toEqual([
    undefined,
    ["No event named “purchace” was seen."],
  ]);
  expect([listRisks(checklist(misspelled)), listRisks(checklist(different, true))]).toEqual([[], []]);
  expect(whyNotStart(checklist({ ...different, successEvent: "" }))).toBe("Choose the event that counts as an outcome.");
});
