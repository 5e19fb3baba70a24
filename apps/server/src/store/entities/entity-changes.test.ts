import { expect, test } from "vitest";
import { entityChanges } from "./entity-changes.ts";

test.each(["toString", "constructor", "__proto__"])(
  "a field that is called %s is listed when it is added, changed, and removed",
  (name) => {
    const version = (number: number, defaultValue: string) => ({ version: number, defaultValue: JSON.parse(defaultValue) });
    const [without, first, second] = [version(1, "{}"), version(2, `{"${name}":1}`), version(3, `{"${name}":2}`)];
    const toFields = (before: typeof without, after: typeof without) =>
      entityChanges([{ type: "dynamic_config", id: "c", before, after }]).flatMap(({ fields }) => fields);
    const field = `defaultValue.${name}`;
    expect(toFields(without, first)).toEqual([{ field, before: null, after: 1 }]);
    expect(toFields(first, second)).toEqual([{ field, before: 1, after: 2 }]);
    expect(toFields(second, without)).toEqual([{ field, before: 2, after: null }]);
  },
);
