import { routes } from "@gatehouse/contract/console";
import { entitySlices } from "../../src/console/kinds.ts";
import type { Slice } from "../../src/console/slice.ts";
import {
  byID,
  COLORED,
  type Fixture,
  makeAlert,
  makeArchivedMetric,
  makeCheckouts,
  makeMember,
  makeMetric,
  makeRule,
  makeSegment,
  makeStarted,
  ownProject,
  raiseAlert,
} from "./fixture-entities.ts";
import { evaluationMakers } from "./fixture-evaluations.ts";
import { ingestionMakers } from "./fixture-ingestion.ts";
import { otherMakers } from "./fixture-others.ts";
import { releaseMakers } from "./fixture-releases.ts";
import { webhookMakers } from "./fixture-webhooks.ts";
import { operations } from "./operations.ts";
import { makePerson } from "./people.ts";
import type { TestServer } from "./server.ts";
import { asPerson } from "./sessions.ts";
import { TEST_SESSION } from "./template-database.ts";

let count = 0;

/** Creates the entities that the contract's examples reference. */
export async function makeNamed({ client }: TestServer): Promise<void> {
  await client.createExperiment({ body: { name: "button_wording" } });
  await client.createGate({ body: { name: "new_checkout" } });
  await client.createGate({ body: { name: "new_search" } });
  await client.createSegment({ body: { name: "staff", type: "rule_based" } });
  await client.createLayer({ body: { name: "checkout_page", idType: "userID" } });
  await client.createExperiment({ body: { name: "one_page_checkout" } });
}

/** Creates an entity for a path such as `/console/v1/gates/{id}/archive`. @returns undefined for a path that addresses none */
export async function makeFixture(
  server: TestServer,
  path: string,
  name = `fixture ${++count}`,
  method = "",
): Promise<Fixture | undefined> {
  const paths = Object.keys(makers).map((key) => key.slice(key.indexOf("/")));
  const prefixes = [...makersBySlice.keys(), ...paths].filter((prefix) => path === prefix || path.startsWith(`${prefix}/`));
  const [longest = ""] = prefixes.toSorted((a, b) => b.length - a.length);
  const make = makers[`${method} ${longest}`] ?? makers[longest] ?? makersBySlice.get(longest);
  return make?.(server, name);
}

/** Creates an entity of a slice from the example of its create operation. */
async function makeByExample({ send }: TestServer, { kind, operations: { create, read } }: Slice, name: string): Promise<Fixture> {
  const operation = operations.find(({ operationId }) => operationId === create);
  if (!operation) throw new Error(`Nothing creates what ${read} reads: test/support/fixtures.ts needs a maker of its own for it.`);
  const { method, path, example } = operation;
  const { status, body } = await send(method, path, { body: example && "name" in example ? { ...example, name } : example });
  if (status >= 300) throw new Error(`${create} was answered ${status}: ${JSON.stringify(body)}`);
  const id = kind.getID(body.data, "default");
  const [, parameter = "id"] = /\{(\w+)\}/.exec(routes[read].path) ?? [];
  return { parameters: { [parameter]: id }, table: kind.table, key: { [kind.idColumn ?? "id"]: id } };
}

type Maker = (server: TestServer, name: string) => Promise<Fixture>;

const makersBySlice = new Map(
  entitySlices.map((slice): [string, Maker] => [routes[slice.operations.read].path, (server, name) => makeByExample(server, slice, name)]),
);

