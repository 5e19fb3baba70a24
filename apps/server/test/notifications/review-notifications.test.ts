import { afterAll, beforeAll, expect, test } from "vitest";
import { notifying, PROJECT } from "../support/notifying.ts";
import { type Colleague, EVERYONE, reviewing, reviewOf } from "../support/reviewing.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let people: { author: Colleague; reviewer: Colleague; other: Colleague; viewer: Colleague };
const { colleague, exempt, require: requireReviews, gate } = reviewing(() => server);
const { read, notify, texts, clear } = notifying(() => server);
beforeAll(async () => {
  server = await startServer();
  const [author, reviewer, other, viewer] = [await colleague(), await colleague(), await colleague(), await colleague("Viewer")];
  people = { author, reviewer, other, viewer };
  await requireReviews(["production"]);
});
afterAll(() => server.close());

const nameOf = async ({ client }: Colleague) => {
  const { firstName, lastName } = (await client.getSession()).data.person;
  return `${firstName} ${lastName}`;
};

/** A review of the author's. Everyone has read their notifications so far. */
async function requested(reason = "The sale begins.") {
  const id = await gate();
  const review = await reviewOf(people.author.client.enableGate({ path: { id }, query: { reason } }));
  for (const person of Object.values(people)) await clear(person);
  const subject = `the gate ${(await server.client.getGate({ path: { id } })).data.name}`;
  return { id, review, subject };
}

test("a review that waits is announced to everyone who can approve it, except its author", async () => {
  const { author, reviewer, other, viewer } = people;
  const { review, subject } = await requested();
  const [notification] = await read(reviewer);
  expect(notification).toEqual({
    ...{ id: notification?.id, kind: "REVIEW", event: "REVIEW_REQUESTED", title: "Review requested" },
    text: `${await nameOf(author)} wants to change ${subject} and asks for your approval: “The sale begins.”`,
    link: `/projects/default/reviews/${review.id}`,
    ...{ entityType: "review", entityID: review.id, actorName: await nameOf(author) },
    ...{ time: server.clock.now, readTime: server.clock.now },
  });
  expect((await read(other)).map(({ id }) => id)).toContain(notification?.id);
  expect([await read(author), await read(viewer)]).toEqual([[], []]);
});

test("a review whose author asks certain people is announced to them alone, when they are asked", async () => {
  const { author, reviewer, other } = people;
  for (const person of [reviewer, other]) await clear(person);
  const id = await gate();
  const query = { requestReview: true, reviewers: [reviewer.id] };
  const review = await reviewOf(author.client.enableGate({ path: { id }, query }));
  const unread = async (one: Colleague) => {
    await notify();
    return (await read(one, { unread: true })).map(({ event }) => event);
  };
  expect([await unread(reviewer), await unread(other)]).toEqual([["REVIEW_REQUESTED"], []]);
  await author.client.updateReview({ path: review, body: { reviewers: [reviewer.id, other.id] } });
  expect([await unread(reviewer), await unread(other)]).toEqual([["REVIEW_REQUESTED"], ["REVIEW_REQUESTED"]]);
});

test("a request is read for everyone once someone has approved or canceled the review", async () => {
  const { author, reviewer, other } = people;
  for (const one of [reviewer, other]) await clear(one);
  const ask = async (id: string) => reviewOf(author.client.enableGate({ path: { id } }));
  const [approved, canceled, open] = [await ask(await gate()), await ask(await gate()), await ask(await gate())];
  const unread = async (one: Colleague) => {
    await notify();
    return (await read(one, { unread: true })).map(({ entityID }) => entityID);
  };
  expect(await unread(other)).toEqual([open.id, canceled.id, approved.id]);
  server.clock.now += 1_000;
  await reviewer.client.approveReview({ path: approved });
  expect([await unread(reviewer), await unread(other)]).toEqual([
    [open.id, canceled.id],
    [open.id, canceled.id],
  ]);
  const [answered] = (await read(other)).filter(({ entityID }) => entityID === approved.id);
  expect(answered?.readTime).toBe(server.clock.now);
  await author.client.cancelReview({ path: canceled });
  expect([await unread(reviewer), await unread(other)]).toEqual([[open.id], [open.id]]);
});

test("authors learn of comments, approvals, rejections, commits and cancellations by other people", async () => {
  const { author, reviewer, other } = people;
  const [name, second] = [await nameOf(reviewer), await nameOf(other)];
  const { review, subject } = await requested();
  await author.client.commentOnReview({ path: review, body: { text: "Please hurry." } });
  expect(await texts(author)).toEqual([]);
  await reviewer.client.commentOnReview({ path: review, body: { text: "Is it\n\ntranslated?" } });
  await reviewer.client.approveReview({ path: review, body: { note: "Looks good." } });
  await other.client.commitReview({ path: review });
  expect(await texts(author)).toEqual([
    `${second} published your changes to ${subject}.`,
    `${name} approved your changes to ${subject}: “Looks good.”`,
    `${name} commented on your changes to ${subject}: “Is it translated?”`,
  ]);
  const rejected = await requested();
  await reviewer.client.rejectReview({ path: rejected.review });
  const canceled = await requested();
  await reviewer.client.cancelReview({ path: canceled.review });
  expect(await texts(author)).toEqual([`${name} canceled the review of your changes to ${canceled.subject}.`]);
  expect((await read(author)).map(({ text }) => text)).toContain(`${name} rejected your changes to ${rejected.subject}.`);
});

