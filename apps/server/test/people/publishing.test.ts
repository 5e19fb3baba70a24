import { createConsoleClient, type Schema } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKey } from "../support/keys.ts";
import { type Colleague, EVERYONE, reviewing, reviewOf } from "../support/reviewing.ts";
import { scheduling } from "../support/scheduling.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";

// The environments in which people of a role may change what users get.

const PERMISSIONS = {
  read: true,
  create_configs: true,
  edit_or_delete_configs: true,
  launch_or_disable_configs: true,
  approve_reviews: true,
};

let server: TestServer;
let [developer, publisher]: Colleague[] = [];
const { colleague, gate, require: requireReviews } = reviewing(() => server);
const { pass } = scheduling(() => server);
beforeAll(async () => {
  server = await startServer();
  developer = await colleague(PERMISSIONS, ["development"]);
  publisher = await colleague();
});
afterAll(() => server.close());

const people = () => ({ developer: developer as Colleague, publisher: publisher as Colleague });
const rule = (name: string, environments?: string[]) => ({ ...EVERYONE, name, ...(environments && { environments }) });
const rulesOf = async (id: string) => (await server.client.getGate({ path: { id } })).data.rules.map(({ name }) => name);
const hint =
  "Send the request with requestReview=true, so that someone who publishes there can approve it, or ask an Admin to change the role.";
const unpublished = (where: string, role: string, proposal = hint) => ({
  status: 403,
  code: "forbidden",
  errors: [],
  message: `Insufficient permissions. This changes what users get in ${where}, where the role ${role} does not publish. ${proposal}`,
});
const toPublish = (name: string, isMet = false) => ({ kind: "PUBLISH", name, team: null, people: null, isMet });
const roleOf = async ({ email }: Colleague) =>
  (await server.client.listUsers({ query: { limit: 1000 } })).data.find((one) => one.email === email)?.role as string;
const restrict = async (one: Colleague, publishesIn: string[] | null) =>
  server.client.patchRole({ path: { id: await roleOf(one) }, body: { publishesIn } });

describe("a person whose role publishes in development", () => {
  test("changes what users get there, and labels everywhere", async () => {
    const { developer } = people();
    const id = await gate({ isEnabled: true, rules: [] });
    await developer.client.patchGate({ path: { id }, body: { rules: [rule("Mine", ["development"])] } });
    await developer.client.patchGate({ path: { id }, body: { description: "Labeled.", tags: [] } });
    expect(await rulesOf(id)).toEqual(["Mine"]);
    const { data } = await developer.client.createGate({ body: { name: "Off at first" } });
    expect(data.isEnabled).toBe(true);
  });

  test("is refused elsewhere, with the environments, the role and who can do it", async () => {
    const { developer } = people();
    const role = await roleOf(developer);
    const id = await gate({ isEnabled: true, rules: [] });
    const change = (environments?: string[]) =>
      refusal(developer.client.patchGate({ path: { id }, body: { rules: [rule("Elsewhere", environments)] } }));
    expect(await change(["production"])).toEqual(unpublished("production", role));
    expect(await change(["Development", "Production"])).toEqual(unpublished("production", role));
    expect(await change()).toEqual(unpublished("staging and production", role));
    expect(await rulesOf(id)).toEqual([]);
  });

  test("is refused a later step of a rollout that reaches others, a batch that contains such a change, and a restored version", async () => {
    const { developer } = people();
    const role = await roleOf(developer);
    const id = await gate({ isEnabled: true, rules: [rule("First", ["production"])] });
    await server.client.patchGate({ path: { id }, body: { rules: [] } });
    const pendingAutomatedRollouts = [{ passPercent: 50, time: server.clock.now + 60_000 }];
    const growing = { ...rule("Growing", ["production"]), passPercentage: 0, pendingAutomatedRollouts };
    const refused = unpublished("production", role);
    expect(await refusal(developer.client.patchGate({ path: { id }, body: { rules: [growing] } }))).toEqual(refused);
    const request = { operationId: "restoreGateVersion", path: { id, version: 1 } } as const;
    expect(await refusal(developer.client.batch({ requests: [request] }))).toEqual(refused);
    expect(await refusal(developer.client.restoreGateVersion({ path: { id, version: 1 } }))).toEqual(refused);
  });

  test("is refused a change of the IDs of a segment, which count everywhere", async () => {
    const { developer } = people();
    const { data: segment } = await server.client.createSegment({ body: { name: "Staff", type: "id_list" } });
    const add = developer.client.addSegmentIDs({ path: { id: segment.id }, body: { ids: ["u1"] } });
    expect(await refusal(add)).toEqual(unpublished("staging and production", await roleOf(developer)));
  });

  test("sees in a dry run where the change needs someone else", async () => {
    const { developer } = people();
    const id = await gate();
    const { requirements } = await developer.client.enableGate({ path: { id }, query: { dryRun: true } });
    expect(requirements).toEqual([toPublish("staging"), toPublish("production")]);
  });

  test("schedules only what they may publish, and is refused at its time if they no longer may", async () => {
    const { developer } = people();
    const role = await roleOf(developer);
    const id = await gate({ isEnabled: true, rules: [] });
    const applyAt = server.clock.now + 60_000;
    const schedule = (environment: string) =>
      developer.client.schedule.patchGate({ path: { id }, query: { applyAt }, body: { rules: [rule("Later", [environment])] } });
    expect(await refusal(schedule("production"))).toEqual(unpublished("production", role));
    const { data: change } = await schedule("development");
    await restrict(developer, ["staging"]);
    const { status, error } = await pass(change);
    await restrict(developer, ["development"]);
    expect([status, error?.message]).toEqual(["FAILED", unpublished("development", role).message]);
  });
});

