import type { ConsoleClient, Schema } from "@gatehouse/client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeKey } from "../support/keys.ts";
import { type Colleague, EVERYONE, reviewing, reviewOf } from "../support/reviewing.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let author: Colleague;
let reviewer: Colleague;
let exempt: ConsoleClient;
const reviews = reviewing(() => server);
const { gate } = reviews;
beforeAll(async () => {
  server = await startServer();
  author = await reviews.colleague();
  reviewer = await reviews.colleague();
  exempt = await reviews.exempt();
});
beforeEach(async () => {
  await reviews.require([]);
  await exempt.updateReviewSettings({ body: NONE });
});
afterAll(() => server.close());

const NONE = { is_config_review_required: false, is_metric_review_required: false, is_metric_review_required_on_verified_only: false };
const requirement = (kind: Schema<"ReviewRequirementKind">, name: string, given: object = {}) => {
  return { kind, name, team: null, people: null, isMet: false, ...given };
};
/** Why a request needs a review, as its dry run says. */
const requirementsOf = async (dryRun: Promise<{ requirements?: unknown }>) => (await dryRun).requirements;
const DRY = { query: { dryRun: true } };

describe("an environment that requires a review", () => {
  beforeEach(() => reviews.require(["production"]));

  test.each<[string, unknown[], Parameters<ConsoleClient["patchGate"]>[0]["body"]]>([
    ["its users' values", [requirement("ENVIRONMENT", "production")], { rules: [{ ...EVERYONE, environments: ["production"] }] }],
    ["another environment's values", [], { rules: [{ ...EVERYONE, environments: ["staging"] }] }],
    ["a description", [], { description: "New." }],
    ["monitoring metrics and tags", [], { monitoringMetrics: [], tags: ["checkout"] }],
  ])("asks for one if a gate changes %s: %j", async (_, expected, body) => {
    const id = await gate({ isEnabled: true, rules: [] });
    expect(await requirementsOf(author.client.patchGate({ path: { id }, body, ...DRY }))).toEqual(expected);
  });

  test("asks for one if an old version is restored, or several gates are enabled at once", async () => {
    const [id, other] = [await gate(), await gate()];
    await exempt.enableGate({ path: { id } });
    const expected = [requirement("ENVIRONMENT", "production")];
    expect(await requirementsOf(author.client.restoreGateVersion({ path: { id, version: 1 }, ...DRY }))).toEqual(expected);
    const requests = [id, other].map((one) => ({ operationId: "enableGate" as const, path: { id: one } }));
    expect((await reviewOf(author.client.batch({ requests }))).requirements).toEqual(expected);
  });

  test("asks for no review if a gate is created or deleted while it fails everyone", async () => {
    const { data } = await author.client.createGate({ body: { name: "new gate off", isEnabled: false, rules: [EVERYONE] } });
    await author.client.deleteGate({ path: { id: data.id } });
    const created = author.client.createGate({ body: { name: "new gate on", rules: [EVERYONE] } });
    expect((await reviewOf(created)).entities).toContainEqual({ entityType: "gate", entityID: "new_gate_on", version: null });
  });

  test("asks for one if another version of a prompt becomes live, and none if its description changes", async () => {
    const { id } = (await exempt.createPrompt({ body: { name: "reviewed prompt" } })).data;
    const { data: version } = await exempt.createPromptVersion({ path: { id }, body: { name: "First" } });
    const change = (body: object) => requirementsOf(author.client.patchPrompt({ path: { id }, body, ...DRY }));
    expect(await change({ description: "New." })).toEqual([]);
    expect(await change({ liveVersionID: version.id })).toEqual([requirement("ENVIRONMENT", "production")]);
  });

  test("asks for one if only a later step of a rollout changes", async () => {
    const id = await gate({ isEnabled: true, rules: [{ ...EVERYONE, passPercentage: 0 }] });
    const pending = [{ time: server.clock.now + 3_600_000, passPercent: 100 }];
    const rules = [{ ...EVERYONE, passPercentage: 0, pendingAutomatedRollouts: pending }];
    const expected = [requirement("ENVIRONMENT", "production")];
    expect(await requirementsOf(author.client.patchGate({ path: { id }, body: { rules }, ...DRY }))).toEqual(expected);
  });

  test("asks for one if the start of an experiment is scheduled, and if its groups change afterwards", async () => {
    const { data } = await author.client.createExperiment({ body: { name: "planned", status: "setup" } });
    const scheduledTime = server.clock.now + 3_600_000;
    const schedule = { path: { id: data.id }, body: { scheduledTime } };
    expect((await reviewOf(author.client.scheduleExperimentStart(schedule))).requirements).toEqual([
      requirement("ENVIRONMENT", "production"),
    ]);
    await exempt.scheduleExperimentStart(schedule);
    const change = author.client.patchExperiment({ path: { id: data.id }, body: { allocation: 50 } });
    expect((await reviewOf(change)).requirements).toEqual([requirement("ENVIRONMENT", "production")]);
  });

  test("asks for one if an id is added to a list, and if overrides of a gate change", async () => {
    const segment = (await exempt.createSegment({ body: { name: "beta testers", type: "id_list" } })).data;
    const expected = [requirement("ENVIRONMENT", "production")];
    expect((await reviewOf(author.client.addSegmentIDs({ path: segment, body: { ids: ["ann"] } }))).requirements).toEqual(expected);
    const id = await gate({ isEnabled: true });
    const overriding = author.client.addGateOverrides({ path: { id }, body: { passingUserIDs: ["ann"] } });
    const review = await reviewOf(overriding);
    expect(review.requirements).toEqual(expected);
    expect((await server.client.getGate({ path: { id } })).data.activeReview).toMatchObject({ reviewID: review.id });
  });

  test("asks for one if keys of other target apps get an entity", async () => {
    for (const name of ["web", "mobile"]) await exempt.createTargetApp({ body: { name } });
    const id = await gate({ isEnabled: true, rules: [], targetApps: ["web"] });
    const change = (targetApps: string[]) => requirementsOf(author.client.patchGate({ path: { id }, body: { targetApps }, ...DRY }));
    expect(await change(["mobile"])).toEqual([requirement("ENVIRONMENT", "production")]);
    expect(await change([])).toEqual([requirement("ENVIRONMENT", "production")]);
    expect(await change(["web"])).toEqual([]);
  });

  test("reviews a batch as a whole", async () => {
    const id = await gate();
    const requests = [
      { operationId: "createTag" as const, body: { name: "reviewed with a gate" } },
      { operationId: "enableGate" as const, path: { id } },
    ];
    const review = await reviewOf(author.client.batch({ requests }));
    expect(review.operationId).toBe("batch");
    expect((await refusal(server.client.getTag({ path: { id: "reviewed with a gate" } }))).status).toBe(404);
    await reviewer.client.approveReview({ path: review });
    await author.client.commitReview({ path: review });
    expect((await server.client.getGate({ path: { id } })).data.isEnabled).toBe(true);
    expect((await server.client.getTag({ path: { id: "reviewed with a gate" } })).data.name).toBe("reviewed with a gate");
  });

  test("leaves people with the permission for overrides alone, and keys with the scope bypass_reviews", async () => {
    const permissions = { read: true, edit_or_delete_configs: true, bypass_reviews_for_overrides: true };
    const { client } = await reviews.colleague(permissions);
    const id = await gate({ isEnabled: true });
    await client.addGateOverrides({ path: { id }, body: { passingUserIDs: ["ann"] } });
    const fewer = client.patchGate({ path: { id }, body: { rules: [] } });
    expect((await reviewOf(fewer)).requirements).toEqual([requirement("ENVIRONMENT", "production")]);
    await exempt.patchGate({ path: { id }, body: { rules: [] } });
    expect((await server.client.getGate({ path: { id } })).data.rules).toEqual([]);
  });
});

