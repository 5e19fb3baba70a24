// The scorecard of an experiment, in words. Pure.
import type { Schema } from "../api.ts";
import type { Tone } from "../ui/badge.tsx";

export type Recommended = Schema<"ExperimentScorecard">["recommendation"];

export const RECOMMENDATION_NAMES: Readonly<Record<Recommended, (test: string) => string>> = {
  ship: (test) => `Ship ${test}`,
  dontShip: (test) => `Don’t ship ${test}`,
  keepRunning: () => "Keep running",
};

export const SUPPORT_NAMES: Readonly<Record<Recommended, string>> = {
  ship: "Ship",
  dontShip: "Don’t ship",
  keepRunning: "Keep running",
};

export const RECOMMENDATION_TONES: Readonly<Record<Recommended, Tone>> = { ship: "good", dontShip: "bad", keepRunning: "off" };
