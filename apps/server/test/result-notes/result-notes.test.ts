import type { Schema } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NOTED_TYPES } from "../../src/console/result-notes/result-note.ts";
import { deleteOrphanedResultNotes } from "../../src/jobs/delete-orphans.ts";
import { makeOtherProject } from "../support/other-project.ts";
import { type Colleague, reviewing } from "../support/reviewing.ts";
import { conflicting, invalid, refusal, startServer, type TestServer } from "../support/server.ts";

type NotedType = Schema<"NotedType">;

const TIME = 1_763_690_400_000;
const GROUPS = [
  { name: "Control", size: 50 },
  { name: "Test", size: 50 },
];

let server: TestServer;
let people: { author: Colleague; other: Colleague; viewer: Colleague };
const { colleague } = reviewing(() => server);
beforeAll(async () => {
  server = await startServer();
  people = { author: await colleague(), other: await colleague(), viewer: await colleague("Viewer") };
});
afterAll(() => server.close());

let count = 0;

/** A new entity: its ID, and how to read it. */
async function makeNoted(type: NotedType): Promise<{ id: string; url: string }> {
  const name = `noted ${++count}`;
  const { client } = server;
  const make = {
    experiment: () => client.createExperiment({ body: { name, groups: GROUPS } }),
    gate: () => client.createGate({ body: { name } }),
    holdout: () => client.createHoldout({ body: { name } }),
  };
  const { id } = (await make[type]()).data;
  return { id, url: `/console/v1/${type}s/${id}` };
}

const makeExperiment = async () => (await makeNoted("experiment")).id;

const noteOn = async ({ client }: Pick<Colleague, "client">, id: string, text = "Marketing campaign began") =>
  (await client.createResultNote({ body: { entityType: "experiment", entityID: id, time: TIME, text } })).data;

const listOf = async (id: string) => (await server.client.listResultNotes({ query: { type: "experiment", id } })).data;

const nameOf = async ({ client, id, email }: Colleague) => {
  const { firstName, lastName } = (await client.getSession()).data.person;
  return { id, name: `${firstName} ${lastName}`, email };
};

describe("createResultNote", () => {
  test.each(NOTED_TYPES)("adds a note without changing the entity: %s", async (type) => {
    const { id, url } = await makeNoted(type);
    const before = await server.send("GET", url);
    const body = { entityType: type, entityID: id, time: TIME, text: "Checkout outage 10:00–12:00" };
    const { data } = await people.author.client.createResultNote({ body });
    expect(data).toEqual({
      ...body,
      ...{ id: data.id, entityCreatedTime: before.body.data.createdTime, author: await nameOf(people.author) },
      ...{ createdTime: server.clock.now, editedTime: null, version: 1 },
    });
    expect((await server.client.listResultNotes({ query: { type, id } })).data).toEqual([data]);
    expect((await server.client.getResultNote({ path: data })).data).toEqual(data);
    const after = await server.send("GET", url);
    expect([before.status, after.headers.get("ETag"), after.text]).toEqual([200, before.headers.get("ETag"), before.text]);
  });

  test("refuses a blank text, a time in seconds, and an entity that does not exist", async () => {
    const [id, given] = [await makeExperiment(), { entityType: "experiment", time: TIME, text: "Outage" } as const];
    const create = (body: Partial<Schema<"ResultNoteCreate">>) =>
      refusal(server.client.createResultNote({ body: { ...given, entityID: id, ...body } }));
    expect(await create({ text: " \n" })).toMatchObject(invalid(["text", "must not be blank"]));
    expect(await create({ text: "a".repeat(501) })).toMatchObject({ status: 400 });
    expect(await create({ time: TIME / 1_000 })).toMatchObject({ status: 400 });
    expect(await create({ entityID: "nowhere" })).toMatchObject(invalid(["entityID", "is not the ID or name of an existing experiment"]));
    expect([await listOf(id), await listOf("nowhere")]).toEqual([[], []]);
  });

  test("adds no more than 100 notes to an entity, however many requests try at once", async () => {
    const id = await makeExperiment();
    const { id: first } = await noteOn(server, id);
    await server.database.prisma.$executeRaw`
      insert into result_note select "projectID", id || number, version, "createdTime", "entityType", "entityID", "entityCreatedTime", entity, derivation
      from result_note, generate_series(2, 99) as number where id = ${first}`;
    const tries = await Promise.allSettled(Array.from({ length: 4 }, () => noteOn(people.author, id)));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await refusal(noteOn(people.author, id))).toMatchObject(
      conflicting(`The experiment ${id} has 100 result notes, which is the maximum. Delete one first.`),
    );
  });

  test("adds one note if its request is repeated with an idempotency key", async () => {
    const id = await makeExperiment();
    const body = { entityType: "experiment", entityID: id, time: TIME, text: "Outage" } as const;
    const create = async () => (await server.client.createResultNote({ body, idempotencyKey: `note-on-${count}` })).data;
    const first = await create();
    expect([await create(), await listOf(id)]).toEqual([first, [first]]);
  });

  test("needs the permission to edit the entity, and access to the project", async () => {
    const id = await makeExperiment();
    const note = await noteOn(server, id);
    const { client } = people.viewer;
    expect((await client.listResultNotes({ query: { type: "experiment", id } })).data).toEqual([note]);
    const writes = [
      () => noteOn(people.viewer, id),
      () => client.patchResultNote({ path: note, body: { text: "No." } }),
      () => client.deleteResultNote({ path: note }),
    ];
    for (const write of writes)
      expect(await refusal(write())).toMatchObject({ status: 403, message: expect.stringContaining("edit_or_delete_configs") });
    const key = await makeOtherProject(server);
    const asOther = (method: string, path: string, body?: object) => server.send(method, path, { key, ...(body && { body }) });
    expect((await asOther("GET", `/console/v1/result_notes?type=experiment&id=${id}`)).body.data).toEqual([]);
    for (const [method, body] of [["GET"], ["PATCH", { text: "No." }], ["DELETE"]] as const)
      expect((await asOther(method, `/console/v1/result_notes/${note.id}`, body)).status).toBe(404);
    const created = await asOther("POST", "/console/v1/result_notes", { entityType: "experiment", entityID: id, time: TIME, text: "No." });
    expect([created.status, await listOf(id)]).toEqual([400, [note]]);
  });
});

