import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventRetention } from "../../src/jobs/event-retention.ts";
import type { Db } from "../../src/store/database/unit-of-work.ts";
import { needs } from "../support/needs.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const DAY_MS = 24 * 60 * 60 * 1000;
const GROUPS = [
  { id: "blue", name: "Blue", size: 50 },
  { id: "green", name: "Green", size: 50 },
];
let value = 0;
const log = (...events: object[]) =>
  server.evaluation.logEvent({ body: { events: events.map((event) => ({ value: value++, ...event })) } });
const retain = (days = 1, database = server.database as { db: Db }) =>
  eventRetention(days).run({
    database: { ...server.database, ...database },
    log: pino({ level: "silent" }),
    now: () => server.clock.now,
  });
/** The units whose events of a name are kept. */
const kept = async (name: string) => {
  const rows = await server.database.prisma.keptEvent.findMany({ where: { name }, orderBy: { id: "asc" } });
  return rows.map(({ userID }) => userID);
};
const bought = (name: string, userID: string, more: object = {}) => ({ eventName: name, user: { userID, ...more } });
const shown = (config: string, user: object, ruleID = "blue") => ({
  eventName: "statsig::config_exposure",
  user,
  metadata: { config, ruleID },
});
async function makeExperiment(name: string, more: object = {}) {
  const body = { name, groups: GROUPS, allocation: 100, status: "active" as const, ...more };
  return { id: (await server.client.createExperiment({ body })).data.id };
}
/** Ends the day, and drops it with the next run of the job. */
const endDay = (days = 2) => {
  server.clock.now += days * DAY_MS;
};
const evaluated = (name: string) =>
  waitFor(async () => {
    const { body } = await server.send("GET", "/v1/download_config_specs");
    expect(body.feature_gates.map((spec: { name: string }) => spec.name)).toContain(name);
  });

