export { banditWeights, MIN_UNITS_PER_ARM, type Outcomes, trafficOf } from "./bandit.ts";
export { type Posterior, type Prior, posteriorOf } from "./bayesian.ts";
export { type Arm, bestArmOf, bestMeanOf } from "./best-arm.ts";
export { type BonferroniPlan, benjaminiHochberg, bonferroni, type Discoveries } from "./corrections.ts";
export type { CrossMoments } from "./cross-moments.ts";
export { type Adjusted, type Adjustment, adjustMeans, adjustRatios, type NotAdjusted } from "./cuped.ts";
export {
  type Difference,
  differenceFrom,
  differenceOf,
  type Interval,
  NORMAL_FROM_DEGREES,
  type Sides,
  type Tested,
  testDifference,
} from "./difference.ts";
export * from "./distributions.ts";
export { type Lift, liftOf } from "./lift.ts";
export type { Maybe, Reason } from "./maybe.ts";
export { addMoments, addPairMoments, type Estimate, estimateOf, type Moments, type PairMoments, ratioOf } from "./moments.ts";
export {
  type Bounds,
  type Percentile,
  type PercentileLevels,
  percentileBetween,
  percentileLevels,
  percentileOf,
  winsorBounds,
  winsorised,
} from "./percentile.ts";
export { controlUnitsFor, daysFor, leastDifferenceOf, leastEffectOf, type PowerPlan } from "./power.ts";
export { type HealthLevel, type SampleRatio, sampleRatioLevel, sampleRatioOf } from "./sample-ratio.ts";
export {
  confidenceSequence,
  type Mixture,
  mixtureTest,
  type Sequential,
  type Sprt,
  type SprtDecision,
  sequentialLift,
  sprt,
} from "./sequential.ts";
export { type Stratum, stratifiedDifference } from "./strata.ts";
export { type Exposure, type Topline, type ToplineImpact, toplineOf } from "./topline.ts";
