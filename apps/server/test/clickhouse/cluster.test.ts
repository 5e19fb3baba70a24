import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLUSTER, startCluster } from "../../../../engines/clickhouse/cluster.mjs";
import { openClickHouse } from "../../src/clickhouse/clickhouse.ts";
import { prepareClickHouse } from "../../src/clickhouse/with-clickhouse.ts";
import { deletionStatement } from "../../src/console/events/outbox-store.ts";
import { clusterTables, inPlace } from "../../src/results/sql/clickhouse-tables.ts";
import { momentsQuery } from "../../src/results/sql/moments-query.ts";
import { isConnectionLoss } from "../../src/store/database/database-errors.ts";
import { createQuietClient, readRows, startTestCluster } from "../support/clickhouse.ts";
import { buildAnalysis } from "../support/moments.ts";
import { needs } from "../support/needs.ts";
import { mean, one } from "../support/plans.ts";

const DAY = 20_000;
const event = (userID: string, rest: object = {}) => ({
  ...{
    projectID: "p",
    name: "buy",
    time: DAY * 86_400_000,
    id: 1,
    day: DAY,
    source: "test",
    userID,
    value: "1",
    environment: "production",
  },
  ...{ metadata: "{}", ...rest },
});
const exposure = (unitID: string, firstTime = 1) => ({
  ...{ projectID: "p", experimentID: "e", groupID: "g", unitID, firstTime, environment: "production" },
});
/** That of the docs. */
const DIVISION = "Rows are divided among clickhouse1:9000, clickhouse2:9000";
const lines = (rows: object[]) => rows.map((row) => JSON.stringify(row)).join("\n");
const users = Array.from({ length: 100 }, (_, index) => `user ${index}`);

