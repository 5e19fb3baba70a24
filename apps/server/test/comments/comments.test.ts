import type { Schema } from "@gatehouse/client";
import { descriptions, permissions, routes } from "@gatehouse/contract/console";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMMENTED_TYPES, managingPermission } from "../../src/console/comments/commented-types.ts";
import { entitySlices } from "../../src/console/kinds.ts";
import { deleteOrphanedComments } from "../../src/jobs/delete-orphans.ts";
import { makeFixture } from "../support/fixtures.ts";
import { makeOtherProject } from "../support/other-project.ts";
import { type Colleague, reviewing } from "../support/reviewing.ts";
import { conflicting, invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let people: { author: Colleague; other: Colleague; viewer: Colleague };
const { colleague } = reviewing(() => server);
beforeAll(async () => {
  server = await startServer();
  people = { author: await colleague(), other: await colleague(), viewer: await colleague("Viewer") };
});
afterAll(() => server.close());

let count = 0;

async function makeGate(): Promise<string> {
  return (await server.client.createGate({ body: { name: `commented ${++count}` } })).data.id;
}

const commentOn = async ({ client }: Pick<Colleague, "client">, id: string, text = "Is it translated?") =>
  (await client.createComment({ body: { entityType: "gate", entityID: id, text } })).data;

const listOf = async (id: string) => (await server.client.listComments({ query: { type: "gate", id } })).data;

describe("createComment", () => {
  test.each(COMMENTED_TYPES)("adds a comment to an entity of the type %s, which stays as it is", async (type) => {
    const readID = entitySlices.find(({ kind }) => kind.type === type)?.operations.read ?? "getGate";
    const { path } = routes[readID];
    expect([descriptions[readID].entity, descriptions[readID].permission]).toEqual([type, "read"]);
    expect(Object.keys(permissions)).toContain(managingPermission(type));
    const fixture = await makeFixture(server, path);
    const id = Object.values(fixture?.parameters ?? {})[0] ?? "";
    const read = () => server.send("GET", path.replace(/\{\w+\}/, encodeURIComponent(id)));
    const before = await read();
    const { data } = await server.client.createComment({ body: { entityType: type, entityID: id, text: "Why?" } });
    expect((await server.client.listComments({ query: { type, id } })).data).toEqual([data]);
    const after = await read();
    expect([before.status, after.headers.get("ETag"), after.text]).toEqual([200, before.headers.get("ETag"), before.text]);
  });

  test("stores who wrote what and when, for people with any role", async () => {
    const [id, { viewer }] = [await makeGate(), people];
    const comment = await commentOn(viewer, id, "  <b>Why?</b>\n");
    const { firstName, lastName } = (await viewer.client.getSession()).data.person;
    expect(comment).toEqual({
      ...{ id: comment.id, entityType: "gate", entityID: id, text: "  <b>Why?</b>\n" },
      entityCreatedTime: (await server.client.getGate({ path: { id } })).data.createdTime,
      author: { id: viewer.id, name: `${firstName} ${lastName}`, email: viewer.email },
      ...{ createdTime: server.clock.now, editedTime: null, version: 1 },
    });
    expect((await server.client.getComment({ path: comment })).data).toEqual(comment);
    const byKey = await commentOn(server, id);
    expect(byKey.author.email).toBeNull();
    expect((await listOf(id)).map((one) => one.id).toSorted()).toEqual([comment.id, byKey.id].toSorted());
  });

  test("refuses an entity that does not exist", async () => {
    const given = { entityType: "gate", entityID: "nowhere", text: "Why?" } as const;
    expect(await refusal(server.client.createComment({ body: given }))).toMatchObject(
      invalid(["entityID", "is not the ID or name of an existing gate"]),
    );
    expect(await listOf("nowhere")).toEqual([]);
  });

  test("adds no more than 500 comments to an entity, however many requests try at once", async () => {
    const id = await makeGate();
    const { id: first } = await commentOn(server, id);
    await server.database.prisma.$executeRaw`
      insert into comment select "projectID", id || number, version, "createdTime", "entityType", "entityID", "entityCreatedTime", entity, derivation
      from comment, generate_series(2, 499) as number where id = ${first}`;
    const tries = await Promise.allSettled(Array.from({ length: 4 }, () => commentOn(people.author, id)));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await refusal(commentOn(people.author, id))).toMatchObject(
      conflicting(`The gate ${id} has 500 comments, which is the maximum. Delete one first.`),
    );
  });

  test("is not possible, and nothing can be read, without access to the project", async () => {
    const id = await makeGate();
    const { id: comment } = await commentOn(server, id);
    const key = await makeOtherProject(server);
    const asOther = (method: string, path: string, body?: object) => server.send(method, path, { key, ...(body && { body }) });
    expect((await asOther("GET", `/console/v1/comments?type=gate&id=${id}`)).body.data).toEqual([]);
    expect((await asOther("GET", `/console/v1/comments/${comment}`)).status).toBe(404);
    expect((await asOther("DELETE", `/console/v1/comments/${comment}`)).status).toBe(404);
    expect((await asOther("POST", "/console/v1/comments", { entityType: "gate", entityID: id, text: "Why?" })).status).toBe(400);
    const stranger = await colleague({});
    const { client } = stranger;
    const calls = [() => client.listComments({ query: { type: "gate", id } }), () => commentOn(stranger, id)];
    for (const call of calls) expect(await refusal(call())).toMatchObject({ status: 403 });
  });
});

