import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { expect: { requireAssertions: true }, include: ["test/**/*.test.mjs"], testTimeout: 120_000, hookTimeout: 120_000 },
});
