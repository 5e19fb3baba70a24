import { defineConfig } from "vitest/config";

// Pure files and the built ones. Tests that need a browser run in Playwright, in `test/*.spec.ts`.
export default defineConfig({ test: { include: ["src/**/*.test.ts", "test/**/*.test.ts"], expect: { requireAssertions: true } } });