describe("the settings of a project, a team or an entity", () => {
  test("ask for a review in every environment, even if no environment requires one", async () => {
    await exempt.updateReviewSettings({ body: { ...NONE, is_config_review_required: true } });
    const id = await gate();
    const asked = [requirement("PROJECT", "is_config_review_required")];
    const rules = [{ ...EVERYONE, environments: ["development"] }];
    expect((await reviewOf(author.client.patchGate({ path: { id }, body: { isEnabled: true, rules } }))).requirements).toEqual(asked);
  });

  test("of a team decide for its entities, and who approves", async () => {
    const strict = { name: "Payments", requireReviews: true, reviewApproval: "admin_only" as const, members: [author.email] };
    const { data: team } = await exempt.createTeam({ body: strict });
    const id = await gate({ teamID: team.id });
    const review = await reviewOf(author.client.enableGate({ path: { id } }));
    expect(review.requirements).toEqual([requirement("TEAM", "Payments", { team: { id: team.id, name: "Payments", adminsOnly: true } })]);
    const approvers = "It needs the approval of an admin of the team Payments.";
    expect(review.approvers).toBe(approvers);
    const path = { id: review.id };
    const message = `Review ${review.id} has no requirement that you can meet. ${approvers}`;
    expect(await refusal(reviewer.client.approveReview({ path }))).toMatchObject({
      status: 403,
      code: "forbidden",
      message: expect.stringContaining(message),
    });
    await exempt.patchTeam({ path: { id: team.id }, body: { admins: [reviewer.email] } });
    expect((await reviewer.client.approveReview({ path })).data.status).toBe("APPROVED");
    await exempt.updateReviewSettings({ body: { ...NONE, is_config_review_required: true } });
    const { data: lenient } = await exempt.createTeam({ body: { name: "Docs", requireReviews: false } });
    const other = await gate({ teamID: lenient.id });
    await author.client.enableGate({ path: { id: other } });
  });

  test("of a team that reviews its own changes let only its members approve", async () => {
    const strict = { name: "Catalog", requireReviews: true, reviewApproval: "team_only" as const, members: [author.email] };
    const { data: team } = await exempt.createTeam({ body: strict });
    const { id } = await reviewOf(author.client.enableGate({ path: { id: await gate({ teamID: team.id }) } }));
    const { status, message } = await refusal(reviewer.client.approveReview({ path: { id } }));
    expect([status, message]).toEqual([403, expect.stringContaining("It needs the approval of a member of the team Catalog.")]);
    await exempt.patchTeam({ path: { id: team.id }, body: { members: [author.email, reviewer.email] } });
    expect((await reviewer.client.approveReview({ path: { id } })).data.status).toBe("APPROVED");
  });

  test("of a gate name the reviewers, and an easing of them needs a review itself", async () => {
    const allowedReviewers = [{ id: reviewer.id, name: "Reviewer", email: reviewer.email }];
    const id = await gate({ reviewSettings: { requiredReview: true, allowedReviewers } });
    const review = await reviewOf(author.client.enableGate({ path: { id } }));
    expect(review.requirements).toEqual([requirement("ENTITY", id, { people: allowedReviewers })]);
    const other = await reviews.colleague();
    expect((await refusal(other.client.approveReview({ path: review }))).status).toBe(403);
    expect((await other.client.listReviews({ query: { needsMe: true } })).data.map((one) => one.id)).not.toContain(review.id);
    expect((await reviewer.client.listReviews({ query: { needsMe: true } })).data.map((one) => one.id)).toContain(review.id);
    const reviewSettings = { requiredReview: false, allowedReviewers: [] };
    const easing = await reviewOf(author.client.patchGate({ path: { id }, body: { reviewSettings } }));
    expect(easing.requirements).toEqual([requirement("SAFEGUARD", id)]);
  });

  test("ask for a review of metrics, of verified ones alone, and of sources", async () => {
    const metric = { name: "orders", type: "event_count_custom" as const, metricEvents: [{ name: "order" }] };
    await exempt.createMetric({ body: metric });
    await exempt.updateReviewSettings({
      body: { ...NONE, is_metric_review_required: true, is_metric_review_required_on_verified_only: true },
    });
    const change = () => author.client.updateMetric({ path: { id: "orders::event_count_custom" }, body: { directionality: "decrease" } });
    await change();
    await exempt.updateReviewSettings({ body: { ...NONE, is_metric_review_required: true } });
    const description = "All orders.";
    await author.client.updateMetric({ path: { id: "orders::event_count_custom" }, body: { description } });
    const increase = author.client.updateMetric({ path: { id: "orders::event_count_custom" }, body: { directionality: "increase" } });
    expect((await reviewOf(increase)).requirements).toEqual([requirement("PROJECT", "is_metric_review_required")]);
  });
});

