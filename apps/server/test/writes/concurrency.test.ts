import { pages } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { needs } from "../support/needs.ts";
import { makeOtherProject } from "../support/other-project.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const range = (length: number) => Array.from({ length }, (_, index) => index);

type Answer = Awaited<ReturnType<TestServer["send"]>>;

async function readChanges(entityID: string) {
  const rows = await server.database.prisma.change.findMany({ where: { entityID }, orderBy: { seq: "asc" } });
  return rows.map(({ version, operationID, before, after }) => ({
    version,
    operationID,
    before: before && JSON.parse(before),
    after: after && JSON.parse(after),
  }));
}

describe("concurrent writers", () => {
  test("of one gate get consecutive versions or conflicts, so that no write is lost silently", async () => {
    const { data: gate } = await server.client.createGate({ body: { name: "contended" } });
    const writers = range(20).map((index) =>
      server.client.patchGate({ path: { id: gate.id }, body: { description: `writer ${index}` } }).then(
        ({ data }) => ({ version: data.version, description: data.description }),
        (error) => ({ refused: error.status }),
      ),
    );
    const outcomes = await Promise.all(writers);
    const kept = outcomes.filter((outcome) => "version" in outcome).toSorted((a, b) => a.version - b.version);
    expect(outcomes.filter((outcome) => "refused" in outcome && outcome.refused !== 409)).toEqual([]);
    expect(kept.map(({ version }) => version)).toEqual(range(kept.length).map((index) => index + 2));
    const log = await readChanges(gate.id);
    expect(log.slice(1).map(({ after }) => after.description)).toEqual(kept.map(({ description }) => description));
    expect((await server.client.getGate({ path: { id: gate.id } })).data.description).toBe(kept.at(-1)?.description);
  });

  test("with the same ETag: one succeeds, and the others get 412 or 409", async () => {
    const { data, etag = "" } = await server.client.createGate({ body: { name: "held by two" } });
    const write = (description: string) =>
      server.client.patchGate({ path: { id: data.id }, body: { description }, ifMatch: etag }).then(
        () => 200,
        (error) => error.status,
      );
    const statuses = await Promise.all(range(5).map((index) => write(`writer ${index}`)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status !== 200 && status !== 409 && status !== 412)).toEqual([]);
  });

  test("can list several versions in If-Match, or *", async () => {
    const { data, etag } = await server.client.createGate({ body: { name: "matched" } });
    const patch = (ifMatch: string) => server.client.patchGate({ path: { id: data.id }, body: { description: ifMatch }, ifMatch });
    expect((await patch(`"77", ${etag}`)).data.version).toBe(2);
    expect((await patch("*")).data.version).toBe(3);
    await expect(patch(`W/${etag}`)).rejects.toMatchObject({ status: 412 });
  });
});

describe("the ETag", () => {
  test("of a deleted gate does not match a new gate with the same id", async () => {
    const make = () => server.client.createGate({ body: { name: "made twice" } });
    const { data, etag = "" } = await make();
    await server.client.deleteGate({ path: { id: data.id } });
    server.clock.now += 1;
    await make();
    const stale = server.client.patchGate({ path: { id: data.id }, body: { description: "x" }, ifMatch: etag });
    await expect(stale).rejects.toMatchObject({ status: 412, code: "precondition_failed" });
  });
});

describe("the change log", () => {
  test("has a row for every write, with the actor, the operation, and the entity before and after", async () => {
    const { data: gate } = await server.client.createGate({ body: { name: "logged" } });
    await server.client.archiveGate({ path: { id: gate.id }, body: { archiveReason: "out of use" } });
    await server.client.deleteGate({ path: { id: gate.id } });
    const rows = await server.database.prisma.change.findMany({ where: { entityID: gate.id }, orderBy: { seq: "asc" } });
    const archived = { ...gate, status: "Archived", version: 2 };
    expect(rows.map(({ operationID, version, actorName, reason }) => ({ operationID, version, actorName, reason }))).toEqual([
      { operationID: "createGate", version: 1, actorName: "CONSOLE API", reason: null },
      { operationID: "archiveGate", version: 2, actorName: "CONSOLE API", reason: "out of use" },
      { operationID: "deleteGate", version: 3, actorName: "CONSOLE API", reason: null },
    ]);
    expect((await readChanges(gate.id)).map(({ before, after }) => [before, after])).toEqual([
      [null, gate],
      [gate, archived],
      [archived, null],
    ]);
  });

  test("has no row for a rejected write", async () => {
    const count = () => server.database.prisma.change.count();
    await server.client.createGate({ body: { name: "taken" } });
    const before = await count();
    await expect(server.client.createGate({ body: { name: "taken" } })).rejects.toMatchObject({ status: 409 });
    expect(await count()).toBe(before);
  });

  test("has no gaps in its numbers", async () => {
    await Promise.all(range(20).map((index) => server.client.createGate({ body: { name: `counted ${index}` } })));
    const rows = await server.database.prisma.change.findMany({
      where: { projectID: "default" },
      select: { seq: true },
      orderBy: { seq: "asc" },
    });
    expect(rows.map(({ seq }) => Number(seq))).toEqual(range(rows.length).map((index) => index + 1));
  });

  test("is numbered in commit order: after a number becomes visible, no lower one appears", needs.postgres, async () => {
    let highest = 0n;
    const seen = new Set<bigint>();
    let isWriting = true;
    const watch = async () => {
      while (isWriting) {
        const rows = await server.database.prisma.change.findMany({ where: { projectID: "default" }, select: { seq: true } });
        const fresh = rows.map(({ seq }) => seq ?? 0n).filter((seq) => !seen.has(seq));
        for (const seq of fresh) {
          expect(seq).toBeGreaterThan(highest);
          seen.add(seq);
        }
        highest = [...seen].reduce((a, b) => (a > b ? a : b), 0n);
      }
    };
    const watching = watch();
    await Promise.all(range(60).map((index) => server.client.createGate({ body: { name: `ordered ${index}` } })));
    isWriting = false;
    await watching;
    expect(seen.size).toBeGreaterThan(60);
  });
});

