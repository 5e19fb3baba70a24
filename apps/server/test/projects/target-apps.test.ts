import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countWaiting } from "../support/locks.ts";
import { needs } from "../support/needs.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const createTargetApp = async (name: string) => (await server.client.createTargetApp({ body: { name } })).data;
const createGate = async (name: string, targetApps: string[] = []) => (await server.client.createGate({ body: { name, targetApps } })).data;
const gate = async (id: string) => (await server.client.getGate({ path: { id } })).data;
const changeCount = () => server.database.prisma.change.count();
const notThere = { status: 404, code: "not_found", message: "Target app nope does not exist.", errors: [] };

describe("createTargetApp", () => {
  test("200: only the name is required", async () => {
    const { data, message, etag } = await server.client.createTargetApp({ body: { name: "iOS" } });
    expect(message).toBe("Target app created successfully.");
    expect(etag).toBe(`"1-${server.clock.now.toString(36)}"`);
    expect(data).toEqual({
      id: expect.stringMatching(/^\w{22}$/),
      name: "iOS",
      description: "",
      creatorID: expect.stringMatching(/^key_/),
      creatorName: "CONSOLE API",
      creatorEmail: null,
      createdTime: server.clock.now,
      lastModifierID: expect.stringMatching(/^key_/),
      lastModifierName: "CONSOLE API",
      lastModifierEmail: null,
      lastModifiedTime: server.clock.now,
      version: 1,
    });
  });

  test("200: assigns the app to the given gates, dynamic configs and experiments", async () => {
    await createGate("Given gate", ["Web"]);
    await server.client.createDynamicConfig({ body: { name: "Given config" } });
    await server.client.createExperiment({ body: { name: "Given experiment" } });
    const given = { gates: ["given_gate"], dynamicConfigs: ["given_config"], experiments: ["given_experiment"] };
    const { data } = await server.client.createTargetApp({ body: { name: "TV", description: "The big screen.", ...given } });
    expect(data).toMatchObject({ name: "TV", description: "The big screen." });
    expect(data).not.toHaveProperty("gates");
    expect(await gate("given_gate")).toMatchObject({ targetApps: ["Web", "TV"], version: 2 });
    const { data: config } = await server.client.getDynamicConfig({ path: { id: "given_config" } });
    expect(config).toMatchObject({ targetApps: ["TV"], version: 2 });
    const { data: experiment } = await server.client.getExperiment({ path: { id: "given_experiment" } });
    expect(experiment).toMatchObject({ targetApps: ["TV"], version: 2 });
  });

  test("400: names each unknown entity, and creates no app", async () => {
    await createGate("Existing");
    const body = { name: "Unmade", gates: ["existing", "nope"], experiments: ["none"] };
    expect(await refusal(server.client.createTargetApp({ body }))).toEqual(
      invalid(
        ["experiments[0]", "references experiment none, which does not exist"],
        ["gates[1]", "references gate nope, which does not exist"],
      ),
    );
    expect((await refusal(server.client.getTargetApp({ path: { id: "Unmade" } }))).status).toBe(404);
    expect(await gate("existing")).toMatchObject({ targetApps: [], version: 1 });
  });

  test("409: the name is taken", async () => {
    await createTargetApp("Twice");
    expect((await refusal(createTargetApp("Twice"))).message).toBe("Target app Twice already exists.");
  });
});

