import type { ConsoleClient } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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
  await reviews.require(["production"]);
});
afterAll(() => server.close());

const HOUR_MS = 3_600_000;
const ANYONE = "Anyone with the permission approve_reviews can approve it. Its author also needs self_approve_review.";
const read = async (id: string) => (await server.client.getReview({ path: { id } })).data;
const isEnabled = async (id: string) => (await server.client.getGate({ path: { id } })).data.isEnabled;
const enabling = async (query: object = {}) => {
  const id = await gate();
  return { id, path: await reviewOf(author.client.enableGate({ path: { id }, query })) };
};

describe("a commit", () => {
  test("is refused until every requirement has an approval, and says who can approve", async () => {
    const { id, path } = await enabling();
    const approvers = "Anyone with the permission approve_reviews can approve it. Its author also needs self_approve_review.";
    expect((await refusal(author.client.commitReview({ path }))).message).toBe(`Review ${path.id} is not approved yet. ${approvers}`);
    const own = `Review ${path.id} is your own, and you lack the permission self_approve_review. ${approvers}`;
    expect(await refusal(author.client.approveReview({ path }))).toMatchObject({ status: 403, message: expect.stringContaining(own) });
    expect(await isEnabled(id)).toBe(false);
  });

  test("of your own change needs only your approval if your role has self_approve_review", async () => {
    const { client } = await reviews.colleague("Admin");
    const id = await gate();
    const path = await reviewOf(client.enableGate({ path: { id } }));
    await client.approveReview({ path });
    await client.commitReview({ path });
    expect(await isEnabled(id)).toBe(true);
  });

  test.each([
    ["a request", (id: string, ifMatch: string) => author.client.enableGate({ path: { id }, ifMatch })],
    ["a batch", (id: string, ifMatch: string) => author.client.batch({ requests: [{ operationId: "enableGate", path: { id }, ifMatch }] })],
  ])("of %s with If-Match makes the change although an entity has moved, if the changes are the same", async (_, request) => {
    const id = await gate();
    const { etag = "" } = await server.client.getGate({ path: { id } });
    const path = await reviewOf(request(id, etag));
    await reviewer.client.approveReview({ path });
    await exempt.patchGate({ path: { id }, body: { description: "Moved." } });
    await author.client.commitReview({ path });
    expect((await server.client.getGate({ path: { id } })).data).toMatchObject({ isEnabled: true, description: "Moved.", version: 3 });
  });

  test("of other changes than the approved ones makes nothing, and takes the approvals away", async () => {
    const id = await gate();
    const rules = [{ ...EVERYONE, name: "Half", passPercentage: 50 }];
    const path = await reviewOf(author.client.patchGate({ path: { id }, body: { isEnabled: true, rules } }));
    await reviewer.client.approveReview({ path });
    await exempt.patchGate({ path: { id }, body: { rules: [{ ...EVERYONE, name: "Newer" }] } });
    const moved = `The change would no longer have the effect that was approved: the gate ${id} is at version 2, not 1. Differences: rules[0].name was "Everyone" and is now "Newer".`;
    const refused = await refusal(author.client.commitReview({ path }));
    expect([refused.status, refused.message]).toEqual([
      409,
      `${moved} Review ${path.id} has a new revision, which needs an approval. ${ANYONE}`,
    ]);
    const revised = await read(path.id);
    expect((await reviewer.client.listReviews({ query: { needsMe: true } })).data.map(({ id }) => id)).toContain(path.id);
    expect(revised).toMatchObject({ status: "PENDING", revision: 2, moved, entities: [{ entityType: "gate", entityID: id, version: 2 }] });
    expect((await server.client.getGate({ path: { id } })).data.rules.map(({ name }) => name)).toEqual(["Newer"]);
    const stale = await refusal(reviewer.client.approveReview({ path, body: { revision: 1 } }));
    expect([stale.status, stale.message]).toEqual([409, `Review ${path.id} is at revision 2, not 1. Read its changes again.`]);
    await reviewer.client.approveReview({ path, body: { revision: 2 } });
    await author.client.commitReview({ path });
    expect((await server.client.getGate({ path: { id } })).data.rules.map(({ name }) => name)).toEqual(["Half"]);
  });

  test("asks for the approvals that a setting requires since the review was approved", async () => {
    const { id, path } = await enabling();
    await reviewer.client.approveReview({ path });
    const team = (await exempt.createTeam({ body: { name: "Release managers", members: [reviewer.email] } })).data;
    await reviews.require(["production"], team.id);
    const refused = await refusal(author.client.commitReview({ path }));
    const why = "A setting has changed, so production now requires a review too.";
    const approvers = "It needs the approval of a member of the team Release managers.";
    expect([refused.status, refused.message]).toEqual([409, `${why} Review ${path.id} needs another approval. ${approvers}`]);
    expect(await read(path.id)).toMatchObject({ status: "PENDING", approvers });
    await reviewer.client.approveReview({ path });
    await author.client.commitReview({ path });
    expect(await isEnabled(id)).toBe(true);
    await reviews.require(["production"]);
  });

  test("is refused if the author can no longer make the change, and the review stays approved", async () => {
    const leaving = await reviews.colleague();
    const id = await gate();
    const path = await reviewOf(leaving.client.enableGate({ path: { id } }));
    await reviewer.client.approveReview({ path });
    await server.client.removeProjectMember({ path: { id: "default", email: leaving.email } });
    const refused = await refusal(author.client.commitReview({ path }));
    expect([refused.status, refused.message]).toEqual([
      403,
      `${leaving.email}, who requested the review, can no longer access the project.`,
    ]);
    expect((await read(path.id)).status).toBe("APPROVED");
  });

  test("happens once if several people commit at the same time", async () => {
    const { id, path } = await enabling();
    await reviewer.client.approveReview({ path });
    const clients = [author.client, reviewer.client].flatMap((client) => [client, client]);
    const outcomes = await Promise.allSettled(clients.map((client) => client.commitReview({ path })));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await server.client.getGate({ path: { id } })).data).toMatchObject({ isEnabled: true, version: 2 });
  });

  test("schedules a change that has a time, which is then applied without another review", async () => {
    const applyAt = server.clock.now + HOUR_MS;
    const id = await gate();
    const path = await reviewOf(author.client.schedule.enableGate({ path: { id }, query: { applyAt } }));
    expect(path.applyAt).toBe(applyAt);
    await reviewer.client.approveReview({ path });
    await author.client.commitReview({ path });
    expect(await isEnabled(id)).toBe(false);
    const { data } = await server.client.listScheduledChanges({ query: { entityType: "gate", entityID: id } });
    expect(data).toMatchObject([{ applyAt, reviewID: path.id, author: { id: author.id }, status: "SCHEDULED" }]);
    const change = { id: data[0]?.id ?? "" };
    expect((await refusal(author.client.rescheduleChange({ path: change, body: { applyAt: applyAt + 1 } }))).status).toBe(409);
    server.clock.now = applyAt;
    await server.applyDue();
    expect(await isEnabled(id)).toBe(true);
  });
});