describe("a list", () => {
  test("of 250 entities can be paged through by nextPage without a gap during concurrent inserts", async () => {
    const make = (prefix: string, count: number) =>
      Promise.all(range(count).map((index) => server.client.createGate({ body: { name: `${prefix} ${index}`, tags: ["walked"] } })));
    const stored = (await make("walked", 250)).map(({ data }) => data.id);
    const seen: string[] = [];
    let url: string | null = "/console/v1/gates?tags=walked&limit=20";
    for (let page = 0; url !== null; page++) {
      server.clock.now += 1;
      const inserted = make(`late ${page}`, 3);
      const answer: Answer = await server.send("GET", url);
      await inserted;
      seen.push(...answer.body.data.map(({ id }: { id: string }) => id));
      url = answer.body.pagination.nextPage;
      expect(url ?? "tags=walked").toContain("tags=walked");
    }
    expect(stored.filter((id) => !seen.includes(id))).toEqual([]);
  });

  test("yields each entity once through the client's pages() if no entities are inserted", async () => {
    const ids: string[] = [];
    for await (const gate of pages(server.client.listGates, { query: { limit: 33 } })) ids.push(gate.id);
    const { pagination } = await server.client.listGates({ query: { limit: 1 } });
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(pagination.totalItems);
  });
});

describe("batches at once", needs.postgres, () => {
  test("that change the same entities in opposite orders succeed or conflict, and none is half executed", async () => {
    const { client } = server;
    const ids = range(20).map((index) => `batched_${index}`);
    await client.batch({ requests: ids.map((name) => ({ operationId: "createGate" as const, body: { name } })) });
    const change = (description: string, gates: string[]) =>
      client.batch({ requests: gates.map((id) => ({ operationId: "patchGate" as const, path: { id }, body: { description } })) }).then(
        () => 200,
        ({ status }) => status,
      );
    const statuses = await Promise.all([change("one", ids), change("other", ids.toReversed()), change("third", ids)]);
    for (const status of statuses) expect([200, 409]).toContain(status);
    const succeeded = statuses.filter((status) => status === 200).length;
    expect(succeeded).toBeGreaterThan(0);
    const { data } = await client.batch({ requests: ids.map((id) => ({ operationId: "getGate" as const, path: { id } })) });
    const states = data.map(({ body }) => `${body.data.description} ${body.data.version}`);
    expect(new Set(states).size).toBe(1);
    expect(data[0]?.body.data.version).toBe(1 + succeeded);
  });
});

describe("a key", () => {
  test("of one project neither reads nor changes another project", async () => {
    const { prisma } = server.database;
    const secret = await makeOtherProject(server);
    const { lastSeq } = await prisma.project.findUniqueOrThrow({ where: { id: "other" } });
    await server.client.createGate({ body: { name: "private gate" } });
    const other = (method: string, path: string, body?: object) => server.send(method, path, { key: secret, ...(body && { body }) });
    expect((await other("GET", "/console/v1/gates")).body.pagination.totalItems).toBe(0);
    expect((await other("GET", "/console/v1/gates/private_gate")).status).toBe(404);
    expect((await other("PATCH", "/console/v1/gates/private_gate", { description: "x" })).status).toBe(404);
    expect((await other("DELETE", "/console/v1/gates/private_gate")).status).toBe(404);
    expect((await other("POST", "/console/v1/gates", { name: "private gate" })).status).toBe(201);
    const where = { projectID: "other", seq: { gt: lastSeq } };
    const seqs = await prisma.change.findMany({ where, select: { seq: true }, orderBy: { seq: "asc" } });
    // The first use of its key, and the gate.
    expect(seqs).toEqual([{ seq: lastSeq + 1n }, { seq: lastSeq + 2n }]);
  });
});
