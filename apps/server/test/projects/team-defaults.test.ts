import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let teamID: string;
let holdoutID: string;
beforeAll(async () => {
  server = await startServer();
  holdoutID = (await server.client.createHoldout({ body: { name: "Kept back" } })).data.id;
  teamID = await makeTeam("Payments", holdoutID);
});
afterAll(() => server.close());

const metric = (name: string) => [{ name, type: "event_count_custom" }];

async function makeTeam(name: string, defaultHoldoutID: string | null): Promise<string> {
  const { data } = await server.client.createTeam({
    body: {
      name,
      defaultTargetApplications: ["web"],
      defaultHoldoutID,
      defaultGateMetrics: metric("of gates"),
      defaultExperimentPrimaryMetrics: metric("primary"),
      defaultExperimentSecondaryMetrics: metric("secondary"),
      defaultHoldoutMetrics: metric("of holdouts"),
    },
  });
  return data.id;
}

const holdout = async (id: string) => (await server.client.getHoldout({ path: { id } })).data;

describe("entities created with a teamID", () => {
  test("createLayer and createParamStore: have the team and its target apps", async () => {
    const { data: layer } = await server.client.createLayer({ body: { name: "layer of the team", idType: "userID", teamID } });
    expect(layer).toMatchObject({ teamID, targetApps: ["web"] });
    const { data: store } = await server.client.createParamStore({ body: { name: "store_of_the_team", teamID } });
    expect(store).toMatchObject({ teamID, targetAppIDs: ["web"] });
    expect(await refusal(server.client.createLayer({ body: { name: "no such team", idType: "userID", teamID: "absent" } }))).toMatchObject({
      status: 400,
      errors: [{ property: "teamID" }],
    });
  });

  test("createGate: has the team's target apps and metrics, and is held, as its first version", async () => {
    const before = await holdout(holdoutID);
    const { data, etag } = await server.client.createGate({ body: { name: "of the team", teamID } });
    expect(data).toMatchObject({ targetApps: ["web"], monitoringMetrics: metric("of gates"), holdoutIDs: [holdoutID], version: 1 });
    expect(etag).toBe(`"1-${data.createdTime.toString(36)}"`);
    expect((await server.client.getGate({ path: { id: data.id } })).data).toEqual(data);
    expect(await holdout(holdoutID)).toEqual({
      ...before,
      gateIDs: [data.id],
      lastModifiedTime: server.clock.now,
      version: before.version + 1,
    });
    const { message } = await refusal(server.client.deleteGate({ path: { id: data.id } }));
    expect(message).toContain(`it is referenced by holdout ${holdoutID}`);
  });

  test("createExperiment: has the team's target apps, primary and secondary metrics, and is held, in a layer too", async () => {
    await server.client.createLayer({ body: { name: "page", idType: "stableID" } });
    const { data } = await server.client.createExperiment({ body: { name: "of the team", id: "tested", teamID, layerID: "page" } });
    expect(data).toMatchObject({
      ...{ targetApps: ["web"], primaryMetrics: metric("primary"), secondaryMetrics: metric("secondary") },
      ...{ holdoutIDs: [holdoutID], idType: "stableID", version: 1 },
    });
    expect((await holdout(holdoutID)).experimentIDs).toEqual(["tested"]);
  });

  test("createHoldout, createDynamicConfig and createPrompt: have the team's target apps, and holdouts its metrics", async () => {
    const { client } = server;
    const created = await client.createHoldout({ body: { name: "Own holdout", teamID } });
    expect(created.data).toMatchObject({ targetApps: ["web"], monitoringMetrics: metric("of holdouts"), version: 1 });
    expect((await client.createDynamicConfig({ body: { name: "own config", teamID } })).data).toMatchObject({ targetApps: ["web"] });
    expect((await client.createPrompt({ body: { name: "own prompt", teamID } })).data).toMatchObject({ targetApps: ["web"] });
  });

  test("the body's values replace the team's, even with an empty list", async () => {
    const given = { targetApps: ["iOS"], monitoringMetrics: [] };
    expect((await server.client.createGate({ body: { name: "with its own", teamID, ...given } })).data).toMatchObject(given);
  });

  test("defaults apply to creations alone, and by the id alone", async () => {
    const { client } = server;
    const none = { targetApps: [], monitoringMetrics: [], holdoutIDs: [] };
    const { data } = await client.createGate({ body: { name: "given later", team: "Payments" } });
    expect(data).toMatchObject(none);
    expect((await client.patchGate({ path: { id: data.id }, body: { teamID } })).data).toMatchObject({ ...none, teamID });
    expect((await refusal(client.createGate({ body: { name: "by name", teamID: "Payments" } }))).errors).toEqual([
      { property: "teamID", errorMessage: "references team Payments, which does not exist" },
    ]);
  });

  test("a dry run shows the gate and the holdout, and changes neither", async () => {
    const before = await holdout(holdoutID);
    const { body } = await server.send("POST", "/console/v1/gates?dryRun=true", { body: { name: "never made", teamID } });
    expect(body.changes.map(({ entityType, entityID }: any) => `${entityType} ${entityID}`)).toEqual([
      "gate never_made",
      `holdout ${holdoutID}`,
    ]);
    expect(await holdout(holdoutID)).toEqual(before);
  });

  test("several at once are all held", async () => {
    const names = ["at once a", "at once b", "at once c"];
    const created = await Promise.all(names.map((name) => server.client.createGate({ body: { name, teamID } })));
    expect((await holdout(holdoutID)).gateIDs).toEqual(expect.arrayContaining(created.map(({ data }) => data.id)));
  });

  test("201: a default holdout that was deleted by force holds nothing", async () => {
    const { id } = (await server.client.createHoldout({ body: { name: "Soon gone" } })).data;
    const team = await makeTeam("Left alone", id);
    await server.client.deleteHoldout({ path: { id }, query: { forceArchive: true } });
    const { data } = await server.client.createGate({ body: { name: "free", teamID: team } });
    expect(data).toMatchObject({ targetApps: ["web"], holdoutIDs: [] });
  });

  test("409: the default holdout is full", async () => {
    const { id } = (await server.client.createHoldout({ body: { name: "Full" } })).data;
    const team = await makeTeam("Crowded", id);
    const row = await server.database.prisma.holdout.findFirstOrThrow({ where: { id } });
    const gateIDs = Array.from({ length: 1000 }, (_, index) => `gate_${index}`);
    const entity = JSON.stringify({ ...JSON.parse(row.entity), gateIDs });
    await server.database.prisma.holdout.updateMany({ where: { id }, data: { entity } });
    expect((await refusal(server.client.createGate({ body: { name: "too many", teamID: team } }))).message).toBe(
      `Holdout ${id}, the default of the team, lists 1000 gateIDs and cannot list another.`,
    );
    expect((await server.send("GET", "/console/v1/gates/too_many")).status).toBe(404);
  });
});