describe("a change that its author may not publish", () => {
  test("is committed after the approval of someone who publishes there, and not after that of others", async () => {
    const { developer, publisher } = people();
    const other = await colleague(PERMISSIONS, ["staging"]);
    const id = await gate();
    const review = await reviewOf(developer.client.enableGate({ path: { id }, query: { requestReview: true } }));
    const asked = { kind: "AUTHOR", name: "requestReview", team: null, people: null };
    expect(review.requirements).toEqual([toPublish("staging"), toPublish("production"), { ...asked, isMet: false }]);
    expect(review.approvers).toBe("It needs the approval of someone who publishes in staging and production.");
    await other.client.approveReview({ path: review, body: {} });
    const met = (await server.client.getReview({ path: review })).data;
    expect(met.requirements).toEqual([toPublish("staging", true), toPublish("production"), { ...asked, isMet: true }]);
    expect((await refusal(developer.client.commitReview({ path: review }))).status).toBe(409);
    const waiting = async ({ client }: Colleague) => (await client.listReviews({ query: { needsMe: true } })).data.map((one) => one.id);
    expect([await waiting(publisher), await waiting(other)]).toEqual([[review.id], []]);
    await publisher.client.approveReview({ path: review, body: {} });
    await developer.client.commitReview({ path: review });
    expect((await server.client.getGate({ path: { id } })).data.isEnabled).toBe(true);
  });

  test("is stored without being asked for if it needs a review anyway", async () => {
    const { developer } = people();
    const id = await gate();
    await requireReviews(["production"]);
    const review = await reviewOf(developer.client.enableGate({ path: { id } }));
    await requireReviews([]);
    expect(review.requirements.map(({ kind, name }) => [kind, name])).toEqual([
      ["ENVIRONMENT", "production"],
      ["PUBLISH", "staging"],
      ["PUBLISH", "production"],
    ]);
  });

  test("is applied at its time, once someone who publishes there approved it", async () => {
    const { developer, publisher } = people();
    const id = await gate();
    const applyAt = server.clock.now + 60_000;
    const review = await reviewOf(developer.client.schedule.enableGate({ path: { id }, query: { applyAt, requestReview: true } }));
    await publisher.client.approveReview({ path: review, body: {} });
    await developer.client.commitReview({ path: review });
    const { data } = await server.client.listScheduledChanges({ query: { entityType: "gate", entityID: id } });
    const { status, approvedEnvironments } = await pass(data[0] as Schema<"ScheduledChange">);
    expect([status, approvedEnvironments]).toEqual(["APPLIED", ["staging", "production"]]);
  });

  test("is not committed for others by someone who may not publish it either", async () => {
    const { developer, publisher } = people();
    const id = await gate();
    const review = await reviewOf(publisher.client.enableGate({ path: { id }, query: { requestReview: true } }));
    await developer.client.approveReview({ path: review, body: {} });
    const proposal = "Ask someone who publishes there, or ask an Admin to change the role.";
    expect(await refusal(developer.client.commitReview({ path: review }))).toEqual(
      unpublished("staging and production", await roleOf(developer), proposal),
    );
  });
});

