import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { PermittedContext } from "../../src/common/context.ts";
import { changeGate } from "../../src/console/gates/gate.ts";
import { builtInRole, permittedBy } from "../../src/console/roles/role.ts";
import { createStores } from "../../src/console/stores.ts";
import { createChangeLog } from "../../src/store/change-log/change-log.ts";
import { writing } from "../../src/store/database/unit-of-work.ts";
import { insufficient, makeKey } from "../support/keys.ts";
import { startServer, type TestServer } from "../support/server.ts";

const EVERY_SCOPE = ["omni_read_write", "can_access_keys"] as ("omni_read_write" | "can_access_keys")[];

let server: TestServer;
let teamID: string;
/** The key of a caller who is in no team. */
let key: string;
beforeAll(async () => {
  server = await startServer();
  const closed = { name: "Payments", changeTeamConfigs: "team_only" as const, members: ["Ann@example.com"], admins: ["bob@example.com"] };
  teamID = (await server.client.createTeam({ body: closed })).data.id;
  await server.client.createTeam({ body: { name: "Search" } });
  key = (await makeKey(server, { type: "CONSOLE", scopes: EVERY_SCOPE, role: "Member" })).key;
});
beforeEach(async () => {
  for (const id of ["refund", "other"]) await server.send("DELETE", `/console/v1/gates/${id}`);
  await server.client.createGate({ body: { name: "refund", teamID } });
  await server.client.createGate({ body: { name: "other", team: "Search" } });
});
afterAll(() => server.close());

const send = (method: string, path: string, body?: unknown) => server.send(method, `/console/v1/${path}`, { key, body });
const outside = (subject: string) => insufficient(`membership of the team Payments or the permission create_teams to write ${subject}`);

describe("an entity of a team_only team", () => {
  test("is read by everybody", async () => {
    expect((await send("GET", "gates/refund")).status).toBe(200);
  });

  test("is not changed, moved, archived, restored or deleted by others", async () => {
    const refused = outside("gate refund");
    expect((await send("PATCH", "gates/refund", { description: "Mine." })).body).toEqual(refused);
    expect((await send("PATCH", "gates/refund?dryRun=true", { description: "Mine." })).body).toEqual(refused);
    expect((await send("PATCH", "gates/refund", { teamID: null })).body).toEqual(refused);
    expect((await send("PUT", "gates/refund/archive")).body).toEqual(refused);
    expect((await send("POST", "gates/refund/versions/1/restore")).body).toEqual(refused);
    expect((await send("DELETE", "gates/refund")).body).toEqual(refused);
    expect((await server.client.getGate({ path: { id: "refund" } })).data).toMatchObject({ teamID, version: 1 });
  });

  test("is not created by others, and nothing else is brought into it", async () => {
    expect((await send("POST", "gates", { name: "payout", teamID })).body).toEqual(outside("gate payout"));
    expect((await send("POST", "layers", { name: "payout", idType: "userID", team: "Payments" })).body).toEqual(outside("layer payout"));
    expect((await send("PATCH", "gates/other", { team: "Payments" })).body).toEqual(outside("gate other"));
  });

  test("has overrides that others do not change either", async () => {
    const refused = outside("gate overrides refund");
    expect((await send("POST", "gates/refund/overrides", { passingUserIDs: ["ann"] })).body).toEqual(refused);
    await server.client.addGateOverrides({ path: { id: "refund" }, body: { passingUserIDs: ["ann"] } });
    expect((await send("PATCH", "gates/refund/overrides", { passingUserIDs: ["bob"] })).body).toEqual(refused);
    expect((await send("DELETE", "gates/refund/overrides")).body).toEqual(refused);
    expect((await send("PATCH", "gates/other/overrides", { passingUserIDs: ["ann"] })).status).toBe(201);
  });

  test("is held out by no global holdout that others create, change, delete or override", async () => {
    const everything = { name: "everything", isGlobal: true, passPercentage: 5 };
    expect((await send("POST", "holdouts", everything)).body).toEqual(outside("holdout everything"));
    const { data } = await server.client.createHoldout({ body: everything });
    const path = `holdouts/${data.id}`;
    expect((await send("PATCH", path, { passPercentage: 1 })).body).toEqual(outside("holdout everything"));
    expect((await send("POST", `${path}/overrides`, { passingUserIDs: ["ann"] })).body).toEqual(outside("holdout overrides everything"));
    expect((await send("DELETE", path)).body).toEqual(outside("holdout everything"));
    await server.client.deleteHoldout({ path: { id: data.id } });
    expect((await send("POST", "holdouts", { ...everything, isGlobal: false })).status).toBe(200);
  });

  test("keeps its tags when others rename one", async () => {
    await server.client.patchGate({ path: { id: "refund" }, body: { tags: ["cart"] } });
    expect((await send("PATCH", "tags/cart", { name: "basket" })).body).toEqual(outside("gate refund"));
    expect((await server.client.getTag({ path: { id: "cart" } })).data.name).toBe("cart");
  });

  test.each([
    ["no role and the scope omni_read_write", { scopes: ["omni_read_write" as const] }],
    ["the role Admin", { scopes: EVERY_SCOPE, role: "Admin" }],
    ["a role with create_teams", { scopes: EVERY_SCOPE, role: "Team keeper" }],
  ])("is changed by a key with %s", async (_title, given) => {
    const permissions = { create_teams: true, edit_or_delete_configs: true };
    await server.client.createRole({ body: { name: "Team keeper", permissions } }).catch(() => {});
    const { key } = await makeKey(server, { type: "CONSOLE", ...given });
    const answer = await server.send("PATCH", "/console/v1/gates/refund", { key, body: { description: "Ours." } });
    expect(answer.status).toBe(200);
  });
});

