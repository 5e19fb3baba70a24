import { createHash } from "node:crypto";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { needs } from "../support/needs.ts";
import { DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

type Query = Parameters<TestServer["client"]["getReport"]>[0]["query"];
const readReportUrl = async (query: Query) => (await server.client.getReport({ query })).data.url;
const get = (url: string) => fetch(url, { headers: { "SERVICE-API-KEY": server.key } });
const download = async (query: Query) => Buffer.from(await (await get(await readReportUrl(query))).arrayBuffer());
const toArrayBuffer = ({ buffer, byteOffset, byteLength }: Buffer) => buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;

describe("a report of 200,000 rows", needs.ownEvents, () => {
  const ROWS = 200_000;
  const date = "2025-06-01";
  const time = Date.parse(date) + HOUR_MS;
  let id: string;
  beforeAll(async () => {
    id = await pulseOn(server).experiment("very large");
    // Every other row of the table is of another day.
    await server.database.prisma.$executeRaw`
      insert into experiment_exposure ("projectID", "experimentID", "groupID", "unitID", "firstTime", environment)
      select "projectID", id, 'control', lpad(n::text, 7, '0'), ${time}::bigint + n % 2 * ${-DAY_MS}::bigint + n / 1000, 'production'
      from experiment, generate_series(0, ${2 * ROWS - 1}::int) as n where id = ${id}`;
    await server.database.prisma.$executeRaw`
      insert into experiment_exposure_count ("projectID", "experimentID", "groupID", "day", "quarter", "environment", "units")
      select "projectID", id, 'control', 0, 0, 'production', ${2 * ROWS}::int from experiment where id = ${id}`;
  });
  const csvLine = (index: number) =>
    `${id},very large,userID,${String(2 * index).padStart(7, "0")},control,control,` +
    `${new Date(time + Math.floor((2 * index) / 1000)).toISOString()},production\r\n`;
  const hashParts = (parts: Iterable<string | Uint8Array>) => {
    const hash = createHash("sha256");
    for (const part of parts) hash.update(part);
    return hash.digest("hex");
  };
  function* expected() {
    yield "experimentID,experimentName,idType,unitID,groupID,groupName,firstExposureTime,environment\r\n";
    for (let index = 0; index < ROWS; index++) yield csvLine(index);
  }

  test("arrives whole as CSV, and as Parquet in row groups of 10,000", async () => {
    const bytes = await download({ type: "first_exposures", date });
    expect(hashParts([bytes])).toBe(hashParts(expected()));
    const file = toArrayBuffer(await download({ type: "first_exposures", date, format: "parquet" }));
    expect(parquetMetadata(file).row_groups.map(({ num_rows }) => num_rows)).toEqual(Array(20).fill(10_000n));
    const rows = await parquetReadObjects({ file });
    const lines = rows.map((row) => {
      const cells = [row.experimentID, row.experimentName, row.idType, row.unitID, row.groupID, row.groupName];
      return `${[...cells, row.firstExposureTime.toISOString(), row.environment].join(",")}\r\n`;
    });
    expect(hashParts(lines)).toBe(hashParts([...expected()].slice(1)));
  });

  test("waits for a caller who reads slowly, is sent to four callers at once, and ends when they leave", async () => {
    const url = await readReportUrl({ type: "first_exposures", date });
    const callers = Array.from({ length: 4 }, () => new AbortController());
    const begun = await Promise.all(callers.map(({ signal }) => fetch(url, { headers: { "SERVICE-API-KEY": server.key }, signal })));
    expect(begun.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    // None of them has ended, although they wait only for their readers.
    const fifth = await get(url);
    expect([fifth.status, fifth.headers.get("Retry-After"), ((await fifth.json()) as { message: string }).message]).toEqual([
      503,
      "30",
      "4 files are being downloaded already. Try again when one has ended.",
    ]);
    for (const caller of callers) caller.abort();
    await expect
      .poll(async () => {
        const next = await get(url);
        await next.body?.cancel();
        return next.status;
      })
      .toBe(200);
  });

  test("breaks off for the caller if the database fails, so that a part does not look like the whole", async () => {
    const url = await readReportUrl({ type: "first_exposures", date });
    // Reports whose callers have left end by themselves.
    const response = await waitFor(async () => {
      const answer = await get(url);
      expect(answer.status).toBe(200);
      return answer;
    });
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    await server.database.prisma.$executeRaw`alter table experiment_exposure rename to hidden_exposure`;
    const rest = async () => {
      while (!(await reader?.read())?.done);
    };
    await expect(rest()).rejects.toThrow();
    await server.database.prisma.$executeRaw`alter table hidden_exposure rename to experiment_exposure`;
  });
});
