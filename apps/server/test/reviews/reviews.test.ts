import { afterAll, beforeAll, expect, test } from "vitest";
import { type Colleague, reviewing, reviewOf } from "../support/reviewing.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let [author, reviewer]: Colleague[] = [];
const { colleague, require: requireReviews, gate } = reviewing(() => server);
beforeAll(async () => {
  server = await startServer();
  author = await colleague();
  reviewer = await colleague();
  await requireReviews(["production"]);
});
afterAll(() => server.close());

const people = () => ({ author: author as Colleague, reviewer: reviewer as Colleague });
const isEnabled = async (id: string) => (await server.client.getGate({ path: { id } })).data.isEnabled;

test("a write that changes what users get in an environment with reviews is stored, and made in the author's name once it is approved", async () => {
  const { author, reviewer } = people();
  const id = await gate();
  const review = await reviewOf(author.client.enableGate({ path: { id }, query: { reason: "The sale begins." } }));
  const { now } = server.clock;
  const person = { id: author.id, name: review.author.name, email: author.email };
  expect(review).toEqual({
    id: review.id,
    status: "PENDING",
    revision: 1,
    operationId: "enableGate",
    path: { id },
    query: {},
    body: null,
    ifMatch: null,
    applyAt: null,
    reason: "The sale begins.",
    author: person,
    entities: [{ entityType: "gate", entityID: id, version: 1 }],
    changes: [
      {
        entityType: "gate",
        entityID: id,
        fields: [
          { field: "isEnabled", before: false, after: true },
          { field: "status", before: "Disabled", after: "In Progress" },
        ],
      },
    ],
    requirements: [{ kind: "ENVIRONMENT", name: "production", team: null, people: null, isMet: false }],
    approvers: "Anyone with the permission approve_reviews can approve it. Its author also needs self_approve_review.",
    approvals: [],
    comments: [],
    moved: null,
    createdTime: now,
    revisedTime: now,
    endedTime: null,
    version: 1,
  });
  const active = { reviewID: review.id, reviewStatus: "PENDING", description: "The sale begins." };
  expect((await server.client.getGate({ path: { id } })).data).toMatchObject({ isEnabled: false, activeReview: active });
  expect((await refusal(author.client.commitReview({ path: review }))).status).toBe(409);
  await reviewer.client.commentOnReview({ path: review, body: { text: "Is it translated?" } });
  const approved = (await reviewer.client.approveReview({ path: review, body: { note: "Yes.", revision: 1 } })).data;
  expect(approved).toMatchObject({ status: "APPROVED", approvers: "Every requirement has an approval." });
  const { data: committed } = await author.client.commitReview({ path: review });
  expect(committed).toMatchObject({ status: "COMMITTED", endedTime: now, version: 4 });
  expect(await isEnabled(id)).toBe(true);
  const { data: changes } = await server.client.listChanges({ query: { entityType: "gate", entityID: id } });
  const reason = `Review ${review.id}, approved by ${reviewer.email}: The sale begins.`;
  const { data: logs } = await server.client.listAuditLogs({ query: { limit: 2 } });
  const [requestID] = logs.filter(({ operationID }) => operationID === "commitReview").map((log) => log.requestID);
  expect(requestID).toEqual(expect.any(String));
  expect(changes[0]).toMatchObject({ operationID: "enableGate", actorID: author.id, reason, version: 2, requestID });
  expect(logs.find(({ operationID }) => operationID === "enableGate")).toMatchObject({ requestID, address: null, userAgent: null });
  expect((await server.client.getGate({ path: { id } })).data).not.toHaveProperty("activeReview");
});

test("an open review has the impact on users seen recently, as long as its request would succeed", async () => {
  const { author } = people();
  const id = await gate();
  const user = { userID: "ana", statsigEnvironment: { tier: "production" } };
  const metadata = { gate: id, gateValue: "false", ruleID: "" };
  await server.evaluation.logEvent({ body: { events: [{ eventName: "statsig::gate_exposure", user, metadata, time: server.clock.now }] } });
  const review = await reviewOf(author.client.enableGate({ path: { id } }));
  const read = async () => (await server.client.getReview({ path: review })).impact;
  expect(await read()).toEqual([
    { environment: "development", users: 0, changed: 0, transitions: [], examples: [] },
    { environment: "staging", users: 0, changed: 0, transitions: [], examples: [] },
    {
      environment: "production",
      users: 1,
      changed: 1,
      transitions: [{ type: "gate", id, from: false, to: true, count: 1 }],
      examples: [{ user, type: "gate", id, before: false, after: true }],
    },
  ]);
  expect(await isEnabled(id)).toBe(false);
  await server.client.updateProjectMember({ path: { id: "default", email: author.email }, body: { role: "Viewer" } });
  expect(await read()).toBeUndefined();
  await server.client.updateProjectMember({ path: { id: "default", email: author.email }, body: { role: "Member" } });
  expect(await read()).toHaveLength(3);
  await author.client.cancelReview({ path: review });
  expect(await read()).toBeUndefined();
});

test("409 for a change that needs a review if the project has 1,000 open reviews, whether it is made now or scheduled", async () => {
  const { author } = people();
  const id = await gate();
  const { prisma } = server.database;
  const open = await prisma.review.count({ where: { isOpen: true } });
  await prisma.$executeRaw`
    insert into review
      ("projectID", id, version, "createdTime", status, "isOpen", "authorID", "reviewerIDs", "approverIDs", "waitingFor", "entityTypes", "entityKeys", entity)
    select 'default', 'filled ' || number, 1, 1, 'PENDING', true, 'a', '{}', '{}', '{}', '{}', '{}', '{}' from generate_series(1, ${1_000 - open}::int) as number`;
  const message = "The project already has 1,000 open reviews. Commit or cancel one first.";
  const writes = [
    () => author.client.enableGate({ path: { id } }),
    () => author.client.schedule.enableGate({ path: { id }, query: { applyAt: server.clock.now + 60_000 } }),
  ];
  for (const write of writes) expect(await refusal(write())).toMatchObject({ status: 409, code: "conflict", message });
  expect(await isEnabled(id)).toBe(false);
  await prisma.$executeRaw`delete from review where id = 'filled 1'`;
  expect((await reviewOf(author.client.enableGate({ path: { id } }))).status).toBe("PENDING");
  await prisma.$executeRaw`delete from review where id like 'filled %'`;
});
