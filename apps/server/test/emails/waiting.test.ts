import { afterEach, beforeEach, expect, test } from "vitest";
import { writing } from "../../src/store/database/unit-of-work.ts";
import { queueResetRequest } from "../../src/store/emails/outbox.ts";
import { startEmailing } from "../support/emailing.ts";
import { makePerson } from "../support/people.ts";
import { readMetrics } from "../support/read-metrics.ts";

const REQUEST = "password_reset_request";

let emailing: Awaited<ReturnType<typeof startEmailing>>;
let onRecipient = async () => {};
beforeEach(async () => {
  onRecipient = async () => {};
  emailing = await startEmailing({ smtp: { onRcptTo: (_, __, done) => void onRecipient().then(() => done(), done) } });
});
afterEach(() => emailing.close());

/** Adds rows that wait in the instance or in a project. */
const fill = (projectID: string, kind: string, count: number) =>
  emailing.server.database.prisma.$executeRaw`
    insert into email (id, kind, "projectID", content, "createdTime", "dueTime")
    select ${kind} || i, ${kind}, ${projectID}, '', 0, 9000000000000 from generate_series(1, ${count}::int) as i`;
const waiting = (kind: string) => emailing.server.database.prisma.email.count({ where: { kind } });
const request = async () =>
  (await emailing.server.send("POST", "/console/v1/session/password_reset", { body: { email: "kim@example.com" } })).status;
const countLimited = async () => (await readMetrics(emailing.server)).get('gatehouse_emails_total{outcome="limited"}');
const warnings = () => emailing.server.logged.filter((line) => line.includes("Too many emails wait.")).map((line) => JSON.parse(line));

test("while 1,000 password reset requests wait, further ones are dropped with a warning, and other emails are queued and sent", async () => {
  const { person } = await makePerson(emailing.server, { password: "correct horse battery staple" });
  await fill("instance", REQUEST, 999);
  expect([await request(), await request(), await waiting(REQUEST)]).toEqual([200, 200, 1_000]);
  expect([await countLimited(), warnings()]).toEqual([1, [expect.objectContaining({ projectID: "instance", kind: REQUEST, count: 1 })]]);
  const { body } = await emailing.server.send("POST", `/console/v1/people/${person.id}/password_reset`);
  expect(body.data.isEmailed).toBe(true);
});

test("while 10,000 emails of a project wait, an invitation is not emailed: its answer says so, and there is a warning", async () => {
  await fill("default", "notification", 10_000);
  const invite = () => emailing.server.client.inviteUsers({ body: { role: "Member", emails: ["kim@example.com"] } });
  expect((await invite()).data).toMatchObject([{ email: "kim@example.com", isEmailed: false, url: expect.stringContaining("/welcome#") }]);
  expect([await countLimited(), warnings()]).toEqual([
    1,
    [expect.objectContaining({ projectID: "default", kind: "invitation", count: 1 })],
  ]);
  await emailing.server.database.prisma.email.deleteMany({ where: { id: "notification1" } });
  expect((await invite()).data).toMatchObject([{ isEmailed: true }]);
});

test("emails are sent between the answers to password reset requests, however many requests wait", async () => {
  const { server, send, smtp } = emailing;
  const text = JSON.stringify({ email: "nobody@example.com", origin: {} });
  await writing(server.database, async (db) => {
    for (let index = 0; index < 45; index++) await queueResetRequest(db, text, server.clock.now);
  });
  await server.client.inviteUsers({ body: { role: "Member", emails: ["kim@example.com"] } });
  let left = 0;
  onRecipient = async () => {
    left = await waiting(REQUEST);
  };
  await send();
  expect([left, smtp.received.map(({ to }) => to), await waiting(REQUEST)]).toEqual([25, ["kim@example.com"], 0]);
});
