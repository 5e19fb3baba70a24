import { describe, expect, test } from "vitest";
import { encodedTag, entityTag, namesTag, namesTagWeakly } from "./entity-tag.ts";

test("the tag of an entity is its version and, if it has one, its creation time", () => {
  expect(entityTag({ version: 3, createdTime: 36 })).toBe('"3-10"');
  expect(entityTag({ version: 3 })).toBe('"3"');
  expect(encodedTag('"3-10"', "br")).toBe('"3-10:br"');
});

describe("a header", () => {
  test.each(['"3"', '"3:gzip"', '"2", "3:br"', ' "3" ', '"2", "3"', '"2","3"', "*"])("%s matches the tag", (header) => {
    expect(namesTag(header, '"3"')).toBe(true);
    expect(namesTagWeakly(header, '"3"')).toBe(true);
  });

  test.each(["", "3", '"2"', '"33"', '"2", "4"'])("%s does not match the tag", (header) => {
    expect(namesTag(header, '"3"')).toBe(false);
    expect(namesTagWeakly(header, '"3"')).toBe(false);
  });

  test.each(['W/"3"', '"2", W/"3"'])("%s matches the tag only weakly", (header) => {
    expect(namesTag(header, '"3"')).toBe(false);
    expect(namesTagWeakly(header, '"3"')).toBe(true);
  });
});
