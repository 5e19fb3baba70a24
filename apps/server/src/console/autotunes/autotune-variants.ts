import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Violation } from "../../common/errors.ts";
import { randomID } from "../../common/identifier.ts";

type Variant = Schema<"AutotuneVariant">;
type Given = WritableSchema<"GivenAutotuneVariants">;

/** The maximum difference between given sizes, in percent: thirds are 33, 33 and 34. */
const MAX_DIFFERENCE = 1;

/** The rule ids of evaluations that reach no variant. */
const RESERVED_IDS = ["prestart", "default", "disabled"];

/** The variants as they are stored: each with the id that it has, or a new one. */
export function toVariants(given: Given, stored: readonly Variant[], violations: Violation[]): Variant[] {
  checkSizes(given, violations);
  const names = new Set<string>();
  const ids = new Set<string>();
  return given.map(({ id, name, json }, index) => {
    const place = `variants[${index}]`;
    if (names.has(name))
      violations.push({ property: `${place}.name`, errorMessage: `must differ from those of other variants, not be ${name} again` });
    names.add(name);
    if (id !== undefined && RESERVED_IDS.includes(id)) {
      violations.push({ property: `${place}.id`, errorMessage: `must not be ${id}, which is what SDKs report when no variant decided` });
    }
    const known = id ?? stored.find((variant) => variant.name === name)?.id ?? randomID();
    if (ids.has(known)) violations.push({ property: `${place}.id`, errorMessage: "must not be the id of another variant" });
    ids.add(known);
    return { id: known, name, json };
  });
}

function checkSizes(given: Given, violations: Violation[]): void {
  const sizes = given.map(({ size }) => size);
  if (sizes.every((size) => size === undefined)) return;
  for (const [index, size] of sizes.entries()) {
    if (size !== undefined && Math.abs(size - 100 / sizes.length) <= MAX_DIFFERENCE) continue;
    violations.push({
      property: `variants[${index}].size`,
      errorMessage: `must be ${(100 / sizes.length).toFixed(1)} or be left out in all variants: the server begins with equal shares and decides the others itself`,
    });
  }
}
