import { defineConfig } from "vitest/config";
import { SkipsReporter } from "../../scripts/skips-reporter.mjs";
import { StatusesReporter } from "./test/support/statuses-reporter.ts";

const shared = {
  setupFiles: ["test/support/freeze-entities.ts", "test/support/watch-servers.ts"],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { requireAssertions: true },
};

/** SDKs keep state in their modules and in `globalThis`, so each of these files has a process of its own. */
const SDKS = "test/sdk/**/*.test.ts";

export default defineConfig({
  test: {
    globalSetup: "test/support/template-database.ts",
    reporters: ["default", new StatusesReporter(), new SkipsReporter()],
    maxWorkers: 2,
    projects: [
      { test: { ...shared, name: "sdk", include: [SDKS] } },
      // Two processes run these files one after the other: loading the server and compiling its contract take longer than most files' tests.
      { test: { ...shared, name: "server", include: ["src/**/*.test.ts", "test/**/*.test.ts"], exclude: [SDKS], isolate: false } },
    ],
  },
});
