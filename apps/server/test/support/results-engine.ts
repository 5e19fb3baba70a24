import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { createPartitions } from "../../src/evaluation/events/event-partitions.ts";
import { likenessKey, METRICS_PER_STATEMENT } from "../../src/results/plans/load-parts.ts";
import type { Plan } from "../../src/results/plans/plan.ts";
import type { Analysis } from "../../src/results/sql/analysis.ts";
import { clickhouse } from "../../src/results/sql/clickhouse-dialect.ts";
import { CLICKHOUSE_TABLES } from "../../src/results/sql/clickhouse-tables.ts";
import { type Dialect, postgres } from "../../src/results/sql/dialect.ts";
import { type MomentsRow, momentsQuery } from "../../src/results/sql/moments-query.ts";
import type { Statement } from "../../src/results/sql/statement.ts";
import { startClickHouse, startTestCluster } from "./clickhouse.ts";
import { createTestDatabase } from "./database.ts";
import type { Exposure } from "./exposure.ts";
import { needs } from "./needs.ts";
import type { Logged } from "./reference-events.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The engine that computes results in this run; the database by default. */
    resultsEngine?: "clickhouse" | "cluster";
  }
}

const DAY_MS = 86_400_000;
const engine = inject("resultsEngine");
const isClickHouse = engine !== undefined;

/** The needs of results tests: `describe("…", onEngine, …)`. */
export const onEngine = engine === "cluster" ? needs.clickhouseCluster : engine === "clickhouse" ? needs.clickhouse : {};

/** Everything that happened in a project. */
export type World = { exposures: Exposure[]; events: Logged[]; checks?: Checked[] };

/** That a rule of a gate, or a holdout, let a unit pass or fail. */
export type Checked = {
  entityType: "gate" | "holdout";
  entityID: string;
  ruleID: string;
  passed: boolean;
  unitID: string;
  firstTime: number;
};

/** An engine that computes results, with its own tables. */
export type ResultsEngine = {
  dialect: Dialect;
  /** Stores exposures, events and checks. All events arrive today. */
  store(projectID: string, world: World): Promise<void>;
  ask<Row>(statement: Statement): Promise<Row[]>;
  /** Runs a statement without an answer. */
  command(text: string): Promise<void>;
  close(): Promise<void>;
};

/** The moments of plans, which statements compute together as those of a load do; on Postgres, all are computed by one. */
export async function computeMoments({ dialect, ask }: ResultsEngine, plans: readonly Plan[], analysis: Analysis): Promise<MomentsRow[]> {
  const parts = new Map<string, number[]>();
  for (const [index, plan] of plans.entries()) {
    const likeness = isClickHouse ? likenessKey(plan) : "";
    parts.set(likeness, [...(parts.get(likeness) ?? []), index]);
  }
  const most = isClickHouse ? METRICS_PER_STATEMENT : plans.length;
  const rows: MomentsRow[] = [];
  for (const part of parts.values()) {
    for (let at = 0; at < part.length; at += most) {
      const indexes = part.slice(at, at + most);
      const own = indexes.map((index) => plans[index] as Plan);
      const found = await ask<MomentsRow>(momentsQuery(own, analysis, dialect));
      for (const row of found) rows.push({ ...row, metric: indexes[Number(row.metric)] as number });
    }
  }
  return rows;
}

export function openEngine(): Promise<ResultsEngine> {
  if (engine === "cluster") return openCluster();
  return engine === "clickhouse" ? openClickHouse() : openDatabase();
}

export async function openDatabase(): Promise<ResultsEngine> {
  const database = await createTestDatabase();
  await createPartitions(database).require(Math.floor(Date.now() / DAY_MS));
  return {
    dialect: postgres,
    async store(projectID, world) {
      const { exposures, events, checks } = toRows(projectID, world);
      await database.prisma.checkExposure.createMany({ data: checks });
      await database.prisma.experimentExposure.createMany({ data: exposures });
      await database.prisma.event.createMany({ data: events });
    },
    ask: <Row>({ text, parameters }: Statement) => database.prisma.$queryRawUnsafe<Row[]>(text, ...parameters.map(({ value }) => value)),
    command: async (text) => void (await database.prisma.$executeRawUnsafe(text)),
    close: () => database.close(),
  };
}

export async function openClickHouse(): Promise<ResultsEngine> {
  const { client, close } = await startClickHouse();
  for (const query of CLICKHOUSE_TABLES) await client.command({ query });
  return {
    dialect: clickhouse,
    async store(projectID, world) {
      const { exposures, events, checks } = toRows(projectID, world);
      if (checks.length > 0) await client.insert({ table: "check_exposure", values: checks, format: "JSONEachRow" });
      if (exposures.length > 0) await client.insert({ table: "experiment_exposure", values: exposures, format: "JSONEachRow" });
      if (events.length > 0) await client.insert({ table: "event", values: events, format: "JSONEachRow" });
    },
    async ask<Row>({ text: query, parameters }: Statement) {
      const query_params = Object.fromEntries(parameters.map(({ value }, index) => [`p${index + 1}`, value]));
      const result = await client.query({ query, query_params, format: "JSONEachRow", clickhouse_settings: clickhouse.settings });
      return result.json<Row>();
    },
    command: async (query) => void (await client.command({ query })),
    close,
  };
}

/** Two shards, with the client and the tables of the server itself. */
async function openCluster(): Promise<ResultsEngine> {
  const { clickhouse, close } = await startTestCluster();
  const insert = (table: string, rows: object[]) =>
    rows.length > 0 ? clickhouse.insert(table, rows.map((row) => JSON.stringify(row)).join("\n"), randomUUID()) : undefined;
  return {
    dialect: clickhouse.dialect,
    async store(projectID, world) {
      const { exposures, events, checks } = toRows(projectID, world);
      await insert("check_exposure", checks);
      await insert("experiment_exposure", exposures);
      await insert("event", events);
    },
    ask: <Row>({ text, parameters }: Statement) =>
      clickhouse.ask<Row>(
        text,
        parameters.map(({ value }) => value),
        { timeoutMs: 120_000, signal: new AbortController().signal },
      ),
    command: (text) => clickhouse.command(text),
    close,
  };
}

function toRows(projectID: string, { exposures, events, checks = [] }: World) {
  const day = Math.floor(Date.now() / DAY_MS);
  return {
    checks: checks.map((one) => ({ projectID, environment: "production", userFields: "{}", ...one })),
    exposures: exposures.map(({ unit, group, time, country, custom, environment = "production", experiment = "e" }) => ({
      ...{ projectID, experimentID: experiment, groupID: group, unitID: unit, firstTime: time, environment },
      userFields: JSON.stringify({ country, custom }),
    })),
    events: events.map(({ id, unit, name, time, value, metadata, country, customIDs }) => ({
      ...{ projectID, id, name, time, day, source: "test", userID: unit, value, environment: "production" },
      ...{ metadata: JSON.stringify(metadata), userFields: JSON.stringify({ country }) },
      ...(customIDs && { customIDs: JSON.stringify(customIDs) }),
    })),
  };
}
