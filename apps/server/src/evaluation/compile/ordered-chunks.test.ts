import fc from "fast-check";
import { expect, test } from "vitest";
import { OrderedChunks } from "./ordered-chunks.ts";

const change = fc.tuple(fc.nat({ max: 400 }).map(String), fc.option(fc.nat(), { nil: undefined, freq: 3 }));
const patches = fc.array(
  fc.array(change, { maxLength: 200 }).map((entries) => new Map(entries)),
  { minLength: 1, maxLength: 6 },
);

test("a list with any history has the latest entries, sorted, in the same chunks as a new list", () => {
  fc.assert(
    fc.property(patches, (given) => {
      const expected = new Map<string, number>();
      let list = new OrderedChunks<number>();
      for (const patch of given) {
        list = list.patched(patch);
        for (const [key, value] of patch) {
          if (value === undefined) expected.delete(key);
          else expected.set(key, value);
        }
        const entries = [...expected].sort(([a], [b]) => (a < b ? -1 : 1));
        expect([...list.entries()]).toEqual(entries);
        expect(list.values()).toEqual(entries.map(([, value]) => value));
        expect(list.chunks).toEqual(new OrderedChunks<number>().patched(expected).chunks);
        for (const key of [...patch.keys(), "", "~"]) expect(list.get(key)).toBe(expected.get(key));
      }
    }),
    { numRuns: 100 },
  );
});

test("a change shares every chunk but its own and does not change the former list", () => {
  const keys = Array.from({ length: 10_000 }, (_, index) => `gate_${index}`);
  const before = new OrderedChunks<string>().patched(new Map(keys.map((key) => [key, "before"])));
  const after = before.patched(new Map([["gate_4711", "after"]]));
  expect(after.chunks.filter((chunk) => !before.chunks.includes(chunk))).toHaveLength(1);
  expect([before.get("gate_4711"), after.get("gate_4711")]).toEqual(["before", "after"]);
  const sizes = before.chunks.map((chunk) => chunk.keys.length);
  expect(before.chunks.length).toBeGreaterThan(80);
  expect(Math.max(...sizes)).toBeLessThan(700);
});
