import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
// A project has one set of settings: each test starts from those of a fresh database.
beforeEach(async () => {
  const { prisma } = server.database;
  await prisma.settings.deleteMany();
  await prisma.reference.deleteMany({ where: { fromType: "settings" } });
  await prisma.project.updateMany({ data: { name: "default" } });
});
afterAll(() => server.close());

const FRESH = {
  name: "default",
  visibility: "OPEN",
  default_unit_type: "userID",
  timeZone: "UTC",
  default_project_role: "Member",
  require_teams_on_configs: false,
  is_config_review_required: false,
  is_metric_review_required: false,
  is_metric_review_required_on_verified_only: false,
  is_whn_analysis_only_review_required: false,
  is_whn_source_review_required: false,
  version: 0,
};

const MISSING = "is required because the project requires a team (require_teams_on_configs)";

const read = async (page = "") => (await server.send("GET", `/console/v1/settings${page}`)).body;
const post = (page: string, body: object, headers = {}) => server.send("POST", `/console/v1/settings/${page}`, { body, headers });

describe("getSettings", () => {
  test("200: returns the defaults of a new project with unchanged settings", async () => {
    const { data, message, etag } = await server.client.getSettings({});
    expect([data, message, etag]).toEqual([FRESH, "Settings read successfully.", '"0"']);
  });
});

describe("getProjectSettings, getRoleSettings, getTeamSettings and getReviewSettings", () => {
  test("200: each a part of the settings, with the version of all", async () => {
    await post("teams", { require_teams_on_configs: false });
    const { name, visibility, default_unit_type, timeZone, default_project_role, require_teams_on_configs, version: _, ...reviews } = FRESH;
    const answered = (data: object) => ({ message: "Settings read successfully.", data: { ...data, version: 1 } });
    expect(await read("/project")).toEqual(answered({ name, visibility, default_unit_type, timeZone }));
    expect(await read("/roles")).toEqual(answered({ default_project_role }));
    expect(await read("/teams")).toEqual(answered({ require_teams_on_configs }));
    expect(await read("/reviews")).toEqual(answered(reviews));
  });
});

