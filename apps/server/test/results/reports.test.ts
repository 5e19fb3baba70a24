import { parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Buyer, DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";
import { asPerson } from "../support/sessions.ts";
import { TEST_SESSION } from "../support/template-database.ts";

const REVENUE = { name: "Revenue", type: "sum" };
const BUYERS = { name: "Buyers", type: "event_user" };

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
/** When the first day begins, ms. */
let start: number;
beforeAll(async () => {
  server = await startServer();
  start = Math.ceil(server.clock.now / DAY_MS) * DAY_MS;
  server.clock.now = start + HOUR_MS;
  pulse = pulseOn(server);
  await pulse.metric("Revenue");
  await pulse.metric("Buyers", { type: "event_user", metricEvents: [{ name: "buy" }] });
});
afterAll(() => server.close());

type Query = Parameters<TestServer["client"]["getReport"]>[0]["query"];
const formatDate = (day: number) => new Date(start + day * DAY_MS).toISOString().slice(0, 10);
const readReportUrl = async (query: Query) => (await server.client.getReport({ query })).data.url;
const get = async (url: string, headers: Record<string, string> = { "SERVICE-API-KEY": server.key }) => fetch(url, { headers });
const download = async (query: Query) => Buffer.from(await (await get(await readReportUrl(query))).arrayBuffer());
const csv = async (query: Query) => (await download(query)).toString();
const parquet = async (query: Query) => toArrayBuffer(await download({ ...query, format: "parquet" }));
const toArrayBuffer = ({ buffer, byteOffset, byteLength }: Buffer) => buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;

const buyer = (unit: string, group: string, value = 0): Buyer => ({
  unit,
  group,
  purchases: value > 0 ? [{ value, afterMs: 1_000 }] : [],
});

/** Keeps only the lines about a test's own experiments. */
const ownLines = (text: string, ...experiments: string[]) => {
  const lines = text.split("\r\n");
  const own = lines.filter((line) => experiments.some((id) => line.includes(`${id},`)));
  return [lines[0] ?? "", ...own];
};

describe("getReport", () => {
  test("answers the URL of a file, without a key", async () => {
    const { body } = await server.send("GET", `/console/v1/reports?type=pulse_daily&date=${formatDate(0)}`);
    expect(body).toEqual({
      message: "Report URL generated successfully",
      data: { url: `${server.url}/console/v1/reports/file?type=pulse_daily&date=${formatDate(0)}&format=csv`, experiments: 0 },
    });
  });

  test("refuses a future day, as the file does, and an invalid day, type or format", async () => {
    const future = { type: "first_exposures" as const, date: formatDate(400) };
    const expected = invalid(["date", "must not be in the future"]);
    expect(await refusal(readReportUrl(future))).toEqual(expected);
    const file = await server.send("GET", `/console/v1/reports/file?type=first_exposures&date=${future.date}`);
    expect([file.status, file.body.errors]).toEqual([400, expected.errors]);
    for (const path of ["reports", "reports/file"]) {
      const { status, body } = await server.send("GET", `/console/v1/${path}?type=pulse&date=today&format=xls`);
      expect([status, body.errors.map(({ property }: { property: string }) => property)]).toEqual([400, ["type", "date", "format"]]);
      const unknown = await server.send("GET", `/console/v1/${path}?type=pulse_daily&date=2025-02-30`);
      expect([unknown.status, unknown.body.errors]).toEqual([
        400,
        [{ property: "date", errorMessage: "must be a date such as 2025-11-30" }],
      ]);
    }
  });
});

describe("downloadReport", () => {
  test("has each unit and group of a day once, ordered by experiment, group and unit, and omits other days", async () => {
    const id = await pulse.experiment("first seen");
    server.clock.now = start + 2 * HOUR_MS;
    await pulse.log(id, [buyer("second", "test"), buyer("first", "test"), buyer("first", "control")], server.clock.now);
    server.clock.now = start + DAY_MS + HOUR_MS;
    await pulse.log(id, [buyer("second", "test"), buyer("third", "control")], server.clock.now);
    const head = "experimentID,experimentName,idType,unitID,groupID,groupName,firstExposureTime,environment";
    const csvLine = (unit: string, group: string, time: number) =>
      `${id},first seen,userID,${unit},${group},${group},${new Date(time).toISOString()},production`;
    expect(ownLines(await csv({ type: "first_exposures", date: formatDate(0) }), id)).toEqual([
      head,
      csvLine("first", "control", start + 2 * HOUR_MS),
      csvLine("first", "test", start + 2 * HOUR_MS),
      csvLine("second", "test", start + 2 * HOUR_MS),
    ]);
    expect(ownLines(await csv({ type: "first_exposures", date: formatDate(1) }), id)).toEqual([
      head,
      csvLine("third", "control", start + DAY_MS + HOUR_MS),
    ]);
    expect(await csv({ type: "first_exposures", date: "2020-01-01" })).toBe(`${head}\r\n`);
  });

  test("marks texts in CSV that spreadsheets would run, quotes what RFC 4180 asks for, and leaves Parquet as it is", async () => {
    const id = await pulse.experiment("of hostile units");
    const units = [
      "=1+1",
      "+1",
      "-1",
      "@sum",
      "＝1",
      "＠sum",
      "\tx",
      "\n=1",
      "'quoted",
      'a "b", c',
      "line\r\nbreak",
      " spaced ",
      "plain-1",
    ];
    await pulse.log(
      id,
      units.map((unit) => buyer(unit, "control")),
      server.clock.now,
    );
    const date = formatDate(1);
    const text = await csv({ type: "first_exposures", date });
    const cells = [
      "'=1+1",
      "'+1",
      "'-1",
      "'@sum",
      "'＝1",
      "'＠sum",
      "'\tx",
      `"'\n=1"`,
      "''quoted",
      '"a ""b"", c"',
      '"line\r\nbreak"',
      '" spaced "',
      "plain-1",
    ];
    for (const cell of cells) expect(text).toContain(`\r\n${id},of hostile units,userID,${cell},control,`);
    const rows = await parquetReadObjects({ file: await parquet({ type: "first_exposures", date }) });
    const own = rows.filter(({ experimentID }) => experimentID === id);
    expect(own.map(({ unitID }) => unitID).sort()).toEqual([...units].sort());
    expect(own[0]).toEqual({
      ...{ experimentID: id, experimentName: "of hostile units", idType: "userID", unitID: expect.any(String) },
      ...{ groupID: "control", groupName: "control", firstExposureTime: new Date(server.clock.now), environment: "production" },
    });
  });

  test("names the file and its type, needs a key or a session, and is an export in the audit log", async () => {
    const query = { type: "first_exposures", date: formatDate(0) } as const;
    const asCsv = await get(await readReportUrl(query));
    await asCsv.arrayBuffer();
    expect(["Content-Type", "Content-Disposition", "Cache-Control"].map((name) => asCsv.headers.get(name))).toEqual([
      "text/csv; charset=utf-8; header=present",
      `attachment; filename="first_exposures-${formatDate(0)}.csv"`,
      "no-store",
    ]);
    const { now } = server.clock;
    await server.database.prisma.$executeRaw`
      update session set "createdTime" = ${now}, "lastUsedTime" = ${now}, "endsTime" = ${now + DAY_MS} where id = 'test'`;
    const ofPerson = await get(await readReportUrl({ ...query, format: "parquet" }), asPerson(TEST_SESSION));
    expect([ofPerson.status, ofPerson.headers.get("Content-Type")]).toEqual([200, "application/vnd.apache.parquet"]);
    await ofPerson.arrayBuffer();
    expect((await get(await readReportUrl(query), {})).status).toBe(401);
    const exports = await server.database.prisma.change.findMany({ where: { operationID: "downloadReport", entityType: "export" } });
    expect(exports.length).toBeGreaterThan(0);
  });

  test("has the results of a day as they are answered for it, one row for each test group", async () => {
    const groups = ["control", "test", "third"].map((id) => ({ id, name: `Group ${id}`, size: id === "third" ? 20 : 40 }));
    const metrics = { primaryMetrics: [REVENUE], secondaryMetrics: [BUYERS] };
    server.clock.now = start + 10 * DAY_MS + HOUR_MS;
    const id = await pulse.experiment("reported", { groups, ...metrics, bonferroniCorrection: true });
    const shoppers = (day: number) =>
      ["control", "test", "third"].flatMap((group, index) =>
        Array.from({ length: 6 }, (_, unit) => buyer(`${group} ${day} ${unit}`, group, unit % 2 === 0 ? unit + index + day : 0)),
      );
    await pulse.log(id, shoppers(1), server.clock.now);
    server.clock.now += DAY_MS;
    await pulse.log(id, shoppers(2), server.clock.now);
    server.clock.now += HOUR_MS;
    await pulse.load(id);
    const date = formatDate(10);
    const own = async (day: string) => {
      const rows = await parquetReadObjects({ file: await parquet({ type: "pulse_daily", date: day }) });
      return rows.filter(({ experimentID }) => experimentID === id);
    };
    const rows = await own(date);
    const answered = await Promise.all(["test", "third"].map((one) => pulse.results(id, { test: one, date })));
    const expected = answered.flatMap(({ primaryMetrics, secondaryMetrics }, index) =>
      [...primaryMetrics, ...secondaryMetrics].map((metric) => ({ metric, test: ["test", "third"][index] })),
    );
    expect(rows).toHaveLength(4);
    for (const [index, { metric, test: group }] of expected.entries()) {
      const { metricID, absoluteChange, percentInterval, pValue, alpha, testUnits, controlTotal, cuped, isSignificant, verdict } = metric;
      expect(rows[index]).toMatchObject({
        ...{ date, experimentID: id, experimentName: "reported", controlGroupID: "control", controlGroupName: "Group control" },
        ...{ testGroupID: group, testGroupName: `Group ${group}`, metricID, role: metricID === "Revenue::sum" ? "primary" : "secondary" },
        ...{ absoluteChange, pValue, alpha, isSignificant: isSignificant ?? null, testUnits: BigInt(testUnits ?? 0), controlTotal },
        ...{ percentIntervalLower: percentInterval?.[0] ?? null, isCupedUsed: cuped?.isUsed ?? null },
        ...{ metricVersion: 1n, loadedTime: new Date(metric.loadedTime ?? 0), reason: verdict?.reason ?? null },
      });
    }
    const impacts = await parquetReadObjects({ file: await parquet({ type: "topline_impact_daily", date }) });
    for (const [index, row] of impacts.filter(({ experimentID }) => experimentID === id).entries()) {
      const { metric, test: group } = expected[index] as (typeof expected)[number];
      const { absoluteToplineImpact, relativeToplineImpact = null, projectedAbsoluteToplineImpactDelta, topline } = metric;
      expect(row).toMatchObject({
        ...{ date, experimentID: id, testGroupID: group, metricID: metric.metricID, days: topline?.days, share: topline?.share },
        ...{ absoluteToplineImpact, relativeToplineImpact, projectedAbsoluteToplineImpactDelta, reason: topline?.reason ?? null },
      });
    }
    expect(impacts.filter(({ experimentID }) => experimentID === id)).toHaveLength(4);
    // Half of the units had come by the first day.
    expect([rows[0]?.testUnits, (await own(formatDate(11)))[0]?.testUnits]).toEqual([6n, 12n]);
    expect([await own(formatDate(9)), await own(formatDate(12)).catch(() => [])]).toEqual([[], []]);
    const [head = "", line = ""] = ownLines(await csv({ type: "pulse_daily", date }), id);
    const cells = new Map(head.split(",").map((name, index) => [name, line.split(",")[index]]));
    expect([cells.get("metricName"), cells.get("absoluteChange"), cells.get("isSignificant")]).toEqual([
      ...["Revenue", String(expected[0]?.metric.absoluteChange), String(expected[0]?.metric.isSignificant ?? "")],
    ]);
  });

  test("omits a run before a reset, and gives the reason for missing numbers in a row", async () => {
    const id = await pulse.experiment("reset", { primaryMetrics: [REVENUE] });
    await pulse.log(id, [buyer("a", "control", 1), buyer("b", "test", 2)], server.clock.now);
    server.clock.now += HOUR_MS;
    await pulse.load(id, { turboMode: true });
    const readRows = async () => {
      const date = new Date(server.clock.now).toISOString().slice(0, 10);
      const rows = await parquetReadObjects({ file: await parquet({ type: "pulse_daily", date }) });
      return rows.filter(({ experimentID }) => experimentID === id);
    };
    expect((await readRows()).map(({ reason, absoluteChange }) => [reason, absoluteChange])).toEqual([
      ["The last load did not compute a time series.", null],
    ]);
    server.clock.now += 1;
    await server.client.resetExperiment({ path: { id } });
    expect(await readRows()).toEqual([]);
  });
});
