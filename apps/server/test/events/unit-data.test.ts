import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deleteUnitData, downloadUnitData } from "../../src/cli/unit-data.ts";
import { readOutbox } from "../../src/console/events/outbox-store.ts";
import { eventRetention } from "../../src/jobs/event-retention.ts";
import { insufficient, makeKey } from "../support/keys.ts";
import { needs } from "../support/needs.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";
import { NOTHING, unitDataOn } from "../support/unit-data.ts";
import { waitFor } from "../support/wait-for.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

let server: TestServer;
let unitData: ReturnType<typeof unitDataOn>;
beforeAll(async () => {
  server = await startServer();
  unitData = unitDataOn(server);
  await server.client.createUnitIDType({ body: { name: "companyID" } });
  const groups = ["blue", "green"].map((id) => ({ id, name: id, size: 50 }));
  const experiment = { groups, allocation: 100, status: "active" as const };
  await server.client.createExperiment({ body: { name: "colors", ...experiment } });
  await server.client.createExperiment({ body: { name: "prices", ...experiment, idType: "companyID" } });
  const rules = [
    {
      id: "half",
      name: "half",
      passPercentage: 50,
      conditions: [{ type: "user_id" as const, operator: "any" as const, targetValue: ["Ada", "Bob"] }],
    },
  ];
  await server.client.createGate({ body: { name: "checkout", rules } });
  for (const name of ["testers", "others"]) await server.client.createSegment({ body: { name, type: "id_list" } });
  await waitFor(async () => {
    const { body } = await server.send("GET", "/v1/download_config_specs");
    expect(body.feature_gates.map((spec: { name: string }) => spec.name)).toContain("checkout");
  });
});
afterAll(() => server.close());

let value = 0;
/** Logs events, and waits until they can be read: a slow ClickHouse gets them after the answer. */
const log = async (...events: object[]) => {
  await server.evaluation.logEvent({ body: { events: events.map((event) => ({ value: value++, ...event })) } });
  await waitFor(async () => expect(await readOutbox(server.database.db)).toMatchObject({ firstID: null }));
};
const userOf = (userID: string, company?: string) => ({
  userID,
  email: `${userID}@example.com`,
  ...(company && { customIDs: { companyID: company } }),
});
const config = (name: string, user: object) => ({
  eventName: "statsig::config_exposure",
  user,
  metadata: { config: name, ruleID: "blue" },
});
const gate = (user: object) => ({
  eventName: "statsig::gate_exposure",
  user,
  metadata: { gate: "checkout", gateValue: "true", ruleID: "half" },
});
/** Everything that can be stored about a user and a company. */
const logAll = async (userID: string, company: string) => {
  const user = userOf(userID, company);
  await log({ eventName: "buy", user, metadata: { item: "hat" } }, config("colors", user), config("prices", user), gate(user));
  await server.client.addSegmentIDs({ path: { id: "testers" }, body: { ids: [userID] } });
};
const confirmed = async (id: string, unitType = "userID") =>
  waitFor(async () => expect(await unitData.delete(id, unitType)).toMatchObject({ deleted: NOTHING, isPending: false }));
const typesOf = (lines: { type: string }[]) => lines.map(({ type }) => type);
const auditEntries = async (operationID: string) =>
  server.database.prisma.change.findMany({ where: { operationID }, orderBy: { id: "desc" } });