describe("a person with the role Member", () => {
  const member = builtInRole("Member");

  test.each([
    ["a member of the team, with the address in any case", "ann@Example.com", true],
    ["an admin of the team", "bob@example.com", true],
    ["in no team", "eve@example.com", false],
    ["without an address", null, false],
  ])("who is %s", async (_title, email, isPermitted) => {
    const write = () => changeAs(email);
    if (isPermitted) expect((await write()).description).toBe("By a person.");
    else await expect(write()).rejects.toThrow(outside("gate refund").message);
  });

  test("costs a query only where an entity names a team", async () => {
    await server.client.createGate({ body: { name: "of nobody" } });
    const queries = async (id: string) => {
      const asked: unknown[] = [];
      await changeAs("ann@example.com", id, asked);
      return asked.length;
    };
    // The first reads the gate.
    expect([await queries("of_nobody"), await queries("refund")]).toEqual([1, 2]);
  });

  function changeAs(email: string | null, id = "refund", asked: unknown[] = []) {
    const actor = { id: "person_1", name: "Somebody", email };
    const permissions = new Set(member ? permittedBy(member) : []);
    const context: PermittedContext = {
      actor,
      projectID: "default",
      operationID: "patchGate",
      now: server.clock.now,
      permissions,
      grantedBy: "the role Member",
      limits: null,
      publishing: null,
      administersInstance: false,
    };
    return writing(server.database, async (given) => {
      const ask = given.$queryRaw.bind(given);
      const db = Object.assign(Object.create(given), {
        $queryRaw: (...query: Parameters<typeof ask>) => asked.push(query) && ask(...query),
      });
      const { gates } = createStores({ db, context, log: createChangeLog(db, context) });
      const gate = await gates.get(id);
      return gates.replace(gate, changeGate(gate, { description: "By a person." }, context));
    });
  }
});

test("A team that is open to anyone restricts no one", async () => {
  expect((await send("PATCH", "gates/other", { description: "Found." })).status).toBe(200);
});
