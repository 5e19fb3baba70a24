import { expect } from "vitest";
import type { Analysis } from "../../src/results/sql/analysis.ts";
import { SUMS } from "../../src/results/sql/measures.ts";
import type { referenceMoments } from "./reference-moments.ts";
import type { World } from "./results-engine.ts";

export const DAY_MS = 86_400_000;
export const TODAY = Math.floor(Date.now() / DAY_MS);
export const START = (TODAY - 10) * DAY_MS;

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Units of two groups that do something in ten days before and after the start, as a seed determines. */
export function randomWorld(seed: number): World {
  const random = seededRandom(seed);
  const pick = <T>(values: T[]): T => values[Math.floor(random() * values.length)] as T;
  const units = Array.from({ length: 40 }, (_, index) => `unit ${index}`);
  const exposures = units.flatMap((unit) => {
    const groups = random() < 0.1 ? ["control", "test"] : [pick(["control", "test"])];
    const country = pick(["NO", "CH"]);
    return groups.map((group) => ({ unit, group, time: START + Math.floor((random() * 9 - 0.5) * DAY_MS), country }));
  });
  const events = Array.from({ length: 400 }, (_, id) => ({
    id: id + 1,
    unit: pick([...units, "a stranger"]),
    name: pick(["buy", "buy", "view", "statsig::gate_exposure"]),
    // Some happen at the same ms.
    time: START + Math.floor(random() * 190 - 90) * (DAY_MS / 10),
    value: pick(["", "no number", "1e2", " 7 ", "-3.5", `${Math.round(random() * 1000) / 10}`, `${Math.round(random() * 1000) / 10}`]),
    metadata: pick<Record<string, unknown>>([
      {},
      { item: pick(["a", "b", "abc", "A"]), items: Math.floor(random() * 5) },
      { items: "2", half: "\ud800" },
    ]),
    country: pick(["NO", "CH"]),
  }));
  return { exposures, events };
}

/** When each day begins, counted from the start. */
export const days = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => START + (from + index) * DAY_MS);

/** Of the nine days from the start. */
export const buildAnalysis = (projectID: string): Analysis => ({
  ...{
    projectID,
    exposureSource: { type: "experiment", id: "e", groupIDs: ["control", "test"] },
    idType: "userID",
    environments: ["production"],
  },
  ...{ days: days(0, 9), earlierDays: days(-9, 0), end: START + 9 * DAY_MS },
});

export function expectEqual(actual: ReturnType<typeof referenceMoments>, expected: ReturnType<typeof referenceMoments>): void {
  expect([...actual.keys()].sort()).toEqual([...expected.keys()].sort());
  for (const [key, sums] of expected) {
    for (const name of SUMS) {
      const difference = Math.abs((actual.get(key)?.[name] ?? Number.NaN) - sums[name]) / Math.max(1, Math.abs(sums[name]));
      expect(difference, `${name} of ${key}: ${actual.get(key)?.[name]} for ${sums[name]}, n ${sums.n}`).toBeLessThan(1e-12);
    }
  }
}