describe("patchComment", () => {
  test("changes the text of one's own comment", async () => {
    const comment = await commentOn(people.author, await makeGate());
    server.clock.now += 1_000;
    const { data } = await people.author.client.patchComment({ path: comment, body: { text: "Is it translated to French?" } });
    expect(data).toEqual({ ...comment, text: "Is it translated to French?", editedTime: server.clock.now, version: 2 });
    const patch = people.other.client.patchComment({ path: comment, body: { text: "No." } });
    expect(await refusal(patch)).toMatchObject({ status: 403, message: `Only the author of comment ${comment.id} can change it.` });
    const outdated = people.author.client.patchComment({ path: comment, body: { text: "No." }, ifMatch: '"1"' });
    expect(await refusal(outdated)).toMatchObject({ status: 412 });
  });

  test("leaves a comment deleted if both happen at once", async () => {
    for (let round = 0; round < 5; round++) {
      const comment = await commentOn(people.author, await makeGate());
      const { client } = people.author;
      const patch = () => client.patchComment({ path: comment, body: { text: "Hm." } });
      const [patched, deleted] = await Promise.allSettled([patch(), client.deleteComment({ path: comment })]);
      if (deleted.status === "rejected") {
        expect([patched.status, deleted.reason.status]).toEqual(["fulfilled", 409]);
        await client.deleteComment({ path: comment });
      }
      expect(await refusal(patch())).toMatchObject({ status: 404 });
      expect(await listOf(comment.entityID)).toEqual([]);
    }
  });
});

describe("deleteComment", () => {
  test("deletes one's own comment, and those of others with the permission to delete the entity", async () => {
    const { author, other, viewer } = people;
    const id = await makeGate();
    const [own, ofOther, third] = [await commentOn(viewer, id), await commentOn(other, id), await commentOn(author, id)];
    await viewer.client.deleteComment({ path: own });
    expect(await refusal(viewer.client.deleteComment({ path: ofOther }))).toMatchObject({
      status: 403,
      message: expect.stringContaining("edit_or_delete_configs"),
    });
    await author.client.deleteComment({ path: ofOther });
    expect(await listOf(id)).toEqual([third]);
    const { data } = await server.client.listAuditLogs({ query: { limit: 3 } });
    expect(data.map(({ actionType }) => actionType)).toEqual(["comment_delete", "permission_denied", "comment_delete"]);
  });
});

describe("comments of a deleted entity", () => {
  const read = (comment: Schema<"Comment">) => refusal(server.client.getComment({ path: comment }));
  const clean = () => deleteOrphanedComments.run({ database: server.database, log: server.log, now: () => server.clock.now });

  test("come back with the entity", async () => {
    const id = await makeGate();
    const comment = await commentOn(people.author, id);
    await server.client.deleteGate({ path: { id } });
    await clean();
    expect(await listOf(id)).toEqual([]);
    for (const gone of [read(comment), refusal(people.author.client.patchComment({ path: comment, body: { text: "Hm." } }))])
      expect(await gone).toMatchObject({ status: 404 });
    server.clock.now += 1_000;
    await server.client.restoreGateVersion({ path: { id, version: 1 } });
    expect(await listOf(id)).toEqual([comment]);
  });

  test("do not belong to a new entity with the same id, and are deleted", async () => {
    const id = await makeGate();
    const comment = await commentOn(people.author, id);
    await server.client.deleteGate({ path: { id } });
    server.clock.now += 1_000;
    await server.client.createGate({ body: { name: id } });
    expect([await listOf(id), (await read(comment)).status]).toEqual([[], 404]);
    await clean();
    const stored = await server.database.prisma.$queryRaw`select id from comment where id = ${comment.id}`;
    const { data } = await server.client.listAuditLogs({ query: { limit: 1 } });
    expect([stored, data[0]?.actionType]).toEqual([[], "deleteOrphanedComments"]);
  });

  test("are deleted once the audit log has no version of the entity", async () => {
    const id = await makeGate();
    const comment = await commentOn(people.author, id);
    await server.client.deleteGate({ path: { id } });
    await server.database.prisma.$executeRaw`delete from change where "entityType" = 'gate' and "entityID" = ${id}`;
    await clean();
    expect(await server.database.prisma.$queryRaw`select id from comment where id = ${comment.id}`).toEqual([]);
  });
});
