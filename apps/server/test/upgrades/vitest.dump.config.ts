import { defineConfig } from "vitest/config";

/** Runs the script that leaves a dump. It is not a test. */
export default defineConfig({
  test: {
    globalSetup: "test/support/template-database.ts",
    include: ["test/upgrades/leave-dump.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
