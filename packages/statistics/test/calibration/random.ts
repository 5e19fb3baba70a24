// Seeded random numbers, so that a run is like the one before.

export type Random = {
  /** Uniform, above 0 and below 1. */
  uniform(): number;
  /** A whole number from 0 to less than `end`. */
  below(end: number): number;
  normal(): number;
  /** Of a gamma distribution with the scale 1. */
  gamma(shape: number): number;
};

/** Sources: mulberry32 of T. Ettinger, in the public domain; Box, Muller 1958; Marsaglia, Tsang 2000. */
export function seededRandom(seed: number): Random {
  let state = seed;
  let spare: number | undefined;
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 4_294_967_296;
  };
  const normal = () => {
    if (spare !== undefined) {
      const kept = spare;
      spare = undefined;
      return kept;
    }
    const [length, angle] = [Math.sqrt(-2 * Math.log(uniform())), 2 * Math.PI * uniform()];
    spare = length * Math.sin(angle);
    return length * Math.cos(angle);
  };
  const gamma = (shape: number): number => {
    if (shape < 1) return gamma(shape + 1) * uniform() ** (1 / shape);
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = normal();
      const v = (1 + c * x) ** 3;
      if (v > 0 && Math.log(uniform()) < (x * x) / 2 + d - d * v + d * Math.log(v)) return d * v;
    }
  };
  return { uniform, normal, gamma, below: (end) => Math.floor(uniform() * end) };
}
