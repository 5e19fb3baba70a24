import { defineConfig } from "vitest/config";
import { SkipsReporter } from "../../scripts/skips-reporter.mjs";

export default defineConfig({
  test: {
    expect: { requireAssertions: true },
    // The calibration of the night takes many minutes.
    testTimeout: process.env.CALIBRATION_RUNS ? 3_600_000 : 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    reporters: ["default", new SkipsReporter()],
  },
});
