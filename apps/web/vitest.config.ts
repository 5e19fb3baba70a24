import { defineConfig } from "vitest/config";

// Pure files and the built ones. What needs a browser is tested by Playwright, in `test/*.spec.ts`.
export default defineConfig({ test: { include: ["src/**/*.test.ts", "test/**/*.test.ts"], expect: { requireAssertions: true } } });
