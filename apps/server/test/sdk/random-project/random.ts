import fc from "fast-check";

/** Random choices, derived from a seed. */
export type Random = {
  /** True with the given probability, 0–1. */
  chance(share: number): boolean;
  /** An integer, both bounds inclusive. */
  integer(min: number, max: number): number;
  pick<T>(choices: readonly T[]): T;
  /** At least one of the choices, in their order. */
  some<T>(choices: readonly T[]): T[];
  /** An array of `count` independent values. */
  list<T>(count: number, make: (index: number) => T): T[];
};

export function seeded(seed: number): Random {
  const [value] = fc.sample(fc.gen(), { seed, numRuns: 1 }) as [fc.GeneratorValue];
  // Without the library's bias towards bounds and small numbers, which would make rare choices frequent.
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
