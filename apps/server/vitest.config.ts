import { defineConfig } from "vitest/config";
import { SkipsReporter } from "../../scripts/skips-reporter.mjs";
import { StatusesReporter } from "./test/support/statuses-reporter.ts";

const shared = {
  setupFiles: ["test/support/freeze-entities.ts", "test/support/watch-servers.ts"],
  testTimeout: 900_000,
  hookTimeout: 900_000,
  expect: { requireAssertions: true, poll: { timeout: 240_000 } },
};

/** SDKs keep state in their modules and in `globalThis`, so each of these files has its own process. */
const SDKS = "test/sdk/**/*.test.ts";
const UNIT = ["src/**/*.test.ts", "test/startup/{docs*,web*}.test.ts"];
/** The CPU time of a request depends on the memory that the garbage collector has to visit, so each of these files has its own process. */
const COSTS = "test/contract/*body-costs.test.ts";
/** Tests of generated SQL, which run on the database and on ClickHouse. */
const SQL = "test/sql/**/*.test.ts";
/** Tests of several servers of ClickHouse, and of Debian's. */
const CLUSTER = ["test/clickhouse/{cluster*,engines,event-days}.test.ts"];
/** Behavior that can differ on the embedded database: its transactions, its thread, its folder, the start, and reads of many events. */
const EMBEDDED = [
  "test/contract/sample.test.ts",
  "test/database/**/*.test.ts",
  "test/startup/{backup,operator-errors,output,quick-start,serve,start}.test.ts",
  "test/writes/{concurrency,dry-run,idempotency}.test.ts",
  "test/events/{event-back-pressure,event-intake,event-kill,unit-data}.test.ts",
  "test/results/{incremental-loads,stored-days}.test.ts",
];
/** Data of earlier releases must still be answered as they did: `pnpm upgrade-test`. */
const UPGRADES = "test/upgrades/**/*.test.ts";
/** The package packed by `pnpm --filter server package`. */
const PACKAGE = "test/package/**/*.test.ts";

// Files of a project without `isolate` share two processes or more, since loading the server and compiling its contract take longer than most
// files' tests.
export default defineConfig({
  test: {
    globalSetup: ["test/support/built-contract.ts", "test/support/template-database.ts"],
    reporters: ["default", new StatusesReporter(), new SkipsReporter()],
    maxWorkers: "100%",
    projects: [
      { test: { ...shared, name: "unit", include: UNIT, isolate: false } },
      { test: { ...shared, name: "embedded", include: EMBEDDED, isolate: false } },
      {
        test: {
          ...shared,
          name: "server",
          include: ["test/**/*.test.ts"],
          exclude: [SDKS, COSTS, UPGRADES, PACKAGE, "test/clickhouse/**", ...UNIT],
          isolate: false,
        },
      },
      { test: { ...shared, name: "sdk", include: [SDKS] } },
      { test: { ...shared, name: "costs", include: [COSTS] } },
      { test: { ...shared, name: "upgrade", include: [UPGRADES] } },
      { test: { ...shared, name: "package", include: [PACKAGE] } },
      {
        test: {
          ...shared,
          name: "clickhouse",
          include: ["test/clickhouse/**/*.test.ts", SQL],
          exclude: CLUSTER,
          isolate: false,
          testTimeout: 1_200_000,
          provide: { resultsEngine: "clickhouse" },
        },
      },
      {
        test: {
          ...shared,
          name: "cluster",
          include: [...CLUSTER, SQL],
          // A warehouse is a separate server.
          exclude: ["test/sql/{assignments,day-rows,refined-units,warehouse}.test.ts"],
          isolate: false,
          testTimeout: 1_200_000,
          provide: { resultsEngine: "cluster" },
        },
      },
    ],
  },
});
