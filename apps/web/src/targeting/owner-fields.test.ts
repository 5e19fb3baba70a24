import { expect, test } from "vitest";
import { fieldChanges, fieldText } from "./field-changes.ts";
import { OWNER_WORDS, ownerText } from "./owner-fields.ts";
import { toText } from "./parts.ts";

const ada = { ownerID: "usr_1", ownerName: "Ada Byron", ownerEmail: "ada@example.com" };

test.each([
  [ada, "Ada Byron"],
  [{ ownerID: "usr_1", ownerName: "", ownerEmail: "ada@example.com" }, "ada@example.com"],
  [{ ownerID: "usr_1" }, "usr_1"],
  [{}, ""],
  [null, ""],
  [undefined, ""],
])("an owner %j is shown as “%s”", (owner, expected) => {
  expect(ownerText(owner)).toBe(expected);
});

test("a change of the owner names both people, or shows what else differs", () => {
  const words = (before: object | null, after: object | null) =>
    fieldChanges(OWNER_WORDS, { owner: before }, { owner: after }).map(({ parts }) => toText(parts));
  expect(words(null, ada)).toEqual(["Owner: none → Ada Byron"]);
  expect(words(ada, { ownerID: "usr_2", ownerName: "Bob" })).toEqual(["Owner: Ada Byron → Bob"]);
  expect(words(ada, null)).toEqual(["Owner: Ada Byron → none"]);
  expect(words({ ownerID: "a", ownerName: "Ada" }, { ownerID: "b", ownerName: "Ada" })).toEqual([
    'Owner: {"ownerID":"a","ownerName":"Ada"} → {"ownerID":"b","ownerName":"Ada"}',
  ]);
  expect(fieldText(OWNER_WORDS.owner, ada)).toBe("Ada Byron");
  expect(fieldText(OWNER_WORDS.owner, null)).toBe("None");
});