describe("updateProjectSettings", () => {
  test("200: renames the project, keeps the unit ID type that is omitted and all other settings", async () => {
    const { data, message, etag } = await server.client.updateProjectSettings({ body: { name: "Web shop", visibility: "EXTERNAL" } });
    expect([message, etag]).toEqual(["Settings updated successfully.", '"1"']);
    expect(data).toEqual({ name: "Web shop", visibility: "EXTERNAL", default_unit_type: "userID", timeZone: "UTC", version: 1 });
    expect((await read()).data).toEqual({ ...FRESH, name: "Web shop", visibility: "EXTERNAL", version: 1 });
    expect((await server.client.getProject()).data).toEqual({ id: "default", name: "Web shop" });
  });

  test("200: the unit ID type is that of what is created without one, in a layer that of the layer", async () => {
    const { client } = server;
    await client.createUnitIDType({ body: { name: "companyID" } });
    await client.createLayer({ body: { name: "by user", idType: "userID" } });
    await client.updateProjectSettings({ body: { name: "default", visibility: "OPEN", default_unit_type: "companyID" } });
    const created = [
      await client.createGate({ body: { name: "by default" } }),
      await client.createGate({ body: { name: "as given", idType: "stableID" } }),
      await client.createDynamicConfig({ body: { name: "config by default" } }),
      await client.createExperiment({ body: { name: "experiment by default" } }),
      await client.createExperiment({ body: { name: "on a layer", layerID: "by_user" } }),
      await client.createExperiment({ body: { name: "on none", layerID: null } }),
      await client.createHoldout({ body: { name: "holdout by default" } }),
      await client.createPrompt({ body: { name: "prompt by default" } }),
      await client.createSegment({ body: { name: "segment by default", type: "id_list" } }),
    ];
    expect(created.map(({ data }) => data.idType)).toEqual([
      ...["companyID", "stableID", "companyID", "companyID", "userID", "companyID", "companyID", "companyID", "companyID"],
    ]);
    const deletion = await server.send("DELETE", "/console/v1/unit_id_types/companyID");
    expect([deletion.status, deletion.body.message]).toEqual([409, expect.stringContaining("settings default")]);
  });

  test("400: a unit ID type that does not exist, which is not created either", async () => {
    const errors = [{ property: "default_unit_type", errorMessage: "references unit ID type planetID, which does not exist" }];
    const { status, body } = await post("project", { name: "default", visibility: "OPEN", default_unit_type: "planetID" });
    expect([status, body.errors]).toEqual([400, errors]);
    expect((await server.send("GET", "/console/v1/unit_id_types/planetID")).status).toBe(404);
    expect((await read()).data).toEqual(FRESH);
  });

  test("400: a time zone that does not exist; 200: one that does, which stays if it is omitted", async () => {
    for (const timeZone of ["Europe/Atlantis", "+02:00", "CEST"]) {
      const { status, body } = await post("project", { name: "default", visibility: "OPEN", timeZone });
      const errorMessage = `must be the name of a time zone in the IANA database, such as Europe/Berlin. There is none that is called ${timeZone}`;
      expect([status, body.errors]).toEqual([400, [{ property: "timeZone", errorMessage }]]);
    }
    await post("project", { name: "default", visibility: "OPEN", timeZone: "Asia/Kolkata" });
    await post("project", { name: "default", visibility: "OPEN" });
    expect((await read("/project")).data.timeZone).toBe("Asia/Kolkata");
    await server.send("POST", "/console/v1/settings/versions/1/restore");
    expect((await read()).data).toMatchObject({ timeZone: "Asia/Kolkata", version: 3 });
  });

  test("200: settings that are omitted are kept", async () => {
    await post("project", { name: "Kept", visibility: "CLOSED" });
    await post("reviews", { is_metric_review_required: true });
    await post("reviews", { is_whn_source_review_required: true });
    await post("teams", { require_owners_on_configs: true });
    expect((await post("project", { timeZone: "Asia/Kolkata" })).body.data).toMatchObject({ name: "Kept", visibility: "CLOSED" });
    const kept = { is_metric_review_required: true, is_whn_source_review_required: true, require_owners_on_configs: true };
    expect((await read()).data).toMatchObject({ ...kept, name: "Kept", timeZone: "Asia/Kolkata" });
  });

  test("400: an unknown visibility, and a setting of another page", async () => {
    const { body } = await post("project", { visibility: "SECRET", default_project_role: "Viewer" });
    expect(body.errors.map(({ property }: { property: string }) => property).sort()).toEqual(["default_project_role", "visibility"]);
  });

  test("412 and 409: of several writers that read the same version one succeeds", async () => {
    await post("teams", { require_teams_on_configs: false });
    const body = { name: "Contended", visibility: "OPEN" };
    const writes = await Promise.all([1, 2, 3].map(() => post("project", body, { "If-Match": '"1"' })));
    const statuses = writes.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409 || status === 412)).toHaveLength(2);
  });

  test("200: If-Match can name settings that were never changed", async () => {
    expect((await post("roles", { default_project_role: "Viewer" }, { "If-Match": '"0"' })).status).toBe(200);
    expect((await post("roles", { default_project_role: "Viewer" }, { "If-Match": '"0"' })).status).toBe(412);
  });
});

describe("updateRoleSettings", () => {
  test("200: a role of the project's own, which is then deleted only by force", async () => {
    await server.client.createRole({ body: { name: "Newcomer", permissions: { read: true } } });
    const { data } = await server.client.updateRoleSettings({ body: { default_project_role: "Newcomer" } });
    expect(data).toEqual({ default_project_role: "Newcomer", version: 1 });
    expect((await refusal(server.client.deleteRole({ path: { id: "Newcomer" } }))).message).toBe(
      "Role Newcomer cannot be deleted: it is referenced by settings default. Use forceArchive to do it anyway.",
    );
    await server.client.updateRoleSettings({ body: { default_project_role: "Admin" } });
    expect((await server.client.deleteRole({ path: { id: "Newcomer" } })).message).toBe("Role deleted successfully.");
  });

  test("400: a role that does not exist", async () => {
    expect((await post("roles", { default_project_role: "Nobody" })).body.errors).toEqual([
      { property: "default_project_role", errorMessage: "references role Nobody, which does not exist" },
    ]);
  });
});

