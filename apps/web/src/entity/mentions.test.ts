import { expect, test } from "vitest";
import { foundText, namedIn, partsOf, searchAt, withMention } from "./mentions.ts";

const ann = { id: "1", name: "Ann", email: "ann@example.com" };
const lee = { id: "2", name: "Ann Lee", email: null };

test("searches for up to two words after the last @ before the caret", () => {
  expect(["@", "@an", "Hi @ann l", "(@ann", "@ann lee x", "ann@example", "no"].map((text) => searchAt(text, text.length))).toEqual([
    ...["", "an", "ann l", "ann"],
    ...[undefined, undefined, undefined],
  ]);
  expect(searchAt("@ann and more", 3)).toBe("an");
});

test("announces how many people were found", () => {
  expect([0, 1, 2].map(foundText)).toEqual([
    "No people found.",
    "1 person found. Press the down arrow to choose.",
    "2 people found. Press the down arrow to choose one.",
  ]);
});

test("replaces those words by the name", () => {
  expect(withMention("Hi @an, look", 6, "Ann Lee")).toEqual({ text: "Hi @Ann Lee , look", caret: 12 });
  expect(withMention("@a b", 2, "Ann")).toEqual({ text: "@Ann b", caret: 5 });
});

test("mentions only people whose names or addresses are still in the text", () => {
  expect(namedIn("@Ann, hello", [ann, lee])).toEqual([ann]);
  expect(namedIn("@ANN@example.com, hello", [lee, { ...ann, name: "Anna" }])).toEqual([{ ...ann, name: "Anna" }]);
});

test("shows each name and address that was mentioned, the longest that fits", () => {
  expect(partsOf("@Ann Lee and @Ann: ask @ANN@example.com or @Bob", [ann, lee])).toEqual([
    { text: "@Ann Lee", person: lee },
    { text: " and " },
    { text: "@Ann", person: ann },
    { text: ": ask " },
    { text: "@ANN@example.com", person: ann },
    { text: " or @Bob" },
  ]);
  expect(partsOf("Nobody.", [])).toEqual([{ text: "Nobody." }]);
});
