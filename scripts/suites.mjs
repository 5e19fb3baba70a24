// The suites, with their engines and requirements. `scripts/run-suites.mjs` runs them, CONTRIBUTING.md describes them.
import { existsSync } from "node:fs";
import { findBinaries } from "./postgres.mjs";

const inPath = (name) => [...(process.env.PATH ?? "").split(":"), "/usr/sbin"].some((folder) => existsSync(`${folder}/${name}`));
const BROWSERS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

/** The software that suites need, with the Debian package that has it. */
const software = {
  postgres: { title: "Postgres", package: "postgresql", isInstalled: () => findBinaries() !== undefined },
  pgbouncer: { title: "PgBouncer", package: "pgbouncer", isInstalled: () => inPath("pgbouncer") },
  chromium: {
    title: "a headless Chromium (or GATEHOUSE_CHROMIUM)",
    package: "chromium-headless-shell",
    isInstalled: () => Boolean(process.env.GATEHOUSE_CHROMIUM) || BROWSERS.some(inPath),
  },
  clickhouse: {
    title: "Debian's ClickHouse",
    package: "clickhouse-server",
    isInstalled: () => inPath("clickhouse-server"),
  },
};

const pnpm = (command) => `npx --yes pnpm@12 ${command}`;
const server = (command) => pnpm(`--filter @gatehouse/server exec ${command}`);
const onPostgres = (command) => `node scripts/with-postgres.mjs ${command}`;
const onPgBouncer = (command) => `node scripts/with-pgbouncer.mjs ${command}`;
const onNode = (version) => `npx --yes node@${version} scripts/run-suites.mjs install embedded postgres sdk`;

/** The main file of the published server, from the folder of another package. */
const PACKAGED = "../apps/server/build/package/dist/bin.mjs";

/** Through PgBouncer by day: a write of each sort, notifications, sessions, and idempotency. */
const POOLED = [
  "contract/sample",
  "database/pooler",
  "database/replicas",
  "events/event-intake",
  "writes/concurrency",
  "writes/idempotency",
  "people/sessions",
];

/** Every suite by name: its commands run one after the other. */
export const suites = {
  install: { title: "Install the workspace", commands: [pnpm("install --frozen-lockfile")] },
  check: { title: "Check format, lint, contract, types, packages and unused code", commands: [pnpm("check")] },
  build: { title: "Build", commands: [pnpm("build")] },
  embedded: { title: "Unit tests, and the server on the embedded database", commands: [pnpm("test")] },
  postgres: { title: "The server on Postgres", needs: ["postgres"], commands: [onPostgres(server("vitest run --project server"))] },
  sdk: { title: "Applications with SDKs", needs: ["postgres"], commands: [onPostgres(server("vitest run --project sdk"))] },
  web: {
    title: "The web console in a browser",
    needs: ["chromium"],
    commands: [pnpm("--filter @gatehouse/web test:browser --grep-invert @night")],
  },
  upgrades: { title: "Upgrades of each released version", needs: ["postgres"], commands: [pnpm("upgrade-test")] },
  pgbouncer: {
    title: "Writes, notifications and sessions through PgBouncer",
    needs: ["postgres", "pgbouncer"],
    commands: [onPgBouncer(server(`vitest run --project server ${POOLED.map((name) => `test/${name}`).join(" ")}`))],
  },
  clickhouse: { title: "Events and results on ClickHouse", commands: [pnpm("clickhouse")] },
  package: {
    title: "The published server: an installation, and 3,000 generated requests",
    needs: ["postgres"],
    commands: [
      pnpm("--filter @gatehouse/server package"),
      server("vitest run --project package"),
      onPostgres(pnpm(`--filter @gatehouse/fuzz fuzz 3000 --server ${PACKAGED}`)),
    ],
  },
  deploy: {
    title: "What is deployed to Kubernetes and with Compose",
    commands: [pnpm("--dir engines/kubernetes install --frozen-lockfile"), pnpm("--dir engines/kubernetes test")],
  },
  faults: {
    title: "Three replicas under load, once through every fault",
    needs: ["postgres"],
    commands: [pnpm("--filter @gatehouse/faults faults --seconds 1")],
  },

  "all-embedded": {
    title: "Every test of the server on the embedded database, with every seed",
    commands: [`TEST_SEEDS=all ${server("vitest run --project server --project sdk")}`],
  },
  "all-web": {
    title: "Every test of the web console in a browser",
    needs: ["chromium"],
    commands: [pnpm("--filter @gatehouse/web test:browser")],
  },
  "all-pgbouncer": {
    title: "Every test of the server through PgBouncer",
    needs: ["postgres", "pgbouncer"],
    commands: [onPgBouncer(server("vitest run --project server"))],
  },
  costs: {
    title: "CPU time of the most expensive bodies",
    needs: ["postgres"],
    commands: [onPostgres(server("vitest run --project costs --no-file-parallelism"))],
  },
  calibration: {
    title: "False positives of every verdict, 20,000 A/A tests for each population, split and size",
    commands: [`CALIBRATION_RUNS=20000 ${pnpm("--filter @gatehouse/statistics exec vitest run test/calibration")}`],
  },
  cluster: {
    title: "ClickHouse with every seed, in a cluster, and Debian's server",
    needs: ["clickhouse"],
    commands: [pnpm("clickhouse:all")],
  },
  "long-fuzz": {
    title: "100,000 generated requests",
    needs: ["postgres"],
    commands: [pnpm("--filter @gatehouse/server package"), onPostgres(pnpm(`--filter @gatehouse/fuzz fuzz 100000 --server ${PACKAGED}`))],
  },
  "long-faults": {
    title: "Ten minutes of faults on Postgres, and every fault on the embedded database and with ClickHouse",
    needs: ["postgres"],
    commands: [
      pnpm("--filter @gatehouse/faults faults --seconds 600"),
      pnpm("--filter @gatehouse/faults faults --seconds 1 --embedded"),
      pnpm("--dir engines/clickhouse install --frozen-lockfile"),
      pnpm("--filter @gatehouse/faults faults --seconds 1 --clickhouse"),
    ],
  },
  "rolling-upgrade": {
    title: "The previous release beside this one, under load",
    needs: ["postgres"],
    commands: ["node scripts/rolling-upgrade.mjs"],
  },
  "node-20": { title: "Node 20", needs: ["postgres"], commands: [onNode(20)] },
  "node-22": { title: "Node 22", needs: ["postgres"], commands: [onNode(22)] },
  "node-24": { title: "Node 24", needs: ["postgres"], commands: [onNode(24)] },
};

/** Suites that run together: lists run beside each other, and the suites of a list one after the other. */
export const groups = {
  all: [
    // Three lists for two cores: some suites mostly wait, for example for an SDK that polls.
    ["postgres"],
    ["web", "upgrades", "pgbouncer", "package", "faults"],
    ["embedded", "clickhouse", "sdk", "deploy"],
  ],
  night: [
    [
      "all-embedded",
      "all-web",
      "all-pgbouncer",
      "costs",
      "calibration",
      "cluster",
      "long-fuzz",
      "long-faults",
      "rolling-upgrade",
      "node-20",
      "node-22",
      "node-24",
    ],
  ],
};

/** The software that a suite needs and this machine lacks. */
export const missingFor = ({ needs = [] }) => needs.map((name) => software[name]).filter(({ isInstalled }) => !isInstalled());