describe("updateTeamSettings", () => {
  const source = { sql: "select 1", timestampColumn: "time", idTypeMapping: [] };
  const creations: [string, object, string][] = [
    ["gates", {}, "teamID"],
    ["dynamic_configs", {}, "teamID"],
    ["experiments", {}, "teamID"],
    ["layers", { idType: "userID" }, "teamID"],
    ["segments", { type: "id_list" }, "teamID"],
    ["holdouts", {}, "teamID"],
    ["param_stores", {}, "teamID"],
    ["prompts", {}, "teamID"],
    ["metrics/metric_source", source, "teamID"],
    ["experiments/qualifying_events", source, "teamID"],
    ["experiments/entity_properties", { sql: "select 1", idTypeMapping: [] }, "teamID"],
    ["experiments/assignment_sources", { ...source, experimentIDColumn: "experiment", groupIDColumn: "variant" }, "teamID"],
  ];

  test.each(creations)("400: %s without a team, where one is required; with one, 2xx", async (path, body, property) => {
    const create = (given: object) => server.send("POST", `/console/v1/${path}`, { body: { ...body, ...given } });
    // Dynamic configs and experiments share their ids.
    const name = `${path.replace("/", " ")} before`;
    expect((await create({ name })).status).toBeLessThan(300);
    await post("teams", { require_teams_on_configs: true });
    for (const none of [{}, { team: "" }]) {
      const { status, body: answer } = await create({ name: "without", ...none });
      expect([status, answer.errors]).toEqual([400, [{ property, errorMessage: MISSING }]]);
    }
    expect((await create({ name: `${name} no more`, team: "Payments" })).body.data.team).toBe("Payments");
  });

  test("201: a team's id is a team too; what has none is changed as before, and copied only with a team", async () => {
    const { client } = server;
    const { id: teamID } = (await client.createTeam({ body: { name: "Owners" } })).data;
    await client.createExperiment({ body: { name: "old experiment" } });
    await client.updateTeamSettings({ body: { require_teams_on_configs: true } });
    expect((await client.createGate({ body: { name: "owned", teamID } })).data).toMatchObject({ teamID, team: null });
    const path = { id: "old_experiment" };
    expect((await client.patchExperiment({ path, body: { description: "still changed" } })).data.version).toBe(2);
    const copy = await refusal(client.restartExperimentAsNew({ path, body: { name: "new experiment" } }));
    expect(copy.errors).toEqual([{ property: "teamID", errorMessage: MISSING }]);
    const owned = await client.restartExperimentAsNew({ path, body: { name: "new experiment", teamID } });
    expect(owned.data).toMatchObject({ teamID, team: null });
  });
});

describe("updateReviewSettings", () => {
  test("200: settings of warehouses that are omitted are kept", async () => {
    const given = { is_config_review_required: true, is_metric_review_required: false, is_metric_review_required_on_verified_only: true };
    await post("reviews", { ...given, is_whn_source_review_required: true });
    const { data } = await server.client.updateReviewSettings({ body: given });
    expect(data).toEqual({ ...given, is_whn_analysis_only_review_required: false, is_whn_source_review_required: true, version: 2 });
  });
});

describe("listSettingsVersions and restoreSettingsVersion", () => {
  test("200: settings that were never changed have no versions", async () => {
    const { data, pagination } = await server.client.listSettingsVersions({});
    expect([data, pagination.totalItems]).toEqual([[], 0]);
  });

  test("200: all settings come back as a new version, and the project has the name that it had", async () => {
    await post("project", { name: "First", visibility: "CLOSED" });
    await post("roles", { default_project_role: "Viewer" });
    await post("project", { name: "Third", visibility: "OPEN" });
    const first = { ...FRESH, name: "First", visibility: "CLOSED", version: 1 };
    const second = { ...first, default_project_role: "Viewer", version: 2 };
    expect(await read("/versions")).toEqual({
      message: "Settings versions listed successfully.",
      data: [{ ...second, name: "Third", visibility: "OPEN", version: 3 }, second, first],
      reasons: [],
      pagination: {
        itemsPerPage: 100,
        pageNumber: 1,
        totalItems: 3,
        nextPage: null,
        previousPage: null,
        all: "/console/v1/settings/versions",
      },
    });
    const { data, message } = await server.client.restoreSettingsVersion({ path: { version: 1 } });
    expect([data, message]).toEqual([{ ...first, version: 4 }, "Settings version 1 restored successfully."]);
    expect((await server.client.getProject()).data.name).toBe("First");
  });

  test("404: no such version", async () => {
    const { status, body } = await post("versions/99/restore", {});
    expect([status, body.message]).toEqual([404, "Version 99 of settings default does not exist."]);
  });
});