describe("assignTargetApps", () => {
  test("200: adds each app, by id or name, to each entity, and writes only changed entities", async () => {
    const watch = await createTargetApp("Watch");
    await createTargetApp("Car");
    await createGate("Has none");
    await createGate("Has one", ["Watch"]);
    await createGate("Has both", ["Car", "Watch"]);
    const before = await changeCount();
    const body = { targetApps: [watch.id, "Car"], gates: ["has_one", "has_none", "has_both"] };
    const answer = await server.client.assignTargetApps({ body });
    expect(answer).toEqual({ message: "Target apps updated successfully." });
    expect(await gate("has_none")).toMatchObject({ targetApps: ["Watch", "Car"], version: 2 });
    expect(await gate("has_one")).toMatchObject({ targetApps: ["Watch", "Car"], version: 2 });
    expect(await gate("has_both")).toMatchObject({ targetApps: ["Car", "Watch"], version: 1 });
    expect(await changeCount()).toBe(before + 2);
  });

  test("400: names each unknown entity or target app with its place, and writes nothing", async () => {
    await createTargetApp("Known");
    await createGate("Known gate");
    const before = await changeCount();
    const body = { targetApps: ["Known", "nope"], gates: ["known_gate", "no_gate"], dynamicConfigs: ["no_config"] };
    expect(await refusal(server.client.assignTargetApps({ body }))).toEqual(
      invalid(
        ["targetApps[1]", "references target app nope, which does not exist"],
        ["dynamicConfigs[0]", "references dynamic config no_config, which does not exist"],
        ["gates[1]", "references gate no_gate, which does not exist"],
      ),
    );
    expect(await changeCount()).toBe(before);
  });

  test("400: no target app", async () => {
    const answer = await server.send("PATCH", "/console/v1/target_app", { body: { targetApps: [] } });
    expect(answer.body.errors).toMatchObject([{ property: "targetApps" }]);
  });

  test("400: an entity would have more than 100 apps", async () => {
    await createTargetApp("One more");
    await createGate(
      "Full",
      Array.from({ length: 100 }, (_, index) => `app ${index}`),
    );
    const body = { targetApps: ["One more"], gates: ["full"] };
    expect(await refusal(server.client.assignTargetApps({ body }))).toEqual(
      invalid(["gates[0]", "references gate full, which would have more than 100 target apps"]),
    );
  });

  test("400: an archived entity; all entities stay unchanged", async () => {
    await createTargetApp("Late");
    await createGate("Kept");
    await createGate("Old");
    await server.client.archiveGate({ path: { id: "old" } });
    const refused = refusal(server.client.assignTargetApps({ body: { targetApps: ["Late"], gates: ["kept", "old"] } }));
    expect(await refused).toEqual(invalid(["gates[1]", "references gate old, which is archived"]));
    expect((await gate("kept")).version).toBe(1);
  });
});

describe("a target app that is renamed concurrently", needs.postgres, () => {
  test("blocks writes that reference it, so that none recreates it under its old name", async () => {
    const { id, name } = await createTargetApp("Renamed meanwhile");
    await createGate("Waiting for it");
    const { prisma } = server.database;
    const refused = await prisma.$transaction(async (db) => {
      await db.$executeRaw`update target_app set name = 'Named anew' where id = ${id}`;
      const assigned = refusal(server.client.assignTargetApps({ body: { targetApps: [name], gates: ["waiting_for_it"] } }));
      await waitFor(async () => expect(await countWaiting(server.database)).toBe(1));
      return { assigned };
    });
    const place = ["targetApps[0]", "references target app Renamed meanwhile, which does not exist"] as const;
    expect(await refused.assigned).toEqual(invalid([...place]));
    expect(await prisma.targetApp.count({ where: { name } })).toBe(0);
  });
});

describe("a target app that a body names for the first time", () => {
  test("is created", async () => {
    await createGate("First referrer", ["Fridge"]);
    const { data } = await server.client.getTargetApp({ path: { id: "Fridge" } });
    expect(data).toMatchObject({ name: "Fridge", description: "", creatorName: "CONSOLE API", version: 1 });
  });

  test("is not created if it is referenced by its id, which counts as a reference too", async () => {
    const { id } = await createTargetApp("By its id");
    await server.client.createParamStore({ body: { name: "by_id", targetAppIDs: [id] } });
    expect((await refusal(server.client.deleteTargetApp({ path: { id } }))).message).toContain("param store by_id");
    expect(await server.database.prisma.targetApp.count({ where: { name: id } })).toBe(0);
  });
});

describe("the filter targetAppID", () => {
  test("finds gates, dynamic configs and experiments by the app's id and name, no matter which one they use to reference it", async () => {
    const { client } = server;
    const { id, name } = await createTargetApp("Filtered by");
    for (const [called, app] of Object.entries({ by_id: id, by_name: name, by_another: "Filtered by none" })) {
      const body = { name: called, targetApps: [app] };
      // An experiment and a dynamic config cannot have the same id.
      const experiment = { ...body, name: `experiment_${called}` };
      await Promise.all([client.createGate({ body }), client.createDynamicConfig({ body }), client.createExperiment({ body: experiment })]);
    }
    const found = (targetAppID: string) =>
      Promise.all(
        [client.listGates, client.listDynamicConfigs, client.listExperiments].map(async (list) =>
          (await list({ query: { targetAppID } })).data.map((entity) => entity.id),
        ),
      );
    const both = ["by_id", "by_name"];
    const experiments = both.map((called) => `experiment_${called}`);
    expect(await found(id)).toEqual([both, both, experiments]);
    expect(await found(name)).toEqual([both, both, experiments]);
    expect(await found("no such app")).toEqual([[], [], []]);
  });
});

