import fc from "fast-check";

/** Choices that a seed decides. */
export type Random = {
  /** True in this share of cases, 0–1. */
  chance(share: number): boolean;
  /** A whole number, both ends included. */
  integer(min: number, max: number): number;
  pick<T>(choices: readonly T[]): T;
  /** Some of the choices in their order, at least one. */
  some<T>(choices: readonly T[]): T[];
  /** As many as `count` says, each made by itself. */
  list<T>(count: number, make: (index: number) => T): T[];
};

export function seeded(seed: number): Random {
  const [value] = fc.sample(fc.gen(), { seed, numRuns: 1 }) as [fc.GeneratorValue];
  // Without the bias towards bounds and small numbers that finds edges of a type, and would make rare choices frequent.
  const integer = (min: number, max: number) => value(() => fc.noBias(fc.integer({ min, max })));
  const pick = <T>(choices: readonly T[]) => choices[integer(0, choices.length - 1)] as T;
  return {
    chance: (share) => integer(1, 1000) <= share * 1000,
    integer,
    pick,
    some<T>(choices: readonly T[]) {
      const first = integer(0, choices.length - 1);
      return choices.filter((_, index) => index === first || integer(0, 1) === 1);
    },
    list: (count, make) => Array.from({ length: count }, (_, index) => make(index)),
  };
}
