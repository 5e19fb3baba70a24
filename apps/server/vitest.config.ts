import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: "test/support/template-database.ts",
    setupFiles: ["test/support/freeze-entities.ts", "test/support/watch-servers.ts"],
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
