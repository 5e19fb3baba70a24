import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLUSTER } from "../../../../engines/clickhouse/cluster.mjs";
import { openClickHouse } from "../../src/clickhouse/clickhouse.ts";
import { prepareClickHouse } from "../../src/clickhouse/with-clickhouse.ts";
import type { Plan } from "../../src/results/plans/plan.ts";
import type { Analysis } from "../../src/results/sql/analysis.ts";
import { inPlace } from "../../src/results/sql/clickhouse-tables.ts";
import { type MomentsRow, momentsQuery } from "../../src/results/sql/moments-query.ts";
import type { ClickHouse } from "../../src/store/database/engines.ts";
import { startTestCluster } from "../support/clickhouse.ts";
import { buildAnalysis, DAY_MS, START, TODAY } from "../support/moments.ts";
import { needs } from "../support/needs.ts";
import { mean, one, PLANS } from "../support/plans.ts";

const COUNT = mean(one);
const users = Array.from({ length: 100 }, (_, index) => `user ${index}`);
const lines = (rows: object[]) => rows.map((row) => JSON.stringify(row)).join("\n");
const exposures = (projectID: string) =>
  lines(
    users.map((unitID, index) => ({
      ...{ projectID, experimentID: "e", groupID: index % 2 === 0 ? "control" : "test" },
      ...{ unitID, firstTime: START, environment: "production" },
    })),
  );
/** As many events of each user as its number, and one. */
const events = (projectID: string) =>
  lines(
    users.flatMap((userID, index) =>
      Array.from({ length: index + 1 }, (_, id) => ({
        ...{ projectID, name: "buy", time: START + DAY_MS, id, day: TODAY, source: "test", userID, value: "1" },
        ...{ environment: "production", metadata: "{}" },
      })),
    ),
  );
/** The events of each group by the end: 50 users, with 1 + 3 + … + 99 and 2 + 4 + … + 100 events. */
const EXPECTED = { control: { n: 50, y: 2_500 }, test: { n: 50, y: 2_550 } };

let own: Awaited<ReturnType<typeof startTestCluster>>;
beforeAll(async () => {
  own = await startTestCluster();
});
afterAll(() => own?.close());

async function readCounts(clickhouse: ClickHouse, projectID: string) {
  const { text, parameters } = momentsQuery([COUNT], buildAnalysis(projectID), clickhouse.dialect);
  const values = parameters.map(({ value }) => value);
  const found: Record<string, { n: number; y: number }> = {};
  for (const { grp, n, y } of await clickhouse.ask<MomentsRow>(text, values)) {
    const sums = found[grp] ?? { n: 0, y: 0 };
    found[grp] = { n: sums.n + n, y: sums.y + y };
  }
  return found;
}

/** Stores rows on one server, regardless of the shard they belong to. */
async function storeOn(index: number, table: string, rows: string) {
  const alone = openClickHouse((own.cluster.urls[index] as string).replace("http:", "clickhouse:"));
  await alone.insert(`${table}_local`, rows, randomUUID());
  await alone.close();
}

describe("results of users in a cluster", needs.clickhouseCluster, () => {
  test("add up over shards when each joins its own users with their events", async () => {
    await own.clickhouse.insert("experiment_exposure", exposures("divided"), "divided");
    await own.clickhouse.insert("event", events("divided"), "divided");
    expect(await readCounts(own.clickhouse, "divided")).toEqual(EXPECTED);
    // If a shard asked others about events, each event would count for both of its copies.
    await own.clickhouse.insert("experiment_exposure", exposures("copied"), "copied");
    for (const index of [0, 1]) await storeOn(index, "event", events("copied"));
    expect(await readCounts(own.clickhouse, "copied")).toEqual(EXPECTED);
  });

  test("have events wherever they are, as soon as the cluster has other shards than when its tables were created", async () => {
    await own.clickhouse.insert("experiment_exposure", exposures("left"), "left");
    await storeOn(0, "event", events("left"));
    expect(await readCounts(own.clickhouse, "left")).not.toEqual(EXPECTED);
    await own.clickhouse.command(`alter table ${inPlace("event", CLUSTER)} modify comment 'Rows are divided among 127.0.0.1:1'`);
    const prepared = await prepareClickHouse(own.clickhouse);
    expect(prepared.dialect.shards).toBeUndefined();
    expect(await readCounts(prepared, "left")).toEqual(EXPECTED);
  });

  test.each<[string, Plan[], Partial<Analysis>]>([
    ["of units of another type", [COUNT], { idType: "companyID" }],
    ["with outliers bounded by the values of all units", [COUNT, PLANS["a winsorised sum"] as Plan], {}],
    ["with only the denominator bounded", [{ ...COUNT, denominator: { ...COUNT.numerator, bounds: { high: 0.9 } } }], {}],
    ["of units that are given", [COUNT], { units: "[]" }],
  ])("are joined by the server that is asked for metrics %s", (_, plans, rest) => {
    const { text } = momentsQuery(plans, { ...buildAnalysis("p"), ...rest }, own.clickhouse.dialect);
    expect(text).not.toContain("cluster(");
  });
});
