import { hash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { AppError } from "../../common/errors.ts";
import { BUCKETS } from "./allocation.ts";
import { changeExperiment, type Experiment, newExperiment } from "./experiment.ts";
import { isRunning, type Step } from "./experiment-lifecycle.ts";
import { advance } from "./experiment-steps.ts";

const context = { actor: { id: "key_1", name: "CONSOLE API", email: null }, projectID: "p", operationID: "startExperiment", now: 1 };
const layer = {
  id: "checkout",
  name: "Checkout",
  description: "",
  idType: "userID",
  targetApps: [],
  holdoutIDs: [],
  tags: [],
  team: null,
  isImplicitLayer: false,
  parameters: [],
  creatorID: null,
  creatorName: null,
  creatorEmail: null,
  createdTime: 1,
  lastModifierID: null,
  lastModifierName: null,
  lastModifierEmail: null,
  lastModifiedTime: 1,
  version: 1,
};
const UNITS = Array.from({ length: 300 }, (_, index) => `user_${index}`);
const computeBucket = (salt: string, unit: string) =>
  Number(BigInt(`0x${hash("sha256", `${salt}.${unit}`).slice(0, 16)}`) % BigInt(BUCKETS));

/** The group of a unit, as the evaluation determines it: first the layer's buckets, then the groups' sizes. */
function findGroup({ status, userBuckets, salt, groups }: Experiment, unit: string): string | undefined {
  if (!isRunning(status) || !userBuckets.includes(computeBucket("layer", unit))) return undefined;
  const place = computeBucket(salt, unit);
  let upto = 0;
  return groups.find(({ size }) => {
    upto += size * 10;
    return place < upto;
  })?.id as string;
}

type Act = { at: number; step: Step | "resize"; allocation: number };
const act: fc.Arbitrary<Act> = fc.record({
  at: fc.integer({ min: 0, max: 5 }),
  step: fc.constantFrom(
    "start",
    "start",
    "start",
    "resize",
    "resize",
    "stop_assignment",
    "stop_experiment",
    "make_decision",
    "abandon",
    "reset",
  ),
  allocation: fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10),
});

/** The experiments after the act, or unchanged if it is rejected. */
function play(experiments: Experiment[], { at, step, allocation }: Act): Experiment[] {
  const experiment = experiments[at] as Experiment;
  const others = experiments.filter((one) => one !== experiment).map(({ id, userBuckets }) => ({ id, buckets: userBuckets }));
  const shared = { layer, others };
  try {
    const after =
      step === "resize"
        ? changeExperiment(experiment, { allocation }, shared, context)
        : advance(experiment, step, shared, context, step === "make_decision" ? { launchedGroupID: experiment.controlGroupID } : {});
    return experiments.with(at, after);
  } catch (error) {
    if (error instanceof AppError) return experiments;
    throw error;
  }
}

test("in any history of a layer, no unit is in two experiments, and none moves while its experiment only grows", () => {
  const counts = { started: 0, refused: 0 };
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      let experiments = Array.from({ length: 6 }, (_, index) =>
        newExperiment({ name: `experiment ${index}`, layerID: "checkout", allocation: 15 * (index + 1) }, { layer, others: [] }, context),
      );
      for (const one of acts) {
        const before = experiments;
        experiments = play(before, one);
        counts[experiments === before ? "refused" : "started"] += 1;
        const held = experiments.flatMap(({ userBuckets }) => userBuckets);
        expect(new Set(held).size).toBe(held.length);
        expect(held.length).toBeLessThanOrEqual(BUCKETS);
        for (const [index, after] of experiments.entries()) {
          const earlier = before[index] as Experiment;
          expect(after.userBuckets).toHaveLength(isRunning(after.status) ? Math.round(after.allocation * 10) : 0);
          if (!isRunning(earlier.status) || !isRunning(after.status) || after.allocation < earlier.allocation) continue;
          const moved = UNITS.filter((unit) => findGroup(earlier, unit) && findGroup(earlier, unit) !== findGroup(after, unit));
          expect(moved).toEqual([]);
        }
        const homes = UNITS.map((unit) => experiments.filter((experiment) => findGroup(experiment, unit)).length);
        expect(Math.max(...homes)).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: 40 },
  );
  expect(counts.started).toBeGreaterThan(0);
  expect(counts.refused).toBeGreaterThan(0);
});
