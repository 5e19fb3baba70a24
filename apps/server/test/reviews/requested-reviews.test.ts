import { afterAll, beforeAll, expect, test } from "vitest";
import { makeKey } from "../support/keys.ts";
import { type Colleague, reviewing, reviewOf } from "../support/reviewing.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let [author, reviewer]: Colleague[] = [];
const { colleague, exempt, require: requireReviews, gate } = reviewing(() => server);
beforeAll(async () => {
  server = await startServer();
  author = await colleague();
  reviewer = await colleague();
});
afterAll(() => server.close());

const people = () => ({ author: author as Colleague, reviewer: reviewer as Colleague });
const asked = { kind: "AUTHOR", name: "requestReview", team: null, people: null, isMet: false };
const requestReview = { requestReview: true };
const isEnabled = async (id: string) => (await server.client.getGate({ path: { id } })).data.isEnabled;

test("a change that needs no review waits for one if its author asks for it", async () => {
  const { author, reviewer } = people();
  const id = await gate();
  const review = await reviewOf(author.client.enableGate({ path: { id }, query: requestReview }));
  expect(review).toMatchObject({ status: "PENDING", operationId: "enableGate", query: {}, requirements: [asked] });
  expect((await refusal(author.client.commitReview({ path: review }))).status).toBe(409);
  await reviewer.client.approveReview({ path: review, body: {} });
  expect(await isEnabled(id)).toBe(false);
  await author.client.commitReview({ path: review });
  expect(await isEnabled(id)).toBe(true);
});

test("a change of the entity or of the request needs another approval of a requested review", async () => {
  const { author, reviewer } = people();
  const id = await gate();
  const review = await reviewOf(author.client.patchGate({ path: { id }, query: requestReview, body: { isEnabled: true } }));
  await reviewer.client.approveReview({ path: review, body: {} });
  await server.client.patchGate({ path: { id }, body: { isEnabled: true } });
  await server.client.patchGate({ path: { id }, body: { isEnabled: false, description: "Moved." } });
  await author.client.updateReview({ path: review, body: { body: { isEnabled: true, description: "Revised." } } });
  const read = async () => (await server.client.getReview({ path: review })).data;
  expect(await read()).toMatchObject({ status: "PENDING", revision: 2, requirements: [asked] });
  await reviewer.client.approveReview({ path: review, body: {} });
  await server.client.patchGate({ path: { id }, body: { description: "Moved again." } });
  expect((await refusal(author.client.commitReview({ path: review }))).status).toBe(409);
  expect(await read()).toMatchObject({ status: "PENDING", revision: 3, requirements: [asked] });
  expect(await isEnabled(id)).toBe(false);
});

test("a requested review of a change that needs one has both requirements, and keeps its approval if a setting adds another", async () => {
  const { author, reviewer } = people();
  const id = await gate();
  const review = await reviewOf(author.client.enableGate({ path: { id }, query: requestReview }));
  await reviewer.client.approveReview({ path: review, body: {} });
  await requireReviews(["production"]);
  expect((await refusal(author.client.commitReview({ path: review }))).status).toBe(409);
  const environment = { ...asked, kind: "ENVIRONMENT", name: "production" };
  expect((await server.client.getReview({ path: review })).data.requirements).toEqual([environment, { ...asked, isMet: true }]);
  const other = await reviewOf(author.client.enableGate({ path: { id }, query: requestReview }));
  expect(other.requirements).toEqual([environment, asked]);
  await requireReviews([]);
});

test("a scheduled change, a batch and a change of a key that needs no reviews can be sent for a review", async () => {
  const { author } = people();
  const id = await gate();
  const applyAt = server.clock.now + 60_000;
  const later = await reviewOf(author.client.schedule.enableGate({ path: { id }, query: { applyAt, ...requestReview } }));
  expect(later).toMatchObject({ applyAt, requirements: [asked] });
  const requests = [{ operationId: "enableGate" as const, path: { id } }];
  const batch = await reviewOf(author.client.batch({ requests, query: requestReview }));
  expect(batch).toMatchObject({ operationId: "batch", requirements: [asked] });
  const free = await reviewOf((await exempt()).enableGate({ path: { id }, query: requestReview }));
  expect(free).toMatchObject({ status: "PENDING", requirements: [asked] });
});