describe("easing what asks for reviews", () => {
  test("needs a review itself: of an environment, of the project's settings, of a team", async () => {
    await reviews.require(["production"]);
    await exempt.updateReviewSettings({ body: { ...NONE, is_config_review_required: true } });
    const { data: team } = await exempt.createTeam({ body: { name: "Search", requireReviews: true, reviewApproval: "team_only" } });
    const admin = await reviews.colleague("Admin");
    const { environments } = (await admin.client.getEnvironments()).data;
    const eased = environments.map((one) => ({ ...one, requiresReview: false }));
    const of = async (writing: Promise<unknown>) => (await reviewOf(writing)).requirements;
    expect(await of(admin.client.updateEnvironments({ body: { environments: eased } }))).toEqual([requirement("SAFEGUARD", "production")]);
    expect(await of(admin.client.updateReviewSettings({ body: NONE }))).toEqual([requirement("SAFEGUARD", "is_config_review_required")]);
    const anyone = { reviewApproval: "anyone" as const };
    expect(await of(admin.client.patchTeam({ path: { id: team.id }, body: anyone }))).toEqual([requirement("SAFEGUARD", "Search")]);
    await admin.client.patchTeam({ path: { id: team.id }, body: { reviewApproval: "admin_only" } });
    const { data: other } = await exempt.createTeam({ body: { name: "Docs of search" } });
    const exempted = admin.client.patchTeam({ path: { id: other.id }, body: { requireReviews: false } });
    expect(await of(exempted)).toEqual([requirement("SAFEGUARD", "Docs of search")]);
    await exempt.patchTeam({ path: { id: other.id }, body: { requireReviews: false } });
    const id = await gate({ teamID: team.id });
    expect(await of(admin.client.patchGate({ path: { id }, body: { teamID: other.id } }))).toContainEqual(requirement("SAFEGUARD", id));
  });
});