describe("where a role publishes", () => {
  const asRole = async (publishesIn: string[], permissions: Schema<"Permissions">) => {
    const { client } = await colleague(permissions, publishesIn);
    return client;
  };

  test("is given only by those who publish there, and cannot be widened by others", async () => {
    const client = await asRole(["development"], {
      ...PERMISSIONS,
      manage_roles: true,
      manage_members: true,
      manage_keys: true,
      read_keys: true,
    });
    const create = (name: string, publishesIn: string[] | null) =>
      client.createRole({ body: { name, permissions: { create_configs: true }, publishesIn } });
    const needs = (where: string) =>
      expect.stringContaining(`This requires the right to publish in ${where}, which is not given by the role`);
    expect(await refusal(create("Wide", null))).toMatchObject({ status: 403, message: needs("every environment") });
    expect(await refusal(create("Elsewhere", ["development", "production"]))).toMatchObject({ status: 403, message: needs("production") });
    await create("Same", ["development"]);
    expect((await refusal(client.patchRole({ path: { id: "Same" }, body: { publishesIn: null } }))).status).toBe(403);
    await client.createRole({ body: { name: "Reader", permissions: { read: true } } });
    const key = (given: object) => client.createKey({ body: { type: "CONSOLE", description: "", scopes: ["omni_read_write"], ...given } });
    expect((await refusal(key({ role: "Editor of nothing" }))).status).toBe(400);
    expect(await refusal(key({ role: "Member" }))).toMatchObject({ status: 403 });
    expect((await key({ role: "Same" })).data.role).toBe("Same");
  });

  test("limits keys with the role, whatever their scopes skip", async () => {
    await server.client.createRole({ body: { name: "Deployer", permissions: PERMISSIONS, publishesIn: ["staging"] } });
    const made = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_write", "bypass_reviews"], role: "Deployer" });
    const client = createConsoleClient({ baseUrl: server.url, apiKey: made.key, retry: { attempts: 1 } });
    const id = await gate();
    expect(await refusal(client.enableGate({ path: { id } }))).toEqual(unpublished("development and production", "Deployer"));
    const bypass = { bypassReview: true, reason: "Now." };
    const proposal = "Ask someone who publishes there, or ask an Admin to change the role.";
    expect(await refusal(client.enableGate({ path: { id }, query: bypass }))).toEqual(
      unpublished("development and production", "Deployer", proposal),
    );
  });

  test("must name existing environments, which then cannot be renamed; null means all", async () => {
    const body = { name: "Careful", permissions: { read: true }, publishesIn: ["nowhere"] };
    expect((await refusal(server.client.createRole({ body }))).errors).toEqual([
      { property: "publishesIn[0]", errorMessage: "references environment nowhere, which does not exist" },
    ]);
    const { data } = await server.client.createRole({ body: { ...body, publishesIn: ["staging"] } });
    expect(data.publishesIn).toEqual(["staging"]);
    const { environments } = (await server.client.getEnvironments()).data;
    const renamed = environments.map((one) => (one.name === "staging" ? { ...one, name: "canary" } : one));
    expect((await refusal(server.client.updateEnvironments({ body: { environments: renamed } }))).status).toBe(409);
    const patched = await server.client.patchRole({ path: { id: "Careful" }, body: { publishesIn: null } });
    expect(patched.data).not.toHaveProperty("publishesIn");
    expect(patched.data.permissions).toEqual(data.permissions);
  });

  test("is shown to the person in their account", async () => {
    const { developer } = people();
    const { data } = await developer.client.getSession();
    expect(data.projects.map(({ publishesIn }) => publishesIn)).toEqual([["development"]]);
  });
});