test("a scheduled change fails at its time if a review has become required since", async () => {
  await reviews.require([]);
  const id = await gate();
  const applyAt = server.clock.now + HOUR_MS;
  const { data } = await author.client.schedule.enableGate({ path: { id }, query: { applyAt } });
  await reviews.require(["production"]);
  server.clock.now = applyAt;
  await server.applyDue();
  const message =
    "The change needs a review now. Request it again. Anyone with the permission approve_reviews can approve it. Its author also needs self_approve_review.";
  const { data: failed } = await server.client.getScheduledChange({ path: data });
  expect(failed).toMatchObject({ status: "FAILED", error: { code: "conflict", message } });
  expect(await isEnabled(id)).toBe(false);
});

describe("a review", () => {
  test("is revised by its author alone, which takes its approvals away and keeps its comments", async () => {
    const { id, path } = await enabling();
    const body = { isEnabled: true, description: "Revised." };
    const patching = await reviewOf(author.client.patchGate({ path: { id }, body: { isEnabled: true } }));
    await reviewer.client.commentOnReview({ path: patching, body: { text: "Describe it." } });
    await reviewer.client.approveReview({ path: patching });
    expect((await refusal(reviewer.client.updateReview({ path: patching, body: { body } }))).status).toBe(403);
    const { data } = await author.client.updateReview({ path: patching, body: { body } });
    expect(data).toMatchObject({ status: "PENDING", revision: 2, body, moved: null, comments: [{ text: "Describe it." }] });
    expect((await refusal(author.client.commitReview({ path: patching }))).status).toBe(409);
    expect((await refusal(author.client.updateReview({ path: patching, body: { body: { isEnabled: 7 } } }))).status).toBe(400);
    expect(await refusal(author.client.updateReview({ path, body: { body: { isEnabled: true } } }))).toEqual(
      invalid(["body", "cannot be given: enableGate takes none"]),
    );
    await author.client.cancelReview({ path });
    await author.client.cancelReview({ path: patching });
  });

  test("of a batch is revised with the body of a batch only", async () => {
    const { id } = await enabling();
    const requests = [{ operationId: "patchGate", path: { id }, body: { isEnabled: true } }];
    const path = await reviewOf(author.client.batch({ requests } as never));
    const errors = async (body: unknown) => (await refusal(author.client.updateReview({ path, body: { body } as never }))).errors;
    expect(await errors("")).toEqual([{ property: "body", errorMessage: "must be object" }]);
    expect(await errors({ isEnabled: true })).toEqual([
      { property: "requests", errorMessage: "is required" },
      { property: "isEnabled", errorMessage: "is unknown" },
    ]);
    expect(await errors({ requests: [null] })).toEqual([{ property: "requests[0]", errorMessage: "must be object" }]);
    expect(await errors({ requests: Array(501).fill(requests[0]) })).toEqual([
      { property: "requests", errorMessage: "must NOT have more than 500 items" },
    ]);
    expect((await author.client.updateReview({ path, body: { body: { requests } } })).data.revision).toBe(2);
    await author.client.cancelReview({ path });
  });

  test("ends when it is rejected or canceled", async () => {
    const { path } = await enabling();
    const { data } = await reviewer.client.rejectReview({ path, body: { note: "On Monday." } });
    const { now } = server.clock;
    const rejection = { reviewer: { id: reviewer.id, name: expect.any(String), email: reviewer.email }, revision: 1 };
    const approvals = [{ ...rejection, isApproved: false, note: "On Monday.", time: now }];
    expect(data).toMatchObject({ status: "REJECTED", approvals, endedTime: now });
    for (const call of ["approveReview", "rejectReview", "commitReview", "cancelReview"] as const) {
      const refused = await refusal(reviewer.client[call]({ path }));
      expect([call, refused.status, refused.message]).toEqual([call, 409, `Review ${path.id} was rejected.`]);
    }
    const { path: other } = await enabling();
    const { client } = await reviews.colleague({ read: true });
    expect((await refusal(client.cancelReview({ path: other }))).status).toBe(403);
    expect((await author.client.cancelReview({ path: other })).data.status).toBe("CANCELED");
    expect((await author.client.commentOnReview({ path: other, body: { text: "Never mind." } })).data.comments).toHaveLength(1);
  });

  test("is listed by status, entity, author, reviewer and whether it is open", async () => {
    const { id, path } = await enabling();
    const ids = async (query: object) => (await server.client.listReviews({ query: { limit: 100, ...query } })).data.map((one) => one.id);
    const ofGate = { entityType: "gate", entityID: id };
    expect(await ids(ofGate)).toEqual([path.id]);
    expect(await ids({ ...ofGate, open: true, status: "PENDING", authorID: author.id })).toEqual([path.id]);
    expect(await ids({ ...ofGate, reviewerID: reviewer.id })).toEqual([]);
    await reviewer.client.rejectReview({ path });
    expect(await ids({ ...ofGate, reviewerID: reviewer.id, open: false, status: "REJECTED" })).toEqual([path.id]);
    expect((await refusal(server.client.listReviews({ query: { entityID: id } }))).status).toBe(400);
  });

  test("is requested once with an Idempotency-Key, and its 202 is repeated", async () => {
    const id = await gate();
    const request = { path: { id }, idempotencyKey: "review-once" };
    const first = await reviewOf(author.client.enableGate(request));
    expect(await reviewOf(author.client.enableGate(request))).toEqual(first);
    expect((await server.client.listReviews({ query: { entityType: "gate", entityID: id } })).data).toHaveLength(1);
  });
});