test("a dry run lists the requested review, and stores nothing", async () => {
  const { author } = people();
  const id = await gate();
  const { requirements } = await author.client.enableGate({ path: { id }, query: { dryRun: true, ...requestReview } });
  expect(requirements).toEqual([asked]);
  expect((await server.client.listReviews({ query: { entityType: "gate", entityID: id } })).data).toEqual([]);
});

test("a review cannot be requested and bypassed at once, or for one request of a batch", async () => {
  const { author } = people();
  const id = await gate();
  const { key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_write", "bypass_reviews"] });
  const both = "bypassReview=true&requestReview=true&reason=Now";
  const { body } = await server.send("PUT", `/console/v1/gates/${id}/enable?${both}`, { key });
  expect(body).toEqual(invalid(["requestReview", "cannot be combined with bypassReview"]));
  const requests = [{ operationId: "enableGate", path: { id }, query: { bypassReview: true, requestReview: true } }];
  expect(await refusal(author.client.batch({ requests: requests as never }))).toMatchObject({
    errors: [
      { property: "requests[0].bypassReview", errorMessage: "belongs to the batch, not to a request in it" },
      { property: "requests[0].requestReview", errorMessage: "belongs to the batch, not to a request in it" },
    ],
  });
});

test("a review waits until everyone that its author asked has approved it, and others can still approve it", async () => {
  const { author, reviewer } = people();
  const other = await colleague();
  const needed = async ({ client }: Colleague) => (await client.listReviews({ query: { needsMe: true } })).data.map(({ id }) => id);
  const id = await gate();
  const query = { ...requestReview, reviewers: [reviewer.email.toUpperCase(), reviewer.id] };
  const review = await reviewOf(author.client.enableGate({ path: { id }, query }));
  expect(review.reviewers).toEqual([{ id: reviewer.id, name: expect.any(String), email: reviewer.email }]);
  expect([(await needed(reviewer)).includes(review.id), (await needed(other)).includes(review.id)]).toEqual([true, false]);
  const updated = (await author.client.updateReview({ path: review, body: { reviewers: [other.id] } })).data;
  expect(updated).toMatchObject({ revision: 1, version: 2, reviewers: [{ id: other.id }] });
  expect([(await needed(reviewer)).includes(review.id), (await needed(other)).includes(review.id)]).toEqual([false, true]);
  const free = (await author.client.updateReview({ path: review, body: { reviewers: [] } })).data;
  expect([free.reviewers, (await needed(reviewer)).includes(review.id)]).toEqual([undefined, true]);
  await author.client.updateReview({ path: review, body: { reviewers: [other.id] } });
  expect((await reviewer.client.approveReview({ path: review, body: {} })).data.status).toBe("APPROVED");
});

test("an author cannot ask people who cannot access the project or approve the change, and needs to request a review", async () => {
  const { author, reviewer } = people();
  const viewer = await colleague("Viewer");
  const id = await gate();
  const team = (await server.client.createTeam({ body: { name: "Reviewers of nobody", description: "" } })).data;
  await requireReviews(["production"], team.id);
  const reviewers = ["nobody@example.com", viewer.email, author.email, reviewer.email];
  const refused = [
    ["reviewers[0]", "names nobody@example.com, who cannot access the project"],
    ["reviewers[1]", `names ${viewer.email}, who lacks the permission approve_reviews`],
    ["reviewers[2]", `names ${author.email}, who made the change and lacks the permission self_approve_review`],
    [
      "reviewers[3]",
      `names ${reviewer.email}, who cannot approve this change. It needs the approval of a member of the team Reviewers of nobody.`,
    ],
  ].map(([property, errorMessage]) => ({ property, errorMessage }));
  const query = { ...requestReview, reviewers };
  for (const dryRun of [true, false])
    expect(await refusal(author.client.enableGate({ path: { id }, query: { ...query, dryRun } }))).toMatchObject({ errors: refused });
  await requireReviews([]);
  expect(await refusal(author.client.enableGate({ path: { id }, query: { reviewers: [reviewer.id] } }))).toMatchObject({
    errors: [{ property: "reviewers", errorMessage: "needs requestReview=true" }],
  });
  const review = await reviewOf(author.client.enableGate({ path: { id }, query: requestReview }));
  expect(await refusal(author.client.updateReview({ path: review, body: { reviewers: [viewer.id] } }))).toMatchObject({
    errors: [{ property: "reviewers[0]", errorMessage: `names ${viewer.email}, who lacks the permission approve_reviews` }],
  });
});