describe("downloadUnitData", () => {
  test("has everything that is stored about a user and omits other users' data", async () => {
    await logAll("Ada", "acme");
    await logAll("Eve", "acme");
    await server.client.updateGateOverrides({ path: { id: "checkout" }, body: { passingUserIDs: ["Zoe", "Ada"], failingUserIDs: [] } });
    const lines = await unitData.readLines("Ada");
    const time = server.clock.now;
    const own = { userID: "Ada", customIDs: { companyID: "acme" }, environment: "production", user: { email: "Ada@example.com" }, time };
    expect(lines.filter(({ type, name }) => type === "event" && name === "buy")).toEqual([
      {
        ...{ type: "event", name: "buy", ...own, value: expect.any(String), source: expect.any(String), metadata: { item: "hat" } },
        ...{ exposed: null, ruleID: null, secondaryExposures: null },
      },
    ]);
    const exposure = { environment: "production", firstTime: time, user: { email: "Ada@example.com" } };
    expect(lines.filter(({ type }) => type !== "event")).toEqual([
      { type: "experiment_exposure", experimentID: "colors", groupID: "blue", ...exposure },
      { type: "check_exposure", entityType: "gate", entityID: "checkout", ruleID: "half", passed: true, ...exposure },
      { type: "segment_id", segmentID: "testers" },
      { type: "configuration", entityType: "gate", entityID: "checkout", property: "rules[0].conditions[0].targetValue[0]" },
      { type: "configuration", entityType: "gate_overrides", entityID: "checkout", property: "passingUserIDs[1]" },
    ]);
    expect(lines.filter(({ type }) => type === "event").map(({ userID }) => userID)).toEqual(["Ada", "Ada", "Ada", "Ada"]);
    // The server compares unit ID types as evaluations do.
    const company = (await unitData.download({ unitType: "companyid", id: "acme" })).text
      .trimEnd()
      .split("\n")
      .slice(1, -1)
      .map((line) => JSON.parse(line));
    expect(typesOf(company)).toEqual([...Array(8).fill("event"), "experiment_exposure"]);
    expect(company.at(-1)).toMatchObject({ experimentID: "prices" });
  });

  test("is a file of JSON lines, and an entry of the audit log without the id", async () => {
    const { headers, text } = await unitData.download({ unitType: "userID", id: "unknown person" });
    const [head, end] = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(end).toEqual({ type: "end", counts: {} });
    expect(["Content-Type", "Content-Disposition", "Cache-Control"].map((name) => headers.get(name))).toEqual([
      "application/x-ndjson; charset=utf-8",
      `attachment; filename="unit-data-${head.receipt}.jsonl"`,
      "no-store",
    ]);
    const [entry] = await auditEntries("downloadUnitData");
    expect(entry).toMatchObject({ entityType: "export", entityID: head.receipt, after: '{"unitType":"userID"}' });
  });

  test("refuses unit ID types that do not exist, ids that nothing can store, and callers without the permission", async () => {
    const error = async (body: object) => (await unitData.download(body)).body.errors;
    expect(await error({ unitType: "cartID", id: "1" })).toEqual([
      { property: "unitType", errorMessage: "references unit ID type cartID, which does not exist" },
    ]);
    for (const id of ["\0", "a\0b", "\ud800", "", "x".repeat(1_025)])
      expect((await unitData.download({ unitType: "userID", id })).status).toBe(400);
    const { key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_only"] });
    expect((await unitData.download({ unitType: "userID", id: "Ada" }, { key })).status).toBe(403);
  });
});

describe("deleteUnitData", () => {
  test("deletes everything that applications sent about a user, keeps other users' data, and lists the remaining configuration", async () => {
    await logAll("Bob", "globex");
    await logAll("Carl", "globex");
    const others = await unitData.readLines("Carl");
    const { deleted, remaining, receipt } = await unitData.delete("Bob");
    expect(deleted).toEqual({ events: 4, keptEvents: 0, experimentExposures: 1, checkExposures: 1, segmentIDs: 1 });
    const place = { entityType: "gate", entityID: "checkout", property: "rules[0].conditions[0].targetValue[1]" };
    expect(remaining).toEqual([place]);
    const [entry] = await auditEntries("deleteUnitData");
    expect(entry).toMatchObject({ entityType: "unit_data", entityID: receipt, version: 0 });
    expect(JSON.parse(entry?.after ?? "")).toEqual({ unitType: "userID", deleted, isComplete: true, remaining: 1 });
    await confirmed("Bob");
    expect(await unitData.readLines("Bob")).toEqual([{ type: "configuration", ...place }]);
    expect(await unitData.readLines("Carl")).toEqual(others);
    expect((await server.client.getSegment({ path: { id: "testers" } })).data.count).toBe(
      (await server.client.getSegmentIDList({ path: { id: "testers" } })).data.ids.length,
    );
  });

  test("counts new events of the unit again", async () => {
    await logAll("Dora", "initech");
    await unitData.delete("Dora");
    await confirmed("Dora");
    await logAll("Dora", "initech");
    expect(typesOf(await unitData.readLines("Dora"))).toEqual([
      ...Array(4).fill("event"),
      "experiment_exposure",
      "check_exposure",
      "segment_id",
    ]);
  });

  test("deletes a company's events together with its users' events, and the exposures of company-level experiments", async () => {
    await logAll("Finn", "umbrella");
    expect((await unitData.delete("umbrella", "COMPANYID")).deleted).toEqual({ ...NOTHING, events: 4, experimentExposures: 1 });
    await confirmed("umbrella", "companyID");
    expect(typesOf(await unitData.readLines("Finn"))).toEqual(["experiment_exposure", "check_exposure", "segment_id"]);
  });

  test("finds and deletes exactly the user and the company, for any characters in their IDs", async () => {
    const strange = [
      "%2F../..%00",
      "..",
      `a"b\\c'; drop table event; --`,
      "日本語 👩‍👩‍👧‍👦",
      "\n\t\u0001\u2028",
      "%_%",
      "{p1:String} $1 ?",
    ];
    const units = ["x".repeat(1_000), "ü".repeat(500), ...strange].flatMap((id) =>
      ["userID", "companyID"].map((unitType) => ({ id, unitType, near: `${id}x` })),
    );
    const event = (id: string, unitType: string) => ({ eventName: "hostile", user: unitType === "userID" ? userOf(id) : userOf("", id) });
    await log(...units.flatMap(({ id, unitType, near }) => [event(id, unitType), event(near, unitType)]));
    for (const { id, unitType } of units) expect(typesOf(await unitData.readLines(id, unitType))).toEqual(["event"]);
    for (const { id, unitType } of units) expect((await unitData.delete(id, unitType)).deleted).toEqual({ ...NOTHING, events: 1 });
    for (const { id, unitType, near } of units) {
      await confirmed(id, unitType);
      expect(typesOf(await unitData.readLines(near, unitType))).toEqual(["event"]);
    }
  });

  test("changes nothing in a dry run, whose response has the same counts and the changes of segments", async () => {
    await logAll("Gus", "hooli");
    const before = await unitData.readLines("Gus");
    const { data, changes } = await server.client.deleteUnitData({ query: { dryRun: true }, body: { unitType: "userID", id: "Gus" } });
    expect(data.deleted).toEqual({ events: 4, keptEvents: 0, experimentExposures: 1, checkExposures: 1, segmentIDs: 1 });
    expect(changes?.map(({ entityType, entityID }) => [entityType, entityID])).toEqual([["segment", "testers"]]);
    expect(await unitData.readLines("Gus")).toEqual(before);
  });

  test("refuses keys that are limited to environments, unit ID types that do not exist, and a position that it did not return", async () => {
    const { key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_write"], environments: ["staging"] });
    const { body } = await server.send("POST", "/console/v1/unit_data/delete", { key, body: { unitType: "userID", id: "Ada" } });
    const need = "access to every environment to write the data of a unit, but the key is limited to the environment staging";
    expect(body).toMatchObject(insufficient(need));
    const call = (more: object) => refusal(server.client.deleteUnitData({ body: { unitType: "userID", id: "Ada", ...more } }));
    expect(await call({ unitType: "cartID" })).toEqual(invalid(["unitType", "references unit ID type cartID, which does not exist"]));
    expect(await call({ after: "event.1.2" })).toEqual(invalid(["after", "must be `next` of the previous response"]));
  });
});

describe("gatehouse units", () => {
  const unit = { unitType: "userID", id: "Kim" };

  test("prints and deletes the same data as the API", async () => {
    await logAll("Kim", "globex");
    const printed: Buffer[] = [];
    await downloadUnitData(server.database, { projectID: "default", unit, now: server.clock.now }, async (part) => {
      printed.push(Buffer.from(part));
    });
    const lines = Buffer.concat(printed)
      .toString()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.slice(1, -1)).toEqual(await unitData.readLines("Kim"));
    const parts = [];
    for await (const part of deleteUnitData(server.database, { projectID: "default", unit })) parts.push(part);
    expect(parts.map(({ deleted, next }) => [deleted, next])).toEqual([
      [{ events: 4, keptEvents: 0, experimentExposures: 1, checkExposures: 1, segmentIDs: 1 }, null],
    ]);
    await confirmed("Kim");
    expect((await auditEntries("deleteUnitData")).find(({ actorID }) => actorID === "system")).toMatchObject({ entityType: "unit_data" });
  });

  test("refuses a project that does not exist", async () => {
    const call = deleteUnitData(server.database, { projectID: "nowhere", unit }).next();
    expect((await refusal(call)).message).toBe("Project nowhere does not exist.");
  });
});

describe("events in the database", needs.ownEvents, () => {
  const insert = (userID: string, count: number) => server.database.prisma.$executeRaw`
    insert into event ("projectID", "name", "time", "day", "source", "userID", "value", "environment", "metadata")
    select 'default', 'many', 1763700000000 + one, 1763700000000 / 86400000, '', case when one % 100 = 0 then ${userID} else 'other' end, one::text, '', repeat(' ', 200) || '{}'
    from generate_series(1, ${count}::int) as one`;

  test("are searched in parts of bounded size over several requests, and only the last request's audit log entry is marked complete", async () => {
    await insert("Hal", 9_000);
    expect(await unitData.readLines("Hal")).toHaveLength(90);
    const { deleted, requests, receipt } = await unitData.delete("Hal", "userID", { limit: 1 });
    expect(deleted).toEqual({ ...NOTHING, events: 90 });
    expect(requests).toBeGreaterThan(1);
    const entries = (await auditEntries("deleteUnitData")).filter(({ entityID }) => entityID === receipt);
    expect(entries.map(({ after }) => JSON.parse(after ?? "").isComplete)).toEqual([true, ...Array(requests - 1).fill(false)]);
    expect(await unitData.readLines("Hal")).toEqual([]);
  });

  test("are downloaded whole if they are larger than a part", async () => {
    const metadata = { text: "m".repeat(1_000_000) };
    for (let part = 0; part < 7; part++) await log({ eventName: "large", user: userOf("Ida"), metadata });
    const lines = await unitData.readLines("Ida");
    expect(lines.map(({ metadata: one }) => one.text.length)).toEqual(Array(7).fill(1_000_000));
  });

  test("are deleted even where they are kept beyond the retention", async () => {
    await log(
      { ...config("colors", userOf("Jan")) },
      { eventName: "kept", user: userOf("Jan") },
      { eventName: "kept", user: userOf("Jan") },
    );
    server.clock.now += 2 * DAY_MS;
    const job = { database: server.database, log: pino({ level: "silent" }), now: () => server.clock.now };
    await eventRetention(1).run(job);
    expect(typesOf(await unitData.readLines("Jan"))).toEqual(["event", "event", "experiment_exposure"]);
    expect((await unitData.delete("Jan")).deleted).toEqual({ ...NOTHING, keptEvents: 2, experimentExposures: 1 });
    expect(await unitData.readLines("Jan")).toEqual([]);
  });
});