test("a changed entity reopens an approved review, and notifies its author and reviewers", async () => {
  const { author, reviewer, other } = people;
  const id = await gate();
  const body = { isEnabled: true, rules: [{ ...EVERYONE, name: "Half", passPercentage: 50 }] };
  const review = await reviewOf(author.client.patchGate({ path: { id }, body }));
  await reviewer.client.approveReview({ path: review });
  for (const person of [author, reviewer, other]) await clear(person);
  await (await exempt()).patchGate({ path: { id }, body: { rules: [{ ...EVERYONE, name: "Newer" }] } });
  expect((await refusal(other.client.commitReview({ path: review }))).status).toBe(409);
  const { name } = (await server.client.getGate({ path: { id } })).data;
  const why = `The change would no longer have the effect that was approved: the gate ${id} is at version 2, not 1. Differences: rules[0].name was "Everyone" and is now "Newer".`;
  expect(await texts(author)).toEqual([`Your changes to the gate ${name} need another approval. ${why}`]);
  const [asked, ...others] = await read(reviewer, { unread: true });
  expect([asked?.event, asked?.actorName, others]).toEqual(["REVIEW_REQUESTED", await nameOf(author), []]);
  // The attempt to commit was theirs.
  expect(await read(other, { unread: true })).toEqual([]);
});

test("a comment mentions members by their names or addresses, and stays readable after a rename", async () => {
  const { author, reviewer, other, viewer } = people;
  const { review, subject } = await requested();
  const mention = async (text: string, mentions: string[]) => author.client.commentOnReview({ path: review, body: { text, mentions } });
  const name = await nameOf(reviewer);
  const text = `@${name} and @${other.email.toUpperCase()}, please look.`;
  const { data } = await mention(text, [reviewer.id, other.id]);
  const person = { id: reviewer.id, name, email: reviewer.email };
  expect(data.comments.at(-1)).toMatchObject({ text, mentions: [person, { id: other.id, email: other.email }] });
  expect(await texts(reviewer)).toEqual([`${await nameOf(author)} mentioned you in a comment on changes to ${subject}: “${text}”`]);
  expect(await texts(viewer)).toEqual([]);
  await reviewer.client.updateSession({ body: { firstName: "Renamed" } });
  expect((await author.client.getReview({ path: review })).data.comments.at(-1)?.mentions?.[0]).toEqual(person);
  expect(await refusal(mention("@Nobody", ["nobody", reviewer.id]))).toMatchObject({
    ...{ status: 400, code: "invalid_request" },
    errors: [
      { property: "mentions[0]", errorMessage: "is not the id of an active member of the project" },
      { property: "mentions[1]", errorMessage: `must be in the text as @Renamed ${name.split(" ")[1]}` },
    ],
  });
});

test("an author who is mentioned in a comment on their own review gets one notification", async () => {
  const { author, reviewer } = people;
  const { review } = await requested();
  await reviewer.client.commentOnReview({ path: review, body: { text: `@${author.email}?`, mentions: [author.id] } });
  await notify();
  expect((await read(author, { unread: true })).map(({ event }) => event)).toEqual(["MENTIONED"]);
});

test("people get none of the kinds that they turned off", async () => {
  const { reviewer, other } = people;
  await other.client.updateNotificationSettings({ path: PROJECT, body: { inbox: ["MENTION"] } });
  expect((await other.client.getNotificationSettings({ path: PROJECT })).data).toEqual({ inbox: ["MENTION"] });
  const id = await gate();
  await reviewOf(people.author.client.enableGate({ path: { id } }));
  await notify();
  expect([(await read(reviewer, { unread: true })).length, await read(other, { unread: true })]).toEqual([1, []]);
  const all = ["ALERT", "EXPERIMENT", "GUARDRAIL", "MENTION", "REVIEW", "ROLLOUT", "SCHEDULED_CHANGE"] as const;
  expect((await reviewer.client.getNotificationSettings({ path: PROJECT })).data).toEqual({ inbox: all });
  await other.client.updateNotificationSettings({ path: PROJECT, body: { inbox: [...all] } });
});

test("two servers that notify at the same time notify each person once", async () => {
  const { reviewer } = people;
  await clear(reviewer);
  const gates = await Promise.all(Array.from({ length: 12 }, () => gate()));
  for (const id of gates) await reviewOf(people.author.client.enableGate({ path: { id } }));
  const replica = await server.replica();
  await Promise.all([notify(), notify(replica)]);
  await replica.close();
  await notify();
  expect(await read(reviewer, { unread: true })).toHaveLength(12);
});
