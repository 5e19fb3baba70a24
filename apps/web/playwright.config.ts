import { availableParallelism } from "node:os";
import { defineConfig } from "@playwright/test";
import { findChromium } from "../server/test/support/browser.ts";
import { ADMINISTRATOR_STATE } from "./test/support/server.ts";

const chromium = findChromium();
// Without Chromium every test is skipped, except in CI.
if (chromium === undefined && process.env.CI !== undefined) throw new Error("CI needs Chromium: install it, or set GATEHOUSE_CHROMIUM.");

/** Machines that run tests are busy. In milliseconds. */
const TEST_TIMEOUT_MS = 300_000;
const WAIT_TIMEOUT_MS = 120_000;

export default defineConfig({
  testDir: "test",
  // Each has its own project on the one server.
  workers: availableParallelism(),
  // A machine that stalls for a minute is not a fault of the console. Tests that pass only on retry are reported as flaky.
  retries: process.env.CI === undefined ? 0 : 1,
  forbidOnly: process.env.CI !== undefined,
  timeout: TEST_TIMEOUT_MS,
  expect: { timeout: WAIT_TIMEOUT_MS },
  reporter: [["list"], ["./test/support/skips-reporter.ts"]],
  use: {
    // A trace of each test would cost as much as the test.
    trace: { mode: "on-first-retry", screenshots: false },
    actionTimeout: WAIT_TIMEOUT_MS,
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      ...(chromium !== undefined && { executablePath: chromium }),
      args: ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
    },
  },
  // One server for the whole run, on a database in memory. Tests find it in its output, as people do.
  ...(chromium !== undefined && {
    webServer: {
      command: "exec node ../server/dist/main.js",
      env: {
        ...(process.env as Record<string, string>),
        PORT: "0",
        DATABASE_URL: "",
        GATEHOUSE_DATA_DIR: "memory",
        LOG_LEVEL: "silent",
        GATEHOUSE_WAREHOUSE_HOSTS: "127.0.0.1",
        GATEHOUSE_WEBHOOK_HOSTS: "127.0.0.1",
        GATEHOUSE_MODEL_HOSTS: "127.0.0.1",
        GATEHOUSE_SECRET_KEY: "a secret key of the browser tests",
      },
      wait: { stdout: /ready at (?<gatehouse_test_url>http:\S+)[\s\S]*?(?<gatehouse_test_token>once-[\w-]+)/ },
    },
  }),
  projects: [
    { name: "first run", testMatch: "*.setup.ts" },
    { name: "console", testMatch: "*.spec.ts", dependencies: ["first run"], use: { storageState: ADMINISTRATOR_STATE } },
  ],
});
