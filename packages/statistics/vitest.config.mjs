import { defineConfig } from "vitest/config";
import { SkipsReporter } from "../../scripts/skips-reporter.mjs";

export default defineConfig({
  test: {
    expect: { requireAssertions: true },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    reporters: ["default", new SkipsReporter()],
  },
});