describe("a cluster of two shards", needs.clickhouseCluster, () => {
  let own: Awaited<ReturnType<typeof startTestCluster>>;
  beforeAll(async () => {
    own = await startTestCluster();
  });
  afterAll(() => own?.close());

  /** The answers of each shard about its own part. */
  const ofShards = async <Row>(query: string) =>
    Promise.all(
      own.cluster.urls.map(async (url) => {
        const client = createQuietClient(url);
        const rows = await readRows<Row>(client, query);
        await client.close();
        return rows;
      }),
    );
  const count = async (from: string) => (await own.clickhouse.ask<{ n: number }>(`select count(*) as n from ${from}`, []))[0]?.n;

  test("has a user's events and exposures on the same shard, and those of users without an ID divided by their other IDs", async () => {
    const others = users.map((user) => event("", { customIDs: JSON.stringify({ companyID: user }) }));
    await own.clickhouse.insert("event", lines([...users.map((user) => event(user)), ...others]), "divided events");
    await own.clickhouse.insert("experiment_exposure", lines(users.map((user) => exposure(user))), "divided exposures");
    const [ofEvents, ofExposures] = await Promise.all([
      ofShards<{ id: string }>(`select "userID" as id from event_local where "userID" <> '' order by id`),
      ofShards<{ id: string }>(`select "unitID" as id from experiment_exposure_local order by id`),
    ]);
    expect(ofEvents).toEqual(ofExposures);
    expect(ofEvents.flat().length).toBe(100);
    const sizes = await ofShards<{ n: number }>(`select toInt32(count()) as n from event_local where "userID" = ''`);
    for (const [row] of [...sizes, ...ofEvents.map((rows) => [{ n: rows.length }])]) expect(row?.n).toBeGreaterThan(30);
  });

  test("stores the rows of a token once on each shard, no matter which server is asked", async () => {
    const rows = lines(users.map((user) => event(user, { name: "repeated" })));
    for (let turn = 0; turn < 4; turn++) await own.clickhouse.insert("event", rows, "repeated");
    expect(await count(`event where "name" = 'repeated'`)).toBe(100);
    await own.clickhouse.insert("event", rows, "another token");
    expect(await count(`event where "name" = 'repeated'`)).toBe(200);
  });

  test("stores what a shard that was away lacks when the rows are sent again, and nothing twice", async () => {
    const rows = lines(users.map((user) => event(user, { name: "interrupted" })));
    await own.cluster.kill(1);
    const [first] = own.cluster.urls as [string];
    const direct = openClickHouse(`${first.replace("http:", "clickhouse:")}?cluster=${CLUSTER}`);
    await expect(direct.insert("event", rows, "interrupted")).rejects.toSatisfy(isConnectionLoss);
    // An answer without the rows of a shard would be a wrong one.
    await expect(direct.ask("select count(*) from event", [])).rejects.toSatisfy(isConnectionLoss);
    await direct.close();
    // Such a server can end with a connection that breaks off, so both come back.
    await own.cluster.kill(0);
    await Promise.all([own.cluster.restart(0), own.cluster.restart(1)]);
    await own.clickhouse.insert("event", rows, "interrupted");
    expect(await count(`event where "name" = 'interrupted'`)).toBe(100);
  });

  test("keeps the first exposure of each unit, in any order of arrival", async () => {
    for (const time of [5, 3, 4])
      await own.clickhouse.insert("experiment_exposure", lines(users.map((user) => exposure(`late ${user}`, time))), `at ${time}`);
    const rows = await own.clickhouse.ask(
      `select count(*) as n, sum("firstTime") as total from experiment_exposure where startsWith("unitID", 'late')`,
      [],
    );
    expect(rows).toEqual([{ n: 100, total: 300 }]);
  });

  test("drops a day, deletes rows and empties a table on every server", async () => {
    const rows = users.flatMap((user) => [0, 1, 2].map((days) => event(user, { name: "dropped", day: DAY + 10 + days })));
    await own.clickhouse.insert("event", lines(rows), "dropped");
    const dropped = () => count(`event where "name" = 'dropped'`);
    expect(await dropped()).toBe(300);
    await own.clickhouse.command(`alter table ${inPlace("event", CLUSTER)} drop partition ${DAY + 11}`);
    expect(await dropped()).toBe(200);
    const before = await count("event");
    await own.clickhouse.command(deletionStatement({ table: "event", where: { projectID: "p", name: "dropped" } }, CLUSTER));
    expect([await dropped(), await count("event")]).toEqual([0, (before as number) - 200]);
    await own.clickhouse.insert("check_exposure", lines(users.map((unitID) => ({ ...exposure(unitID), passed: true }))), "checks");
    expect(await count("check_exposure")).toBe(100);
    await own.clickhouse.command(`truncate table ${inPlace("check_exposure", CLUSTER)}`);
    expect(await count("check_exposure")).toBe(0);
  });

  test("is prepared again at every start, and is never confused with a single server", async () => {
    await prepareClickHouse(own.clickhouse);
    const [first] = own.cluster.urls as [string];
    const single = openClickHouse(first.replace("http:", "clickhouse:"));
    await expect(prepareClickHouse(single)).rejects.toThrow(
      "The table check_exposure of the database default is of a cluster, which GATEHOUSE_EVENTS_URL does not name.",
    );
    await single.command("create database alone");
    const alone = `${first.replace("http:", "clickhouse:")}/alone`;
    const [before, after] = [openClickHouse(alone), openClickHouse(`${alone}?cluster=${CLUSTER}`)];
    await prepareClickHouse(before);
    await expect(prepareClickHouse(after)).rejects.toThrow(
      "The table check_exposure of the database alone is of one server, not of a cluster.",
    );
    const unknown = openClickHouse(`${first.replace("http:", "clickhouse:")}?cluster=nowhere`);
    await expect(prepareClickHouse(unknown)).rejects.toThrow(
      "GATEHOUSE_EVENTS_URL names the cluster nowhere, which ClickHouse does not know.",
    );
    await Promise.all([single, before, after, unknown].map((one) => one.close()));
  });
});

describe("replicated tables", needs.clickhouseCluster, () => {
  const config =
    "<zookeeper><implementation>testkeeper</implementation></zookeeper><macros><shard>{number}</shard><replica>a</replica></macros>";

  test("are created on servers with the macros of replicas", async () => {
    const own = await startTestCluster({ config });
    const engines = await own.clickhouse.ask<{ name: string; engine: string }>(
      "select name, engine from system.tables where database = currentDatabase() and endsWith(name, '_local') order by name",
      [],
    );
    expect(engines).toEqual([
      { name: "check_exposure_local", engine: "ReplicatedReplacingMergeTree" },
      { name: "dropped_event_day_local", engine: "ReplicatedReplacingMergeTree" },
      { name: "event_local", engine: "ReplicatedMergeTree" },
      { name: "experiment_exposure_local", engine: "ReplicatedReplacingMergeTree" },
      { name: "kept_event_local", engine: "ReplicatedMergeTree" },
    ]);
    await own.close();
  });
});

