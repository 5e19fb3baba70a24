export { allocateTraffic, banditWeights, MIN_UNITS_PER_ARM, type Outcomes } from "./bandit.ts";
export { computePosterior, detectableBelief, type Posterior, type Prior } from "./bayesian.ts";
export { type Arm, bestArmProbabilities, bestMeanProbabilities } from "./best-arm.ts";
export { type Comparison, compareMeans, compareProportions } from "./comparison.ts";
export { type BonferroniPlan, benjaminiHochberg, bonferroni, type Discoveries, holm } from "./corrections.ts";
export { type CrossMoments, selectValues, type Triple, triplesOf } from "./cross-moments.ts";
export { type Adjusted, type Adjustment, adjustMeans, adjustRatios, type NotAdjusted } from "./cuped.ts";
export { type Detection, detectableMargin, detectableMarginOfProportions, detectableProportions } from "./detection.ts";
export {
  criticalValue,
  type Difference,
  differenceFrom,
  estimateDifference,
  type Interval,
  NORMAL_FROM_DEGREES,
  type Sides,
  type Tested,
  testDifference,
} from "./difference.ts";
export * from "./distributions.ts";
export { type Heterogeneity, testHeterogeneity } from "./heterogeneity.ts";
export { type Lack, lackOfMeans, lackOfPercentiles, lackOfProportions, type PercentileLevel } from "./information.ts";
export { estimateInteraction, type Independence, type InteractionCells, testIndependence } from "./interaction.ts";
export { estimateLift, type Lift } from "./lift.ts";
export type { Maybe, Reason } from "./maybe.ts";
export {
  addMoments,
  addPairMoments,
  type Estimate,
  estimateMoments,
  estimateRatio,
  type Moments,
  type PairCubes,
  type PairMoments,
} from "./moments.ts";
export {
  type Bounds,
  computePercentile,
  type Percentile,
  type PercentileLevels,
  percentileBetween,
  percentileDegrees,
  percentileLevels,
  winsorBounds,
  winsorised,
} from "./percentile.ts";
export { type Measured, type Shrunken, shrinkEffects } from "./portfolio.ts";
export { controlUnitsFor, minimumDetectableEffect, type PowerPlan } from "./power.ts";
export { differenceInterval, type Proportion, ratioInterval, scoreProportions } from "./proportions.ts";
export { adjustByRegression, type NotRegressed, type Regressed } from "./regression.ts";
export { type HealthLevel, type SampleRatio, sampleRatioLevel, testSampleRatio } from "./sample-ratio.ts";
export {
  confidenceSequence,
  type Mixture,
  mixtureTest,
  type Sequential,
  type Sprt,
  type SprtDecision,
  sequenceReach,
  sequentialLift,
  sequentialPValue,
  sequentialThreshold,
  sprt,
} from "./sequential.ts";
export { type StratifiedMeans, type Stratum, stratifiedDifference, stratifiedMeans } from "./strata.ts";
export { type Exposure, estimateTopline, type Topline, type ToplineImpact } from "./topline.ts";
export { type DailyEstimates, describeTrend, lackOfTrends, type TrendVerdict, trendWeights } from "./trend.ts";
