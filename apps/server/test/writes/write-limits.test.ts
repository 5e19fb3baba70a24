import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createLog } from "../../src/common/log.ts";
import { deleteOldLeases } from "../../src/jobs/delete-old-leases.ts";
import { fingerprintRows } from "../support/faults.ts";
import { makeKey } from "../support/keys.ts";
import { evaluate } from "../support/ofrep.ts";
import { fill, operations, writes } from "../support/operations.ts";
import { startServer, type TestServer } from "../support/server.ts";

/** A window of 31 years, so that none ends while a test runs. The present one ends in 2033. */
const LONG_WINDOW_MS = 1_000_000_000_000;

/** A server that allows so many writes, and a clock of it that a test can move on. */
async function startLimited(limit: number, windowMs = LONG_WINDOW_MS) {
  const moved = { ms: 0 };
  const server = await startServer({ writeLimit: { writes: limit, windowMs, uptime: () => performance.now() + moved.ms } });
  return { server, moved };
}

let count = 0;
const createTag = (server: TestServer, query = "", key = server.key) =>
  server.send("POST", `/console/v1/tags${query}`, { body: { name: `tag ${++count}` }, key });
const listStatuses = async (answers: Promise<{ status: number }>[]) => (await Promise.all(answers)).map(({ status }) => status);
const countStatus = (statuses: number[], status: number) => statuses.filter((one) => one === status).length;

describe("the headers", () => {
  let server: TestServer;
  beforeAll(async () => {
    ({ server } = await startLimited(50, 10_000));
  });
  afterAll(() => server.close());

  test("of a write tell what remains in a window of ten seconds, and the policy", async () => {
    const { status, headers } = await createTag(server);
    expect(status).toBe(200);
    expect(headers.get("RateLimit")).toMatch(/^"writes";r=49;t=([1-9]|10)$/);
    expect(headers.get("RateLimit-Policy")).toBe('"writes";q=50;w=10');
    expect(headers.get("Retry-After")).toBeNull();
  });

  test("are on no read, and on no error of a write but 429", async () => {
    const read = await server.send("GET", "/console/v1/tags");
    const invalid = await server.send("POST", "/console/v1/tags", { body: {} });
    const absent = await server.send("DELETE", "/console/v1/tags/absent");
    expect([read, invalid, absent].map(({ status }) => status)).toEqual([200, 400, 404]);
    for (const { headers } of [read, invalid, absent])
      expect([headers.get("RateLimit"), headers.get("RateLimit-Policy")]).toEqual([null, null]);
  });

  test("are absent from writes without a limit", async () => {
    const unlimited = await startServer();
    const { status, headers } = await createTag(unlimited);
    expect([status, headers.get("RateLimit"), headers.get("RateLimit-Policy")]).toEqual([200, null, null]);
    await unlimited.close();
  });
});