describe("the docs of a cluster", needs.clickhouseCluster, () => {
  const docs = readFileSync(new URL("../../../../docs/operate/clickhouse.md", import.meta.url), "utf8");
  const written = (start: string) => docs.split(/;\n|(?<!\))\n/).filter((line) => line.startsWith(start));

  test("name the statements that create the tables", () => {
    const own = clusterTables({ name: "events", isReplicated: false, division: DIVISION }, "gatehouse").filter((text) =>
      text.includes(" experiment_exposure"),
    );
    expect(own).toHaveLength(2);
    for (const text of own) expect(docs).toContain(`${text};\n`);
  });

  test("name every right that a user needs on servers that demand them, and no other", async () => {
    const grants = written("grant on cluster events ").map((text) => text.replace("on cluster events ", "").replace(" to gatehouse", ""));
    expect(grants).toHaveLength(8);
    /** The first Gatehouse operation refused to a user with these rights, if any. */
    const refusals = async (rights: string[]): Promise<string | undefined> => {
      const cluster = await startCluster({ grants: rights });
      const admin = openClickHouse(`${cluster.url.replace("http:", "clickhouse:")}?cluster=${CLUSTER}`);
      await admin.command(`create database gatehouse on cluster "${CLUSTER}"`);
      const user = openClickHouse(`${cluster.url.replace("http://", "clickhouse://gatehouse:secret@")}/gatehouse?cluster=${CLUSTER}`);
      try {
        const { dialect } = await prepareClickHouse(user);
        await user.insert("event", lines(users.map((name) => event(name))), "x");
        await user.insert("experiment_exposure", lines(users.map((name) => exposure(name))), "x");
        await user.ask("select count(*) from event join experiment_exposure on true", []);
        const { text, parameters } = momentsQuery([mean(one)], buildAnalysis("p"), dialect);
        expect(text).toContain("view(");
        await user.ask(
          text,
          parameters.map(({ value }) => value),
        );
        await user.command(deletionStatement({ table: "event", where: { projectID: "none" } }, CLUSTER));
        await user.command(`alter table ${inPlace("event", CLUSTER)} drop partition ${DAY}`);
        await user.command(`truncate table ${inPlace("event", CLUSTER)}`);
        return undefined;
      } catch (error) {
        return (error as Error).message;
      } finally {
        await Promise.all([admin.close(), user.close()]);
        await cluster.remove();
      }
    };
    expect(await refusals(grants)).toBeUndefined();
    // No queue of DDL asks for the right to write into it.
    for (const grant of grants.filter((text) => !text.includes("cluster on")))
      expect(await refusals(grants.filter((other) => other !== grant)), grant).toContain("Not enough privileges");
  });

  test("divide exposures again", async () => {
    const own = await startTestCluster({ count: 3 });
    const [first] = own.cluster.urls as [string];
    const everywhere = own.clickhouse;
    // As if the third server were new: the first two have the rows, each in another place than three shards have it.
    const rows = users.flatMap((user) => [exposure(user, 5), exposure(user, 3)]);
    const onFirst = openClickHouse(first.replace("http:", "clickhouse:"));
    await onFirst.insert("experiment_exposure_local", lines(rows), "old");
    await everywhere.insert("experiment_exposure", lines(users.map((user) => exposure(user, 4))), "new");
    const total = async () => everywhere.ask(`select count(*) as n, sum("firstTime") as total from experiment_exposure`, []);
    expect(await total()).not.toEqual([{ n: 100, total: 300 }]);
    for (const line of [...written("rename table "), "", ...written("insert into "), ...written("drop table ")]) {
      const statement = line.replace("'events'", `'${CLUSTER}'`).replace('"events"', `"${CLUSTER}"`).replace("'gatehouse'", "'default'");
      await (statement === "" ? prepareClickHouse(everywhere) : everywhere.command(statement));
    }
    expect(await total()).toEqual([{ n: 100, total: 300 }]);
    await onFirst.close();
    await own.close();
  });
});
