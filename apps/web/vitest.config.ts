import { defineConfig } from "vitest/config";

// Pure files. What needs a browser is tested by Playwright, in `test/`.
export default defineConfig({ test: { include: ["src/**/*.test.ts"], expect: { requireAssertions: true } } });
