import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "../support/server.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HEAD = "date,checks,exposures,events,keys,people\r\n";

let server: TestServer;
let createdTime: number;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  const project = await server.database.prisma.project.findUniqueOrThrow({ where: { id: "default" } });
  createdTime = Number(project.createdTime);
});
afterAll(() => server.close());

const download = (query: object) => server.send("GET", `/console/v1/project/usage_billing/report?${new URLSearchParams({ ...query })}`);

describe("downloadUsage", () => {
  test("counts checks, exposures, events, keys and people by day of the project's time zone", async () => {
    const { prisma } = server.database;
    // In New York, midnight in UTC belongs to the day before.
    const day = Math.floor(server.clock.now / DAY_MS) + 3;
    const midnight = day * DAY_MS;
    const counted = { projectID: "default", environment: "" };
    await prisma.gateChecks.createMany({
      data: [
        { ...counted, gateID: "a", hour: midnight, passes: 5, fails: 2, empties: 1 },
        { ...counted, gateID: "a", hour: midnight + 12 * HOUR_MS, passes: 1, fails: 0, empties: 0 },
      ],
    });
    await prisma.dynamicConfigChecks.create({ data: { projectID: "default", configID: "c", hour: midnight + 13 * HOUR_MS, checks: 4 } });
    await prisma.experimentChecks.create({ data: { projectID: "default", experimentID: "e", hour: midnight + 13 * HOUR_MS, checks: 7 } });
    const times = { firstTime: 0, lastTime: 0, projectID: "default" };
    await prisma.eventCount.createMany({
      data: [
        { ...times, name: "order", day, count: 30 },
        { ...times, name: "visit", day, count: 12 },
      ],
    });
    server.clock.now = midnight + 12 * HOUR_MS;
    const { id } = (await server.client.createKey({ body: { description: "of the day", type: "CLIENT" } })).data;
    const [keys, people] = await Promise.all([
      prisma.key.count({ where: { projectID: "default" } }),
      prisma.member.count({ where: { projectID: "default" } }),
    ]);
    const date = (offset: number) => new Date(midnight + offset * DAY_MS).toISOString().slice(0, 10);

    const inUTC = await download({ start: midnight - DAY_MS, end: midnight + DAY_MS });
    expect([inUTC.status, inUTC.headers.get("Content-Type"), inUTC.headers.get("Content-Disposition")]).toEqual([
      200,
      "text/csv; charset=utf-8; header=present",
      `attachment; filename="usage-${date(-1)}-${date(0)}.csv"`,
    ]);
    expect(inUTC.text).toBe(`${HEAD}${date(-1)},0,0,,${keys - 1},${people}\r\n${date(0)},13,7,42,${keys},${people}\r\n`);

    server.clock.now = midnight + 2 * DAY_MS;
    await server.client.deleteKey({ path: { id } });
    await server.client.updateProjectSettings({ body: { name: "default", visibility: "OPEN", timeZone: "America/New_York" } });
    const inNewYork = await download({ start: midnight, end: midnight + DAY_MS });
    expect(inNewYork.text).toBe(`${HEAD}${date(-1)},8,0,,${keys - 1},${people}\r\n${date(0)},5,7,42,${keys},${people}\r\n`);
    const later = await download({ start: midnight + 3 * DAY_MS, end: midnight + 3 * DAY_MS + 1 });
    expect(later.text).toBe(`${HEAD}${date(2)},0,0,0,${keys - 1},${people}\r\n`);
  });

  test("400: the range begins before the project, is empty, or is longer than 400 days", async () => {
    const fault = async (query: object) => (await download(query)).body.errors;
    expect(await fault({ start: 0, end: createdTime + 1 })).toEqual([
      { property: "start", errorMessage: `must not be before the project's creation, which was at ${createdTime}` },
    ]);
    expect(await fault({ end: createdTime })).toEqual([
      { property: "end", errorMessage: `must be after the project's creation, which was at ${createdTime}` },
    ]);
    expect(await fault({ start: createdTime + 1, end: createdTime + 1 })).toEqual([
      { property: "start", errorMessage: "must be before end" },
    ]);
    expect(await fault({ start: createdTime, end: createdTime + 400 * DAY_MS + 1 })).toEqual([
      { property: "start", errorMessage: "must be at most 400 days before end" },
    ]);
  });
});
