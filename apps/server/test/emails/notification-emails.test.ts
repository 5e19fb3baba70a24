import { createConsoleClient } from "@gatehouse/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemContext } from "../../src/common/system-context.ts";
import { notifications } from "../../src/jobs/notifications.ts";
import { recordAuditEvent } from "../../src/store/change-log/audit-event.ts";
import { writing } from "../../src/store/database/unit-of-work.ts";
import { startEmailing } from "../support/emailing.ts";
import { makeOrdersAlert, PROJECT } from "../support/notifying.ts";
import { makePerson } from "../support/people.ts";
import { type Colleague, reviewing } from "../support/reviewing.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";
import { EMAIL_URL } from "../support/smtp-server.ts";

let emailing: Awaited<ReturnType<typeof startEmailing>>;
let server: TestServer;
const { colleague } = reviewing(() => server);
beforeAll(async () => {
  emailing = await startEmailing();
  server = emailing.server;
});
afterAll(() => emailing.close());

const env = () => ({ database: server.database, log: server.log, now: () => server.clock.now });
/** The subjects of the emails to a person, after the jobs have run. */
const receive = async ({ email }: Pick<Colleague, "email">) => {
  await notifications.run(env());
  await emailing.send();
  return emailing.smtp.to(email);
};
const subjects = async (person: Colleague) => (await receive(person)).map(({ headers }) => headers.get("subject"));

let count = 0;
/** Requests a review of a change to a new gate. @returns the gate's name, and the id of the review */
async function requestReview({ client }: Colleague, reviewers: Colleague[]) {
  const { id, name } = (await server.client.createGate({ body: { name: `reviewed ${++count}` } })).data;
  const query = { requestReview: true, ...(reviewers.length > 0 && { reviewers: reviewers.map((one) => one.id) }) };
  const error = await client.enableGate({ path: { id }, query }).catch((reason) => reason);
  return { id, name, reviewID: error.review.id as string };
}
const settings = ({ client }: Colleague, body: { inbox: string[]; email?: string[] }) =>
  client.updateNotificationSettings({ path: PROJECT, body: body as never });

test("a reviewer gets one email about a review that waits, with links to the review and to their settings", async () => {
  const [author, reviewer] = [await colleague(), await colleague()];
  const { name, reviewID } = await requestReview(author, [reviewer]);
  await receive(reviewer);
  const [email, ...more] = await receive(reviewer);
  expect(more).toEqual([]);
  expect(email?.headers.get("subject")).toBe(`[default] Review requested: ${name}`);
  expect(email?.text).toContain(`wants to change the gate ${name} and asks for your approval.`);
  expect(email?.text).toContain(`Open in Gatehouse:\n${EMAIL_URL}/projects/default/reviews/${reviewID}\n`);
  expect(email?.text).toContain(`Change your settings: ${EMAIL_URL}/projects/default/notifications?tab=settings`);
  expect(await subjects(author)).toEqual([]);
});

test("a server administrator outside the project gets a notification and an email only if a review's author asks them by email address", async () => {
  const author = await colleague();
  const { person, session } = await makePerson(server, { isAdministrator: true });
  const administrator = { ...person, client: createConsoleClient({ baseUrl: server.url, session, projectID: "default" }) };
  await requestReview(author, []);
  expect(await subjects(administrator)).toEqual([]);
  const { name, reviewID } = await requestReview(author, [{ ...administrator, id: person.email.toUpperCase() }]);
  expect(await subjects(administrator)).toEqual([`[default] Review requested: ${name}`]);
  const { data } = await administrator.client.listNotifications({ path: PROJECT });
  expect(data.map(({ link }) => link)).toEqual([`/projects/default/reviews/${reviewID}`]);
});

test("the owner of an alert gets an email when it is raised", async () => {
  const admin = await colleague("Admin");
  const id = await makeOrdersAlert(server, admin);
  await writing(server.database, (db) =>
    recordAuditEvent(db, {
      ...{ ...systemContext("test", server.clock.now), entityType: "topline_alert", entityID: id },
      details: { eventType: "raise", reason: "It is 3." },
    }),
  );
  const [email] = await receive(admin);
  expect(email?.headers.get("subject")).toBe("[default] Alert raised: Orders fell");
  expect(email?.text).toContain("The alert Orders fell was raised. It is 3.");
});

test("people choose the kinds that they get by email among those in their inbox", async () => {
  const [author, reviewer] = [await colleague(), await colleague()];
  const { data } = await reviewer.client.getNotificationSettings({ path: PROJECT });
  expect(data.email).toEqual(["ALERT", "REVIEW"]);
  expect((await settings(reviewer, { inbox: ["MENTION", "REVIEW"], email: ["MENTION"] })).data).toEqual({
    inbox: ["MENTION", "REVIEW"],
    email: ["MENTION"],
  });
  await requestReview(author, [reviewer]);
  expect(await subjects(reviewer)).toEqual([]);
  expect((await settings(reviewer, { inbox: ["ALERT"] })).data).toEqual({ inbox: ["ALERT"], email: [] });
  expect((await settings(reviewer, { inbox: ["MENTION"] })).data).toEqual({ inbox: ["MENTION"], email: ["MENTION"] });
  expect(await refusal(settings(reviewer, { inbox: ["MENTION"], email: ["MENTION", "ALERT"] }))).toEqual(
    invalid(["email[1]", "must also be in inbox"]),
  );
});

test("someone who leaves the project or is deactivated before an email is sent does not get it", async () => {
  const [author, leaving, deactivated] = [await colleague(), await colleague(), await colleague()];
  await requestReview(author, [leaving, deactivated]);
  await notifications.run(env());
  expect(await emailing.waiting()).toBe(2);
  await server.client.removeProjectMember({ path: { id: "default", email: leaving.email } });
  await server.send("PATCH", `/console/v1/people/${deactivated.id}`, { body: { isActive: false } });
  expect([await receive(leaving), await receive(deactivated), await emailing.waiting()]).toEqual([[], [], 0]);
});

test("a change that is noticed more than a day later is only in the inbox", async () => {
  const [author, reviewer] = [await colleague(), await colleague()];
  await requestReview(author, [reviewer]);
  server.clock.now += 25 * 3_600_000;
  expect(await receive(reviewer)).toEqual([]);
  expect(await server.database.prisma.notification.count({ where: { personID: reviewer.id } })).toBe(1);
});

test("a server that sends no email has no setting for it", async () => {
  const plain = await startServer();
  const { client } = await reviewing(() => plain).colleague();
  expect((await client.getNotificationSettings({ path: PROJECT })).data).not.toHaveProperty("email");
  expect(await refusal(client.updateNotificationSettings({ path: PROJECT, body: { inbox: ["REVIEW"], email: ["REVIEW"] } }))).toEqual(
    invalid(["email", "cannot be set, since this server sends no email"]),
  );
  await plain.close();
});