describe("events of dropped days", needs.ownEvents, () => {
  test("are kept for units that a running experiment was shown to, whole and in order, and no others", async () => {
    const path = await makeExperiment("long running");
    const user = { userID: "a", customIDs: { companyID: "acme" }, email: "a@example.com" };
    await log(
      bought("bought", "a"),
      shown(path.id, user),
      { eventName: "bought", user, metadata: { sku: "x" } },
      bought("bought", "stranger"),
    );
    const [before] = await server.database.prisma.event.findMany({ where: { metadata: '{"sku":"x"}' } });
    expect(before?.userFields).toBe('{"email":"a@example.com"}');
    endDay();
    await Promise.all([retain(), retain(), retain()]);
    expect((await server.client.listEventValues({ path: { eventName: "bought" } })).data).toEqual([]);
    expect(await kept("bought")).toEqual(["a", "a"]);
    expect(await server.database.prisma.keptEvent.findFirst({ where: { metadata: '{"sku":"x"}' } })).toEqual(before);
    expect(await kept("statsig::config_exposure")).toEqual([]);
    expect(await server.database.prisma.keptUnit.count()).toBe(0);
  });

  test("are kept for 120 days of an experiment, and deleted once it is decided", async () => {
    const path = await makeExperiment("120 days");
    for (let day = 0; day < 4; day++) {
      await log(shown(path.id, { userID: "b" }), bought("for long", "b"));
      endDay(30);
      await retain();
    }
    expect((await kept("for long")).length).toBe(4);
    await server.client.makeExperimentDecision({ path, body: { id: "blue", decisionReason: "clear" } });
    await log(bought("another", "b"));
    endDay();
    await retain();
    expect([await kept("for long"), await kept("another")]).toEqual([[], []]);
  });

  test("are kept by the experiment's unit, from 14 days before its first exposure", async () => {
    const { id } = await makeExperiment("companies", { idType: "companyID" });
    const ofCompany = { customIDs: { COMPANYID: "acme" } };
    const { now } = server.clock;
    await log(
      { ...shown(id, { userID: "x", ...ofCompany }), time: now },
      { ...bought("by company", "early", ofCompany), time: now - 14 * DAY_MS },
      { ...bought("by company", "too early", ofCompany), time: now - 14 * DAY_MS - 1 },
      bought("by company", "acme"),
      bought("by company", "other", { customIDs: { companyID: "other" } }),
    );
    endDay();
    await retain();
    expect(await kept("by company")).toEqual(["early"]);
  });

  test("are kept for a holdout's units and as many of the others, always the same", async () => {
    const holdout = (await server.client.createHoldout({ body: { name: "one in ten", passPercentage: 10, isEnabled: true } })).data;
    await evaluated(holdout.id);
    const exposure = (userID: string, gateValue: string) => ({
      eventName: "statsig::config_exposure",
      user: { userID },
      metadata: { config: "c", ruleID: "r" },
      secondaryExposures: [{ gate: holdout.id, gateValue, ruleID: `${holdout.id}:10.00:1` }],
    });
    const held = Array.from({ length: 30 }, (_, index) => `held ${index}`);
    const others = Array.from({ length: 270 }, (_, index) => `other ${index}`);
    const days: string[][] = [];
    for (const name of ["day one", "day two"]) {
      await log(...held.map((id) => exposure(id, "true")), ...others.map((id) => exposure(id, "false")));
      await log(...[...held, ...others].map((id) => bought(name, id)));
      endDay();
      await retain();
      days.push((await kept(name)).sort());
    }
    expect(days[0]?.filter((id) => id.startsWith("held")).sort()).toEqual(held.sort());
    const chosen = days[0]?.filter((id) => id.startsWith("other")).length ?? 0;
    expect(chosen).toBeGreaterThan(15);
    expect(chosen).toBeLessThan(50);
    expect(days[1]).toEqual(days[0]);
    await server.client.deleteHoldout({ path: { id: holdout.id } });
  });

  test("are kept for units of a gate's partial rollout, not of a rule that everyone passes", async () => {
    const rules = [
      { id: "partial", name: "partial", passPercentage: 50, conditions: [] },
      { id: "full", name: "full", passPercentage: 100, conditions: [] },
    ];
    const { id } = (await server.client.createGate({ body: { name: "rolled out", rules } })).data;
    await evaluated(id);
    const exposure = (userID: string, gateValue: string, ruleID: string) => ({
      eventName: "statsig::gate_exposure",
      user: { userID },
      metadata: { gate: id, gateValue, ruleID },
    });
    await log(exposure("p", "true", "partial"), exposure("q", "false", "partial"), exposure("r", "true", "full"));
    await log(...["p", "q", "r"].map((userID) => bought("by gate", userID)));
    endDay();
    await retain();
    expect((await kept("by gate")).sort()).toEqual(["p", "q"]);
  });

  test("are neither lost nor doubled if a run is interrupted anywhere", async () => {
    const { id } = await makeExperiment("interrupted");
    await log(shown(id, { userID: "i" }), ...Array.from({ length: 5_100 }, () => bought("many", "i")));
    endDay();
    let allowed = 0;
    let isDone = false;
    while (!isDone) {
      let left = allowed;
      const { db } = server.database;
      const failing = new Proxy(db, {
        get(target, name, receiver) {
          if (left-- <= 0) throw new Error("killed");
          return Reflect.get(target, name, receiver);
        },
      });
      await retain(1, { db: failing }).then(
        () => {
          isDone = true;
        },
        () => {},
      );
      allowed += 3;
    }
    expect((await kept("many")).length).toBe(5_100);
    expect(allowed).toBeGreaterThan(10);
  });

  test("are deleted 400 days after their arrival, even if no job runs", async () => {
    expect((await kept("many")).length).toBe(5_100);
    endDay(399);
    await log(bought("marker", "nobody"));
    endDay();
    await retain();
    expect(await server.database.prisma.keptEvent.count()).toBe(0);
  });
});