describe("patchResultNote", () => {
  test("changes the time or text of anyone's note, which keeps its author", async () => {
    const note = await noteOn(people.author, await makeExperiment());
    server.clock.now += 1_000;
    const { data } = await people.other.client.patchResultNote({ path: note, body: { time: TIME + 1 } });
    const editor = await nameOf(people.other);
    expect(data).toEqual({ ...note, time: TIME + 1, editor, editedTime: server.clock.now, version: 2 });
    const { data: last } = await people.author.client.patchResultNote({ path: note, body: { text: "Ended" } });
    expect(last).toMatchObject({ time: TIME + 1, text: "Ended", author: note.author, editor: note.author, version: 3 });
    const outdated = people.author.client.patchResultNote({ path: note, body: { text: "No." }, ifMatch: '"2"' });
    expect(await refusal(outdated)).toMatchObject({ status: 412 });
  });

  test("400: a change of nothing, which leaves the note as it is", async () => {
    const note = await noteOn(people.author, await makeExperiment());
    expect(await refusal(people.other.client.patchResultNote({ path: note, body: {} }))).toMatchObject({ status: 400 });
    expect(await listOf(note.entityID)).toEqual([note]);
  });
});

describe("deleteResultNote", () => {
  test("deletes anyone's note, which the audit log keeps with its text", async () => {
    const note = await noteOn(people.author, await makeExperiment(), "Price test in France");
    await people.other.client.deleteResultNote({ path: note });
    expect(await listOf(note.entityID)).toEqual([]);
    const { data } = await server.client.listAuditLogs({ query: { limit: 2 } });
    expect(data.map(({ actionType }) => actionType)).toEqual(["result_note_delete", "result_note_create"]);
    expect(JSON.stringify(data[0])).toContain("Price test in France");
  });
});

describe("notes on the results of a deleted entity", () => {
  const clean = () => deleteOrphanedResultNotes.run({ database: server.database, log: server.log, now: () => server.clock.now });
  const countStored = async (id: string) =>
    (await server.database.prisma.$queryRaw<unknown[]>`select id from result_note where id = ${id}`).length;

  test("come back with the entity", async () => {
    const id = await makeExperiment();
    const note = await noteOn(people.author, id);
    await server.client.deleteExperiment({ path: { id } });
    await clean();
    expect(await listOf(id)).toEqual([]);
    expect(await refusal(server.client.getResultNote({ path: note }))).toMatchObject({ status: 404 });
    server.clock.now += 1_000;
    await server.client.restoreExperimentVersion({ path: { id, version: 1 } });
    expect(await listOf(id)).toEqual([note]);
  });

  test("do not belong to a new entity with the same id, and are deleted", async () => {
    const id = await makeExperiment();
    const note = await noteOn(people.author, id);
    await server.client.deleteExperiment({ path: { id } });
    server.clock.now += 1_000;
    await server.client.createExperiment({ body: { name: id, groups: GROUPS } });
    expect(await listOf(id)).toEqual([]);
    await clean();
    expect(await countStored(note.id)).toBe(0);
    expect((await server.client.listAuditLogs({ query: { limit: 1 } })).data[0]?.actionType).toBe("deleteOrphanedResultNotes");
  });
});
