import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const create = (name: string) =>
  server.client.createQualifyingEvent({ body: { name, sql: "select * from checkouts", timestampColumn: "opened_at", idTypeMapping: [] } });

describe("an experiment with a qualifying event", () => {
  const experiment = (name: string, given: object) => server.client.createExperiment({ body: { name, ...given } });

  test("requires an existing qualifying event, which cannot be deleted while it is used", async () => {
    const given = { qualifyingEventName: "referenced" };
    expect((await refusal(experiment("referring", given))).errors).toEqual([
      { property: "qualifyingEventName", errorMessage: "references qualifying event referenced, which does not exist" },
    ]);
    await create("referenced");
    await experiment("referring", given);
    const path = { name: "referenced" };
    expect((await refusal(server.client.deleteQualifyingEvent({ path }))).message).toBe(
      "Qualifying event referenced cannot be deleted: it is referenced by experiment referring. Use forceArchive to do it anyway.",
    );
    await server.client.deleteQualifyingEvent({ path, query: { forceArchive: true } });
    const { data } = await server.client.patchExperiment({ path: { id: "referring" }, body: { description: "Still there." } });
    expect(data).toMatchObject({ qualifyingEventName: "referenced", description: "Still there." });
  });

  test("keeps it while it runs", async () => {
    await create("running");
    const { data } = await experiment("runs", { status: "active" });
    const patch = (qualifyingEventName: string) => server.client.patchExperiment({ path: { id: data.id }, body: { qualifyingEventName } });
    expect((await refusal(patch("running"))).errors).toEqual([
      { property: "qualifyingEventName", errorMessage: "cannot change while the experiment is active" },
    ]);
    expect((await patch("")).data.qualifyingEventName).toBe("");
  });

  test("cannot have the id qualifying_events, whose path is of qualifying events", async () => {
    const errorMessage = "cannot make the id qualifying_events, because that path is of qualifying events";
    expect((await refusal(experiment("qualifying_events", {}))).errors).toEqual([{ property: "id", errorMessage }]);
  });
});
