import { defineConfig } from "vitest/config";

const shared = { expect: { requireAssertions: true } };

/** They set the zone of their process, and formatters keep the zone that they were created in. */
const ZONES = "src/{charts/{axes,components},ui/time-text}.test.ts";

// Pure files and the built ones. Tests that need a browser run in Playwright, in `test/*.spec.ts`.
export default defineConfig({
  test: {
    projects: [
      { test: { ...shared, name: "zones", include: [ZONES] } },
      // Starting a process takes longer than most files' tests.
      { test: { ...shared, name: "web", include: ["src/**/*.test.ts", "test/**/*.test.ts"], exclude: [ZONES], isolate: false } },
    ],
  },
});