describe("an emergency", () => {
  test("lets people with bypass_reviews write at once with a reason, which the change log shows", async () => {
    await reviews.require(["production"]);
    const id = await gate({ isEnabled: true });
    const admin = await reviews.colleague("Admin");
    const without = (query: object) => ({ path: { id }, query: { bypassReview: true, ...query } });
    expect(await refusal(admin.client.disableGate(without({})))).toEqual(invalid(["bypassReview", "needs a reason"]));
    const later = { applyAt: server.clock.now + 1_000, reason: "It fails." };
    expect(await refusal(admin.client.schedule.disableGate(without(later) as never))).toEqual(
      invalid(["bypassReview", "cannot be combined with applyAt"]),
    );
    expect((await refusal(author.client.disableGate(without({ reason: "It fails." })))).status).toBe(403);
    await admin.client.disableGate(without({ reason: "It fails." }));
    const { data } = await server.client.listChanges({ query: { entityType: "gate", entityID: id } });
    expect(data[0]).toMatchObject({ operationID: "disableGate", actorID: admin.id, reason: "Without a review: It fails." });
  });

  test("is refused to keys without the scope bypass_reviews, which can't approve either", async () => {
    await reviews.require(["production"]);
    const id = await gate();
    const { key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_write"] });
    const query = "bypassReview=true&reason=Now";
    expect((await server.send("PUT", `/console/v1/gates/${id}/enable?${query}`, { key })).status).toBe(403);
    const { status, body } = await server.send("PUT", `/console/v1/gates/${id}/enable`, { key });
    expect([status, body.review.author.email, body.data.isEnabled]).toEqual([202, null, false]);
    expect((await server.send("POST", `/console/v1/reviews/${body.review.id}/approve`, { key })).status).toBe(403);
  });
});