/** Makers for paths that need more than the entity of the example. */
const makers: Record<string, Maker> = {
  "/console/v1/alerts/{id}/events/{eventId}": async (server, name) => {
    const [id, projectID] = [await makeAlert(server, name), await ownProject(server)];
    const event = { eventType: "raise", title: name, message: "", reason: "", value: 2, resolvedBy: null, createdTime: 1 };
    await server.database.prisma.$executeRaw`
      insert into alert_event ("projectID", id, "alertID", "createdTime", event)
      values (${projectID}, ${`event of ${id}`}, ${id}, 1, ${JSON.stringify(event)})`;
    return { parameters: { id, eventId: `event of ${id}` }, table: "alert", key: { id } };
  },
  "/console/v1/alerts/{id}/resolve": async (server, name) => {
    const [id, projectID] = [await makeAlert(server, name), await ownProject(server)];
    const times = { checkedTime: 1, lastTriggeredTime: 1, reportTime: 1 };
    const state = { status: "alert", statusReason: "Above it.", value: 2, lasting: "raise", ...times };
    await server.database.prisma.$executeRaw`
      insert into alert_check ("projectID", "alertID", version, "beginTime", state)
      values (${projectID}, ${id}, 1, 1, ${JSON.stringify(state)})`;
    return byID("alert", id);
  },
  "/console/v1/attributes/{id}": async ({ client }, name) => {
    await client.updateAttribute({ path: { id: name }, body: { description: "First.", isHidden: false } });
    return byID("attribute", name);
  },
  "/console/v1/dynamic_configs/{id}/rule/{ruleId}": async ({ client }, name) => {
    const { data } = await client.createDynamicConfig({ body: { name, rules: [{ name: "Staff", passPercentage: 1, conditions: [] }] } });
    return { parameters: { id: data.id, ruleId: data.rules[0]?.id ?? "" }, table: "dynamic_config", key: { id: data.id } };
  },
  "/console/v1/environments": async () => ({ parameters: {}, table: "environment_set", key: { projectID: "default" } }),
  ...Object.fromEntries(
    Object.entries({
      abandon: "active",
      load_pulse: "active",
      make_decision: "active",
      reset: "active",
      unarchive: "archived",
    } as const).map(([step, status]) => [
      `/console/v1/experiments/{id}/${step}`,
      async ({ client }, name) => byID("experiment", (await client.createExperiment({ body: { name, ...COLORED, status } })).data.id),
    ]),
  ),
  ...Object.fromEntries(
    ["make_decision", "reset"].map((step) => [
      `/console/v1/autotunes/{id}/${step}`,
      async (server: TestServer, name: string) => makeStarted(server, name),
    ]),
  ),
  "/console/v1/experiments/{id}/alerts/{metricId}/resolve": async (server, name) => {
    const { id } = (await server.client.createExperiment({ body: { name, ...COLORED } })).data;
    return { parameters: { id, metricId: await raiseAlert(server, "experiment", id) }, table: "experiment", key: { id } };
  },
  "/console/v1/experiments/{id}/overrides": async ({ client }, name) => {
    const { id } = (await client.createExperiment({ body: { name, ...COLORED } })).data;
    await client.addExperimentOverrides({ path: { id }, body: { overrides: [], userIDOverrides: [{ groupID: "Green", ids: ["first"] }] } });
    return { parameters: { id }, table: "overrides", key: { ownerID: id } };
  },
  "/console/v1/experiments/{id}/pulse_load_history/{dagID}": async ({ client }, name) => {
    const { id } = (await client.createExperiment({ body: { name, ...COLORED, status: "active" } })).data;
    const { dagID } = (await client.startExperimentPulseLoad({ path: { id } })).data;
    return { parameters: { id, dagID }, table: "pulse_load", key: { id: dagID } };
  },
  "/console/v1/experiments/{id}": async ({ client }, name) =>
    byID("experiment", (await client.createExperiment({ body: { name, ...COLORED } })).data.id),
  "/console/v1/gates/{id}/alerts/{metricId}/resolve": async (server, name) => {
    const { client, database } = server;
    const { data } = await client.createGate({ body: { name } });
    const { id } = data;
    const metricId = await raiseAlert(server, "gate", id);
    const pausedBy = [{ ruleID: "half", metricID: metricId, pausedTime: data.createdTime }];
    const where = { projectID: await ownProject(server), id };
    await database.prisma.gate.updateMany({ where, data: { entity: JSON.stringify({ ...data, pausedBy }) } });
    return { parameters: { id, metricId }, table: "gate", key: { id } };
  },
  "/console/v1/gates/{id}/overrides": async ({ client }, name) => {
    const { id } = (await client.createGate({ body: { name } })).data;
    await client.addGateOverrides({ path: { id }, body: { passingUserIDs: ["first"] } });
    return { parameters: { id }, table: "overrides", key: { ownerID: id } };
  },
  "/console/v1/gates/{id}/load_pulse": async ({ client }, name) => byID("gate", (await makeRule(client, name)).id),
  "/console/v1/gates/{id}/rules/{ruleID}/pulse_load_history/{dagID}": async ({ client }, name) => {
    const { id, ruleID } = await makeRule(client, name);
    const { dagID } = (await client.startGatePulseLoad({ path: { id }, body: { ruleId: ruleID } })).data;
    return { parameters: { id, ruleID, dagID }, table: "pulse_load", key: { id: dagID } };
  },
  "/console/v1/gates/{id}/rules/{ruleID}": async ({ client }, name) => {
    const { id, ruleID } = await makeRule(client, name);
    return { parameters: { id, ruleID }, table: "gate", key: { id } };
  },
  "/console/v1/holdouts/{id}/overrides": async ({ client }, name) => {
    const { id } = (await client.createHoldout({ body: { name } })).data;
    await client.addHoldoutOverrides({ path: { id }, body: { passingUserIDs: ["first"] } });
    return { parameters: { id }, table: "overrides", key: { ownerID: id } };
  },
  "/console/v1/holdouts/{id}/pulse_load_history/{dagID}": async ({ client }, name) => {
    const { id } = (await client.createHoldout({ body: { name } })).data;
    const { dagID } = (await client.startHoldoutPulseLoad({ path: { id } })).data;
    return { parameters: { id, dagID }, table: "pulse_load", key: { id: dagID } };
  },
  "/console/v1/layers/{id}/overrides": async ({ client }, name) => {
    const { id } = (await client.createLayer({ body: { name, idType: "userID" } })).data;
    // The examples reference an experiment on the layer by name. Experiments of other fixtures can have the same name.
    await client.createExperiment({ body: { id: `on_${id}`, name: "one_page_checkout", layerID: id } });
    await client.patchLayerOverrides({ path: { id }, body: { op: "add", conditionalOverrides: [], idOverrides: [] } });
    return { parameters: { id }, table: "overrides", key: { ownerID: id } };
  },
  ...evaluationMakers,
  ...ingestionMakers,
  ...releaseMakers,
  ...otherMakers,
  ...webhookMakers,
  // The examples of their requests name it.
  "GET /console/v1/metrics": ({ client }) => makeCheckouts(client),
  "/console/v1/power_analysis": ({ client }) => makeCheckouts(client),
  "/console/v1/metrics/{id}/cancel_archive": async ({ client }, name) => {
    const metric = await makeMetric(client, name);
    await client.scheduleMetricArchive({ path: metric.parameters });
    return metric;
  },
  "/console/v1/metrics/{id}/reload": async ({ client }, name) => {
    const metric = await makeMetric(client, name);
    await client.createExperiment({ body: { name, ...COLORED, status: "active", primaryMetrics: [{ name, type: "event_user" }] } });
    return metric;
  },
  "/console/v1/metrics/{id}/unarchive": (server, name) => makeArchivedMetric(server, name),
  "/console/v1/metrics/{name}/{type}": async ({ client }, name) => {
    const { table, key } = await makeMetric(client, name);
    return { parameters: { name, type: "event_user" }, table, key };
  },
  // Its own project cannot be deleted.
  "DELETE /console/v1/projects/{id}": async ({ send }, name) => {
    const { data } = (await send("POST", "/console/v1/projects", { key: null, headers: asPerson(TEST_SESSION), body: { name } })).body;
    return byID("project_entry", data.id);
  },
  "/console/v1/projects/{id}": async (server) => byID("project_entry", await ownProject(server)),
  "/console/v1/projects/{id}/members/{email}": async (server, name) => {
    const { email, table, key } = await makeMember(server, name);
    return { parameters: { id: await ownProject(server), email }, table, key };
  },
  "DELETE /console/v1/people/{id}": async (server) => {
    const { id } = (await makePerson(server)).person;
    await server.send("POST", `/console/v1/people/${id}/password_reset`, { key: null, headers: asPerson(TEST_SESSION) });
    return byID("person", id);
  },
  "/console/v1/people/{id}": async (server) => byID("person", (await makePerson(server)).person.id),
  "/console/v1/people/{id}/sessions": async (server, name) => {
    // A key manages no member of another project, so each has a different address. The session has the person's id.
    const { id } = await makeMember(server, `${name} ${++count}`);
    await server.database.prisma.$executeRaw`
      insert into session (id, hash, "personID", "createdTime", "lastUsedTime", "endsTime")
      select ${id}, ${id}, ${id}, "createdTime", "lastUsedTime", "endsTime" from session where id = 'test'`;
    return { parameters: { id, sessionID: id }, table: "person", key: { id } };
  },
  "/console/v1/people/{id}/second_factors": async (server, name) => {
    const { id } = await makeMember(server, `${name} ${++count}`);
    await server.database.prisma.recoveryCode.create({ data: { personID: id, hash: "hash" } });
    return byID("person", id);
  },
  "/console/v1/reviews/{id}": makeReview,
  "POST /console/v1/reviews/{id}/commit": async (server, name) => {
    const review = await makeReview(server, name);
    const path = `/console/v1/reviews/${review.parameters.id}/approve`;
    const headers = { ...asPerson(TEST_SESSION), "GATEHOUSE-PROJECT": await ownProject(server) };
    const { status, body } = await server.send("POST", path, { key: null, headers });
    if (status >= 300) throw new Error(`approveReview was answered ${status}: ${JSON.stringify(body)}`);
    return review;
  },
  "/console/v1/segments/{id}/add_ids": async (server, name) => makeSegment(server, name, "user_store_id_list"),
  "/console/v1/segments/{id}/conditional": async (server, name) => makeSegment(server, name, "rule_based"),
  "/console/v1/segments/{id}/remove_ids": async (server, name) => makeSegment(server, name, "user_store_id_list"),
  "/console/v1/session/passkeys/{id}": async (server) => {
    const id = `passkey-${++count}`;
    const { person } = await makePerson(server);
    const data = { id, personID: person.id, name: "Laptop", publicKey: "", counter: 0, isSynced: false, createdTime: 0 };
    await server.database.prisma.passkey.create({ data });
    return byID("passkey", id);
  },
  "/console/v1/sessions/{id}": async ({ database: { prisma } }) => {
    const id = `session ${++count}`;
    await prisma.$executeRaw`
      insert into session (id, hash, "personID", "createdTime", "lastUsedTime", "endsTime")
      select ${id}, ${id}, "personID", "createdTime", "lastUsedTime", "endsTime" from session where id = 'test'`;
    return byID("session", id);
  },
  "/console/v1/settings": async ({ client }) => {
    // Unchanged settings have no row yet.
    await client.updateTeamSettings({ body: { require_teams_on_configs: false } });
    return { parameters: {}, table: "settings", key: { projectID: "default" } };
  },
  "/console/v1/wh_connections": async ({ client }) => {
    await client.updateWarehouseConnection({ body: { postgres: { url: `postgres://reader@warehouse.example.com/shop_${++count}` } } });
    return { parameters: {}, table: "warehouse_connection", key: { projectID: "default" } };
  },
  "/console/v1/target_app": async ({ client, send }) => {
    await client.createGate({ body: { name: "of iOS", targetApps: ["iOS"] } }).catch(() => {});
    // The example assigns an app, so the gate must not have one yet.
    await send("DELETE", "/console/v1/gates/dark_mode");
    const { id } = (await client.createGate({ body: { name: "dark mode" } })).data;
    return { parameters: {}, table: "gate", key: { id } };
  },
  "/console/v1/users/id/{id}": async (server, name) => {
    const { id, table, key } = await makeMember(server, name);
    return { parameters: { id }, table, key };
  },
  "/console/v1/users/invitations/{id}": async (server, name) => {
    // A person who is a member of another project gets no invitation, so each has a different address.
    const { email } = await makeMember(server, `${name} ${++count}`);
    const { data } = await server.client.listInvitations({ query: { limit: 100 } });
    return byID("one_time_token", data.find((one) => one.email === email)?.id ?? "");
  },
  "/console/v1/users/{email}": async (server, name) => {
    const { email, table, key } = await makeMember(server, name);
    return { parameters: { email }, table, key };
  },
};

/** An open review of a change to a gate that asks for reviews. */
async function makeReview({ client, send }: TestServer, name: string): Promise<Fixture> {
  const reviewSettings = { requiredReview: true };
  const { id } = (await client.createGate({ body: { name, isEnabled: false, rules: [EVERYONE], reviewSettings } })).data;
  const { status, body } = await send("PATCH", `/console/v1/gates/${id}`, { body: { isEnabled: true } });
  if (status !== 202) throw new Error(`patchGate was answered ${status}: ${JSON.stringify(body)}`);
  return byID("review", body.review.id);
}

const EVERYONE = { name: "Everyone", passPercentage: 100, conditions: [] };
