import { defineConfig } from "vitest/config";

// Each test runs many commands, and machines that run tests are busy.
export default defineConfig({ test: { expect: { requireAssertions: true }, testTimeout: 120_000, hookTimeout: 120_000 } });