describe("getTargetApp", () => {
  test("200: by id and by name", async () => {
    const app = await createTargetApp("Kiosk / hall 1");
    const { data, message } = await server.client.getTargetApp({ path: { id: app.id } });
    expect(message).toBe("Target app read successfully.");
    expect(data).toEqual(app);
    expect((await server.client.getTargetApp({ path: { id: app.name } })).data).toEqual(app);
  });

  test("404: the app does not exist", async () => {
    expect(await refusal(server.client.getTargetApp({ path: { id: "nope" } }))).toEqual(notThere);
  });
});

describe("listTargetApps", () => {
  test("200: newest first, in pages", async () => {
    server.clock.now += 1000;
    await createTargetApp("Older");
    server.clock.now += 1000;
    const newer = await createTargetApp("Newer");
    const { data, message, pagination } = await server.client.listTargetApps({ query: { limit: 1 } });
    expect(message).toBe("Target apps listed successfully.");
    expect(data).toEqual([newer]);
    expect(pagination).toEqual({
      itemsPerPage: 1,
      pageNumber: 1,
      totalItems: await server.database.prisma.targetApp.count(),
      nextPage: "/console/v1/target_app?page=2&limit=1",
      previousPage: null,
      all: "/console/v1/target_app",
    });
    expect((await server.client.listTargetApps({ query: { limit: 1, page: 2 } })).data[0]?.name).toBe("Older");
  });
});

describe("patchTargetApp", () => {
  test("200: changes only the given fields; a new name replaces the old one in every entity", async () => {
    const app = await createTargetApp("Phone");
    await createGate("Rings", ["Web", "Phone"]);
    await server.client.createTeam({ body: { name: "Callers", defaultTargetApplications: ["Phone"] } });
    await server.client.createPrompt({ body: { name: "Greeting", targetApps: ["Phone"] } });
    server.clock.now += 1000;
    const answer = await server.client.patchTargetApp({ path: { id: "Phone" }, body: { name: "Mobile", description: "It rings." } });
    expect(answer).toEqual({ message: "Target apps updated successfully." });
    const { data } = await server.client.getTargetApp({ path: { id: app.id } });
    expect(data).toEqual({ ...app, name: "Mobile", description: "It rings.", lastModifiedTime: server.clock.now, version: 2 });
    expect(await gate("rings")).toMatchObject({ targetApps: ["Web", "Mobile"], version: 2 });
    const { data: team } = await server.client.getTeam({ path: { id: "Callers" } });
    expect(team).toMatchObject({ defaultTargetApplications: ["Mobile"], version: 2 });
    expect((await server.client.getPrompt({ path: { id: "greeting" } })).data).toMatchObject({ targetApps: ["Mobile"], version: 2 });
    expect((await refusal(server.client.getTargetApp({ path: { id: "Phone" } }))).status).toBe(404);
  });

  test("404: the app does not exist", async () => {
    expect(await refusal(server.client.patchTargetApp({ path: { id: "nope" }, body: {} }))).toEqual(notThere);
  });
});

describe("deleteTargetApp", () => {
  test("200: deletes by name, and frees the name", async () => {
    const { id } = await createTargetApp("Short lived");
    expect(await server.client.deleteTargetApp({ path: { id: "Short lived" } })).toEqual({ message: "Target app deleted successfully" });
    expect((await createTargetApp("Short lived")).id).not.toBe(id);
  });

  test("409: other entities reference the app; with forceArchive it is deleted", async () => {
    await createGate("Referrer", ["Named"]);
    const path = { id: "Named" };
    const refused = await refusal(server.client.deleteTargetApp({ path }));
    expect(refused).toMatchObject({ status: 409, message: expect.stringContaining("gate referrer") });
    await server.client.deleteTargetApp({ path, query: { forceArchive: true } });
    expect((await gate("referrer")).targetApps).toEqual(["Named"]);
  });

  test("404: the app does not exist", async () => {
    expect(await refusal(server.client.deleteTargetApp({ path: { id: "nope" } }))).toEqual(notThere);
  });
});

describe("the versions of a target app", () => {
  test("200: are listed newest first, and each can be restored, with its name", async () => {
    const first = await createTargetApp("Original");
    await createGate("Follower", ["Original"]);
    const path = { id: first.id };
    await server.client.patchTargetApp({ path, body: { name: "Changed" } });
    expect((await gate("follower")).targetApps).toEqual(["Changed"]);
    const { data } = await server.client.restoreTargetAppVersion({ path: { ...path, version: 1 } });
    expect(data).toEqual({ ...first, version: 3 });
    expect((await gate("follower")).targetApps).toEqual(["Original"]);
    const { data: versions } = await server.client.listTargetAppVersions({ path });
    expect(versions.map(({ name, version }) => [name, version])).toEqual([
      ["Original", 3],
      ["Changed", 2],
      ["Original", 1],
    ]);
  });
});