describe("a server", () => {
  let server: TestServer;
  let moved: { ms: number };
  beforeEach(async () => {
    ({ server, moved } = await startLimited(30));
  });
  afterEach(() => server.close());

  test("carries out exactly as many simultaneous writes as the limit says, and refuses the others", async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => createTag(server)));
    const carriedOut = answers.filter(({ status }) => status === 200);
    const remaining = carriedOut.map(({ headers }) => Number(/r=(\d+)/.exec(headers.get("RateLimit") ?? "")?.[1]));
    expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(30);
    for (const { body, headers } of refused) {
      const message = "The limit of 30 writes in 1000000000 seconds is reached. Try again after Retry-After seconds.";
      expect(body).toEqual({ status: 429, code: "too_many_requests", message });
      expect(headers.get("RateLimit")).toBe(`"writes";r=0;t=${headers.get("Retry-After")}`);
      expect(headers.get("RateLimit-Policy")).toBe('"writes";q=30;w=1000000000');
      const endsInS = (2 * LONG_WINDOW_MS - Date.now()) / 1000;
      expect(Math.abs(Number(headers.get("Retry-After")) - endsInS)).toBeLessThan(60);
    }
    expect(await server.database.prisma.tag.count({ where: { name: { startsWith: "tag " } } })).toBe(30);
  });

  test("counts dry runs, repeated writes and invalid ones, and none that lacks a key or a permission", async () => {
    const { key: reader } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_only"] });
    const remains = async () => /r=(\d+)/.exec((await createTag(server)).headers.get("RateLimit") ?? "")?.[1];
    expect(await remains()).toBe("28");
    expect((await createTag(server, "?dryRun=true")).status).toBe(200);
    expect(await remains()).toBe("26");
    const again = { body: { name: "again" }, headers: { "Idempotency-Key": "again" } };
    await server.send("POST", "/console/v1/tags", again);
    const { headers } = await server.send("POST", "/console/v1/tags", again);
    expect([headers.get("Idempotency-Replayed"), headers.get("RateLimit")]).toEqual(["true", expect.stringContaining("r=24;")]);
    expect((await server.send("POST", "/console/v1/tags", { body: {} })).status).toBe(400);
    expect(await remains()).toBe("22");
    expect((await createTag(server, "", "")).status).toBe(401);
    expect((await createTag(server, "", reader)).status).toBe(403);
    expect(await remains()).toBe("21");
  });

  test("counts each write of a batch, and executes none of a batch that exceeds the limit", async () => {
    const send = (writes: number, reads = 0) => {
      const creating = Array.from({ length: writes }, () => ({ operationId: "createTag", body: { name: `tag ${++count}` } }));
      const reading = Array.from({ length: reads }, () => ({ operationId: "listTags" }));
      return server.send("POST", "/console/v1/batch", { body: { requests: [...creating, ...reading] } });
    };
    const remaining = ({ headers }: { headers: Headers }) => /r=(\d+)/.exec(headers.get("RateLimit") ?? "")?.[1];
    expect(remaining(await send(10, 5))).toBe("20");
    expect(remaining(await send(0, 5))).toBe("19");
    const tags = () => server.database.prisma.tag.count();
    const before = await tags();
    const tooMany = await send(20);
    expect([tooMany.status, tooMany.body.index, remaining(tooMany), await tags()]).toEqual([429, undefined, "18", before]);
    const never = await send(31);
    const errorMessage = "has 31 writes, more than the 30 that are allowed in 1000000000 seconds";
    expect([never.status, never.body.errors]).toEqual([400, [{ property: "requests", errorMessage }]]);
    expect(remaining(await send(17))).toBe("0");
    expect((await createTag(server)).status).toBe(429);
  });

  test("refuses a write beyond the limit before it reads its body", async () => {
    await Promise.all(Array.from({ length: 30 }, () => createTag(server)));
    for (const rawBody of ["{", `"${"x".repeat(2 * 1024 * 1024)}"`]) {
      expect((await server.send("POST", "/console/v1/tags", { rawBody })).status).toBe(429);
    }
  });

  test("limits only writes, and leaves reads, evaluation, events and other keys alone", async () => {
    const { key: other } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_write"] });
    await server.client.createGate({ body: { name: "open" } });
    await Promise.all(Array.from({ length: 30 }, () => createTag(server)));
    expect((await createTag(server)).status).toBe(429);
    const answers = [
      await server.send("GET", "/console/v1/tags"),
      await evaluate(server, "open", { targetingKey: "alice" }),
      await server.send("POST", "/v1/log_event", { body: { events: [{ eventName: "pressed" }] } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 202]);
    for (const { headers } of answers) expect(headers.get("RateLimit")).toBeNull();
    const { status, headers } = await createTag(server, "", other);
    expect([status, headers.get("RateLimit")]).toEqual([200, expect.stringContaining("r=29;")]);
  });

  test("allows as many writes again in the next window, which begins by the database's clock and not by its own", async () => {
    const writeAll = () => listStatuses(Array.from({ length: 40 }, () => createTag(server)));
    expect(countStatus(await writeAll(), 200)).toBe(30);
    moved.ms += LONG_WINDOW_MS;
    expect(countStatus(await writeAll(), 200)).toBe(0);
    moved.ms += LONG_WINDOW_MS;
    await server.database.prisma.$executeRaw`update write_lease set "windowStart" = 0`;
    expect(countStatus(await writeAll(), 200)).toBe(30);
  });

  test("forgets who has not written for a day", async () => {
    const { key: other } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_write"] });
    await createTag(server);
    await createTag(server, "", other);
    const left = () => server.database.prisma.writeLease.count();
    const [first] = await server.database.prisma.writeLease.findMany();
    const now = Date.now();
    await server.database.prisma.writeLease.updateMany({ data: { windowStart: now - 23 * 3_600_000 } });
    const job = { database: server.database, log: createLog("silent", { write() {} }), now: () => now };
    await deleteOldLeases.run(job);
    expect(await left()).toBe(2);
    await server.database.prisma.writeLease.updateMany({
      where: { actorID: first?.actorID ?? "" },
      data: { windowStart: now - 25 * 3_600_000 },
    });
    await deleteOldLeases.run(job);
    expect(await left()).toBe(1);
  });
});

describe("two replicas", () => {
  let one: TestServer;
  let other: TestServer;
  beforeEach(async () => {
    ({ server: one } = await startLimited(200));
    other = await one.replica();
  });
  afterEach(async () => {
    await other.close();
    await one.close();
  });

  test("that are both written to carry out exactly as many writes together as the limit says", async () => {
    const statuses = await listStatuses(Array.from({ length: 600 }, (_, index) => createTag(index % 2 === 0 ? one : other)));
    expect([countStatus(statuses, 200), countStatus(statuses, 429)]).toEqual([200, 400]);
    expect(await one.database.prisma.tag.count({ where: { name: { startsWith: "tag " } } })).toBe(200);
  });

  test("lose at most a hundredth of the limit if one of them gets few writes", async () => {
    const few = await listStatuses(Array.from({ length: 3 }, () => createTag(one)));
    const many = await listStatuses(Array.from({ length: 300 }, () => createTag(other)));
    const carriedOut = countStatus(few, 200) + countStatus(many, 200);
    expect(countStatus(few, 200)).toBe(3);
    expect(carriedOut).toBeLessThanOrEqual(200);
    expect(carriedOut).toBeGreaterThanOrEqual(198);
  });
});

describe("every write beyond the limit is 429 and changes nothing, and no read is", () => {
  let server: TestServer;
  let before: unknown[];
  beforeAll(async () => {
    ({ server } = await startLimited(1));
    // The one of the key, and that of the administrator.
    await createTag(server);
    await server.send("PATCH", "/console/v1/people/absent", { body: {} });
    before = await fingerprintRows(server.database);
  });
  afterAll(async () => {
    expect(await fingerprintRows(server.database)).toEqual(before);
    await server.close();
  });

  test.each(writes)("$operationId", async ({ method, path, example, statuses }) => {
    expect(statuses).toContain("429");
    for (const query of ["", "?dryRun=true", "?surprise=1"]) {
      const { status, body } = await server.send(method, `${fill(path, {})}${query}`, { body: example });
      expect.soft([query, status, body.code]).toEqual([query, 429, "too_many_requests"]);
    }
  });

  test("reads declare no 429, and are not limited", async () => {
    for (const { operationId, method, path, statuses } of operations.filter((one) => one.method === "GET")) {
      const { status } = await server.send(method, fill(path, {}));
      expect([operationId, status === 429, statuses.includes("429")]).toEqual([operationId, false, false]);
    }
  });
});
