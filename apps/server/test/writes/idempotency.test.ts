import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey } from "../../src/cli/keys.ts";
import { deleteOldResponses } from "../../src/jobs/delete-old-responses.ts";
import { fingerprintRows } from "../support/faults.ts";
import { needs } from "../support/needs.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const DAY_MS = 24 * 60 * 60 * 1000;

const create = (name: string, key: string, options: object = {}) =>
  server.send("POST", "/console/v1/gates", { body: { name }, headers: { "Idempotency-Key": key }, ...options });

describe("an Idempotency-Key", () => {
  test("expires after 24 hours, when its record is deleted and a repeat runs again", async () => {
    const body = { description: "again" };
    const { data } = await server.client.createGate({ body: { name: "remembered" } });
    const patch = () => server.send("PATCH", `/console/v1/gates/${data.id}`, { body, headers: { "Idempotency-Key": "day" } });
    const kept = () => server.database.prisma.idempotencyRecord.count({ where: { key: "day" } });
    expect((await patch()).body.data.version).toBe(2);
    server.clock.now += DAY_MS - 1;
    expect((await patch()).body.data.version).toBe(2);
    server.clock.now += 1;
    expect((await patch()).body.data.version).toBe(3);
    expect((await patch()).body.data.version).toBe(3);
    await deleteOldResponses.run({ database: server.database, log: pino({ level: "silent" }), now: () => server.clock.now + DAY_MS - 1 });
    expect(await kept()).toBe(1);
    await deleteOldResponses.run({ database: server.database, log: pino({ level: "silent" }), now: () => server.clock.now + DAY_MS });
    expect(await kept()).toBe(0);
  });

  test("is not used up by a rejected request, so that it can be corrected and sent again", async () => {
    expect((await create("ab", "mended")).status).toBe(400);
    await create("taken by another", "another");
    expect((await create("taken by another", "mended")).status).toBe(409);
    expect((await create("mended", "mended")).status).toBe(201);
  });

  test("distinguishes requests by If-Match", async () => {
    const { data, etag } = await server.client.createGate({ body: { name: "conditional" } });
    const send = (ifMatch: string) =>
      server.send("PUT", `/console/v1/gates/${data.id}/disable`, { headers: { "Idempotency-Key": "conditional", "If-Match": ifMatch } });
    expect((await send(etag ?? "")).status).toBe(200);
    expect((await send(etag ?? "")).headers.get("Idempotency-Replayed")).toBe("true");
    expect((await send("*")).status).toBe(422);
  });

  test("belongs to the API key that sends it", async () => {
    const { secret } = await createKey(server.database, { type: "CONSOLE", description: "second key" });
    expect((await create("of the first", "shared")).status).toBe(201);
    expect((await create("of the second", "shared", { key: secret })).status).toBe(201);
  });

  test("is 1 to 255 visible characters", async () => {
    for (const key of ["two words", "x".repeat(256)]) {
      const answer = await create("badly keyed", key);
      expect([answer.status, answer.body.errors.map(({ property }: { property: string }) => property)]).toEqual([400, ["idempotency-key"]]);
    }
  });

  test("is not used up by a dry run", async () => {
    const dry = await server.send("POST", "/console/v1/gates?dryRun=true", {
      body: { name: "later" },
      headers: { "Idempotency-Key": "dry" },
    });
    expect(dry.status).toBe(201);
    expect((await create("later for good", "dry")).status).toBe(201);
  });

  test("of two concurrent requests runs once, and both get the same response", needs.postgres, async () => {
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all([create(`raced ${round}`, `raced-${round}`), create(`raced ${round}`, `raced-${round}`)]);
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(answers[0].text).toBe(answers[1].text);
      expect(answers.map(({ headers }) => headers.get("Idempotency-Replayed")).toSorted()).toEqual([null, "true"].toSorted());
    }
  });

  test("expires early if its API key has more than 256 MiB of newer responses, independently of other keys", async () => {
    const { key, secret } = await createKey(server.database, { type: "CONSOLE", description: "writes a lot" });
    const other = await createKey(server.database, { type: "CONSOLE", description: "writes a little" });
    for (const [id, first] of [
      [key.id, 1],
      [other.key.id, 300],
    ]) {
      await server.database.db.$executeRaw`
        insert into idempotency_record ("projectID", "actorID", "key", "fingerprint", "status", "body", "time")
        select 'default', ${id}, 'kept-' || number, '', 200, repeat('x', 1048576), ${server.clock.now}::bigint - number
        from generate_series(${first}::int, 300) as number`;
    }
    expect((await create("one more answer", "newest", { key: secret })).status).toBe(201);
    const kept = await server.database.db.$queryRaw`
      select "actorID", count(*)::int as count, max("time")::text as newest, min("time")::text as oldest from idempotency_record
      where "actorID" in (${key.id}, ${other.key.id}) group by 1 order by 1`;
    const time = (age: number) => String(server.clock.now - age);
    const expected = [
      // 255 records of 1 MiB plus overhead, and the newest.
      { actorID: key.id, count: 256, newest: time(0), oldest: time(255) },
      { actorID: other.key.id, count: 1, newest: time(300), oldest: time(300) },
    ];
    expect(kept).toEqual(expected.toSorted((a, b) => (a.actorID < b.actorID ? -1 : 1)));
    expect((await create("one more answer", "newest", { key: secret })).headers.get("Idempotency-Replayed")).toBe("true");
  });

  test("is stored in the write's transaction: if it cannot be stored, the write is rolled back", async () => {
    const broken = await startServer();
    await broken.database.prisma.$executeRaw`alter table idempotency_record add constraint refused check (false) not valid`;
    // The first use of the key is now in the audit log.
    await broken.client.listGates();
    const before = await fingerprintRows(broken.database);
    const answer = await broken.send("POST", "/console/v1/gates", { body: { name: "half done" }, headers: { "Idempotency-Key": "half" } });
    expect(answer.status).toBe(500);
    expect(await fingerprintRows(broken.database)).toEqual(before);
    await broken.close();
  });
});
