import { existsSync } from "node:fs";
import { isClusterInstalled } from "../../../../engines/clickhouse/cluster.mjs";
import { isEngineInstalled, isServerInstalled } from "../../../../engines/clickhouse/start.mjs";
import { findChromium } from "./browser.ts";
import { isPooled, onClickHouse, onPostgres } from "./database.ts";
import { hasPostgres } from "./own-postgres.ts";

declare module "vitest" {
  interface TaskMeta {
    /** The requirement of a test or suite, such as `a Postgres server`. */
    needs?: string;
  }
}

/** Data of other implementations, next to the repository. */
export const sharedData = new URL("../../../../../shared/data/", import.meta.url);

/** Options of a test or suite that is skipped without its requirement. */
function need(isThere: boolean, needs: string) {
  return { skip: !isThere, meta: { needs } };
}

/** The requirements of some tests: `test("…", needs.postgres, …)`. The last line of a run lists skipped tests. */
export const needs = {
  postgres: need(onPostgres, "a Postgres server (set TEST_DATABASE_URL)"),
  installedPostgres: need(onPostgres && hasPostgres, "a Postgres server (set TEST_DATABASE_URL) and the binaries of Postgres"),
  /** Tests of how the database stores events. */
  ownEvents: need(!onClickHouse, "events in the database (unset TEST_EVENTS_URL)"),
  /** For tests with their own server, regardless of the run's database. */
  postgresBinaries: need(hasPostgres, "the binaries of Postgres"),
  /** For tests of processes that use the embedded database in every run: on Postgres they would prove the same again. */
  embedded: need(!onPostgres, "the embedded database (unset TEST_DATABASE_URL)"),
  /** Samples of values that a direct connection to Postgres has as a whole. */
  embeddedOrPooler: need(!onPostgres || isPooled, "the embedded database or a transaction pooler (unset TEST_DATABASE_URL)"),
  notifications: need(!isPooled, "a database that sends notifications (unset TEST_POOLER_URL)"),
  pooler: need(isPooled, "a transaction pooler (set TEST_POOLER_URL)"),
  /** CI must have it. */
  chromium: need(findChromium() !== undefined || process.env.CI !== undefined, "Chromium (install it, or set GATEHOUSE_CHROMIUM)"),
  clickhouse: need(isEngineInstalled, "ClickHouse's engine (run pnpm clickhouse)"),
  clickhouseCluster: need(isClusterInstalled, "ClickHouse's engine (run pnpm clickhouse)"),
  clickhouseServer: need(isServerInstalled, "Debian's clickhouse-server"),
  sharedData: need(existsSync(sharedData), "../shared/data"),
  linux: need(process.platform === "linux", "Linux"),
  mount: (isMounted: boolean) => need(isMounted, "permission to mount a volume"),
  allSeeds: need(process.env.DIFFERENTIAL_SEED === undefined, "all random projects (unset DIFFERENTIAL_SEED)"),
};
