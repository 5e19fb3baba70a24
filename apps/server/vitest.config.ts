import { defineConfig } from "vitest/config";
import { SkipsReporter } from "../../scripts/skips-reporter.mjs";
import { StatusesReporter } from "./test/support/statuses-reporter.ts";

export default defineConfig({
  test: {
    globalSetup: "test/support/template-database.ts",
    setupFiles: ["test/support/freeze-entities.ts", "test/support/watch-servers.ts"],
    reporters: ["default", new StatusesReporter(), new SkipsReporter()],
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { requireAssertions: true },
    maxWorkers: 2,
  },
});
