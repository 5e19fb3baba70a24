import fc from "fast-check";
import { expect, test } from "vitest";
import { VersionedMap } from "./versioned-map.ts";

const patch = fc.array(fc.tuple(fc.constantFrom("a", "b", "c", "constructor"), fc.option(fc.nat(), { nil: undefined })));

test("every version keeps its entries, however many come after it", () => {
  fc.assert(
    fc.property(fc.array(patch, { maxLength: 8 }), (patches) => {
      const versions = [{ map: new VersionedMap<number>(), expected: new Map<string, number | undefined>() }];
      for (const changes of patches) {
        const last = versions.at(-1) as (typeof versions)[0];
        versions.push({ map: last.map.patched(changes), expected: new Map([...last.expected, ...changes]) });
      }
      for (const { map, expected } of versions) {
        for (const key of ["a", "b", "c", "constructor"]) expect(map.get(key)).toBe(expected.get(key));
      }
    }),
  );
});

test("only the newest version can be patched", () => {
  const first = new VersionedMap<number>();
  first.patched([["a", 1]]);
  expect(() => first.patched([["a", 2]])).toThrow("Only the newest version");
});
