import { defineConfig } from "vitest/config";
import { StatusesReporter } from "./test/support/statuses-reporter.ts";

export default defineConfig({
  test: {
    globalSetup: "test/support/template-database.ts",
    setupFiles: ["test/support/freeze-entities.ts", "test/support/watch-servers.ts"],
    reporters: ["default", new StatusesReporter()],
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
