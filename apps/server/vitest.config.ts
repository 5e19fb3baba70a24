import { defineConfig } from "vitest/config";
import { SkipsReporter } from "../../scripts/skips-reporter.mjs";
import { StatusesReporter } from "./test/support/statuses-reporter.ts";

const shared = {
  setupFiles: ["test/support/freeze-entities.ts", "test/support/watch-servers.ts"],
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { requireAssertions: true, poll: { timeout: 60_000 } },
};

/** SDKs keep state in their modules and in `globalThis`, so each of these files has a process of its own. */
const SDKS = "test/sdk/**/*.test.ts";
/** What does not depend on the kind of database: CI runs these on the embedded one alone. */
const DIFFERENTIAL = "test/sdk/differential.test.ts";
const DATABASE_FREE = ["src/**/*.test.ts", "test/startup/{docs,web*}.test.ts"];
/** What takes long, and does not depend on the kind of database either: CI runs these on Postgres alone. */
const SWEEPS = ["batch-sweep", "contract", "key-reach-sweep", "permissions*", "request-bounds", "write-limits"].map(
  (name) => `test/*/${name}.test.ts`,
);
const leftToPostgres = process.env.CI && !process.env.TEST_DATABASE_URL ? [SDKS, ...SWEEPS] : [];
/** The CPU time of a request depends on what its process keeps in memory, through which the garbage collector goes. So each has its own. */
const COSTS = "test/contract/*body-costs.test.ts";
/** What earlier releases left must still be answered as they did: `pnpm upgrade-test`. */
const UPGRADES = "test/upgrades/**/*.test.ts";
/** What needs a ClickHouse, whatever the database: also the tests of results, which run on the database in another project. */
const CLICKHOUSE = ["test/clickhouse/**/*.test.ts", "test/sql/**/*.test.ts"];

export default defineConfig({
  test: {
    globalSetup: "test/support/template-database.ts",
    reporters: ["default", new StatusesReporter(), new SkipsReporter()],
    maxWorkers: 2,
    projects: [
      { test: { ...shared, name: "differential", include: [DIFFERENTIAL] } },
      { test: { ...shared, name: "sdk", include: [SDKS], exclude: [DIFFERENTIAL, ...leftToPostgres] } },
      { test: { ...shared, name: "costs", include: [COSTS] } },
      { test: { ...shared, name: "upgrade", include: [UPGRADES] } },
      {
        test: {
          ...shared,
          name: "clickhouse",
          include: CLICKHOUSE,
          isolate: false,
          testTimeout: 600_000,
          provide: { resultsEngine: "clickhouse" },
        },
      },
      {
        test: {
          ...shared,
          name: "cluster",
          include: ["test/sql/**/*.test.ts"],
          // A warehouse is a server of its own.
          exclude: ["test/sql/{assignments,day-rows,refined-units,warehouse}.test.ts"],
          isolate: false,
          testTimeout: 600_000,
          provide: { resultsEngine: "cluster" },
        },
      },
      // Two processes run these files one after the other: loading the server and compiling its contract take longer than most files' tests.
      { test: { ...shared, name: "database-free", include: DATABASE_FREE, isolate: false } },
      {
        test: {
          ...shared,
          name: "server",
          include: ["test/**/*.test.ts"],
          exclude: [SDKS, COSTS, UPGRADES, "test/clickhouse/**", ...DATABASE_FREE, ...leftToPostgres],
          isolate: false,
        },
      },
    ],
  },
});
