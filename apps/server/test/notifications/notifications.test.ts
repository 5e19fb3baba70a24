import { afterAll, beforeAll, expect, test } from "vitest";
import { systemContext } from "../../src/common/system-context.ts";
import { automatedRollouts } from "../../src/jobs/automated-rollouts.ts";
import { deleteNotifications } from "../../src/jobs/notifications.ts";
import { recordAuditEvent } from "../../src/store/change-log/audit-event.ts";
import { writing } from "../../src/store/database/unit-of-work.ts";
import { makeOrdersAlert, notifying, PROJECT } from "../support/notifying.ts";
import { releasing, toNewZealand, toStaff } from "../support/releasing.ts";
import { type Colleague, EVERYONE, reviewing } from "../support/reviewing.ts";
import { scheduling } from "../support/scheduling.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let server: TestServer;
let [owner, approver]: Colleague[] = [];
let count = 0;
const { colleague } = reviewing(() => server);
const { read, notify, texts, clear } = notifying(() => server);
const { pipelines, pass } = releasing(() => server);
const { pass: applyAtTime } = scheduling(() => server);
beforeAll(async () => {
  server = await startServer();
  owner = await colleague();
  approver = await colleague({ read: true, approve_required_review_release_pipeline_phase: true });
});
afterAll(() => server.close());

const people = () => ({ owner: owner as Colleague, approver: approver as Colleague });
const env = () => ({ database: server.database, log: server.log, now: () => server.clock.now });

/** An event of the audit log that a job records. */
const record = (entityType: "topline_alert" | "guardrail_alert", entityID: string, details: object) =>
  writing(server.database, (db) =>
    recordAuditEvent(db, { ...systemContext("test", server.clock.now), entityType, entityID, details: { ...details } }),
  );

/** Moves the clock by hours, during which the owner stays signed in. */
async function letPass(hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour++) {
    server.clock.now += HOUR_MS;
    await people().owner.client.getSession();
  }
}

const ownGate = async (given: object = {}) => (await people().owner.client.createGate({ body: { name: `own ${++count}`, ...given } })).data;

test("the creator of an alert learns when it is raised, warns, has no data and is resolved, until it has another owner", async () => {
  const { owner } = people();
  const admin = await colleague("Admin");
  const id = await makeOrdersAlert(server, admin);
  for (const eventType of ["warn", "raise", "no-data", "resolve"]) await record("topline_alert", id, { eventType, reason: "It is 3." });
  expect(await texts(admin)).toEqual([
    "The alert Orders fell was resolved. It is 3.",
    "The alert Orders fell has no data. It is 3.",
    "The alert Orders fell was raised. It is 3.",
    "The alert Orders fell is warning. It is 3.",
  ]);
  expect((await read(admin))[0]).toMatchObject({ kind: "ALERT", link: `/projects/default/alerts/${id}`, actorName: null });
  expect(await texts(owner)).toEqual([]);
  const { person } = (await owner.client.getSession()).data;
  await admin.client.patchAlert({ path: { id }, body: { owner: { ownerID: person.id, ownerType: "USER" } } });
  await record("topline_alert", id, { eventType: "raise", reason: "It is 2." });
  expect(await texts(owner)).toEqual(["The alert Orders fell was raised. It is 2."]);
  expect(await texts(admin)).toHaveLength(4);
  await clear(owner);
});

test("owners learn of metrics beyond a guardrail, and of finished rollouts", async () => {
  const { owner } = people();
  const pendingAutomatedRollouts = [{ time: server.clock.now + HOUR_MS, passPercent: 100 }];
  const { id, name } = await ownGate({ rules: [{ ...EVERYONE, passPercentage: 10, pendingAutomatedRollouts }] });
  await record("guardrail_alert", "alert", { gateID: id, metricID: "errors::event_count" });
  await record("guardrail_alert", "alert", { gateID: id, metricID: "errors::event_count", resolvedTime: 1 });
  expect(await texts(owner)).toEqual([`In the gate ${name}, a metric got worse than its guardrail allows: errors.`]);
  server.clock.now += HOUR_MS;
  await automatedRollouts.run(env());
  expect((await texts(owner))[0]).toBe(`The rollout of the gate ${name} is complete.`);
  await clear(owner);
});

test("a phase that needs approval is announced to those who may approve it, and the end of the release to its owner", async () => {
  const { owner, approver } = people();
  const releasePipelineID = await pipelines.create(toStaff(), toNewZealand({ requiredReview: true }));
  const { id, name } = await ownGate({ releasePipelineID });
  await owner.client.patchGate({ path: { id }, body: { rules: [EVERYONE] } });
  await clear(owner);
  await pass(HOUR_MS);
  expect(await texts(approver)).toEqual([`The release of the gate ${name} needs your approval for its next phase: “nz”`]);
  const release = (await approver.client.listReleases({ query: { gateID: id } })).data[0] ?? { id: "" };
  await approver.client.approveRelease({ path: release, body: { phaseID: "nz" } });
  await pass(HOUR_MS);
  expect(await texts(owner)).toEqual([`The rollout of the gate ${name} is complete.`]);
  expect((await read(owner))[0]).toMatchObject({ kind: "ROLLOUT", link: `/projects/default/releases/${release.id}` });
  await clear(owner);
});

test("an experiment that has run as long as planned is announced to its owner once, even if its plan is shortened afterwards", async () => {
  const { owner } = people();
  const create = async (duration: number) => {
    const body = { name: `experiment ${++count}`, status: "active" as const, duration, allocation: 1 };
    return (await owner.client.createExperiment({ body })).data;
  };
  const [first, second] = [await create(2), await create(9)];
  await notify();
  await letPass(48);
  const text = ({ name }: { name: string }) => `The experiment ${name} ran as long as planned. Check its results and end it.`;
  expect(await texts(owner)).toEqual([text(first)]);
  await server.client.patchExperiment({ path: second, body: { duration: 2 } });
  await letPass(1);
  expect(await texts(owner)).toEqual([text(second), text(first)]);
  await clear(owner);
});

test("the author of a scheduled change learns why it failed", async () => {
  const { owner } = people();
  const { id } = await ownGate();
  const query = { applyAt: server.clock.now + HOUR_MS };
  const { data } = await owner.client.schedule.patchGate({ path: { id }, body: { description: "New." }, query });
  await server.client.deleteGate({ path: { id } });
  await applyAtTime(data);
  expect(await texts(owner)).toEqual([`Your scheduled change to the gate ${id} failed. Gate ${id} does not exist.`]);
  expect((await read(owner))[0]?.link).toBe("/projects/default/scheduled-changes");
  await clear(owner);
});

test("each person is notified once if notifying fails halfway", async () => {
  const { owner } = people();
  const { id } = await ownGate();
  await record("guardrail_alert", "alert", { gateID: id, metricID: "errors::event_count" });
  await server.database.prisma.$executeRaw`alter table notification rename to notification_away`;
  await notify();
  await server.database.prisma.$executeRaw`alter table notification_away rename to notification`;
  expect(await texts(owner)).toHaveLength(1);
  expect(await texts(owner)).toHaveLength(1);
  await clear(owner);
});

test("a change that cannot be understood is skipped", async () => {
  const { owner } = people();
  const { id } = await ownGate();
  await record("guardrail_alert", "alert", { gateID: id, metricID: 7 });
  await record("guardrail_alert", "alert", { gateID: id, metricID: "errors::event_count" });
  expect(await texts(owner)).toHaveLength(1);
  await clear(owner);
});

test("people can mark notifications by ID, or up to one, filtered by kind", async () => {
  const { owner } = people();
  const { id } = await ownGate();
  const mark = async (body: Parameters<Colleague["client"]["markNotifications"]>[0]["body"]) =>
    (await owner.client.markNotifications({ path: PROJECT, body })).data;
  for (const metricID of ["a", "b", "c"]) {
    server.clock.now += 1;
    await record("guardrail_alert", "alert", { gateID: id, metricID });
  }
  await notify();
  const ids = (await read(owner, { unread: true })).map((one) => one.id);
  const [latest = "", middle = "", oldest = ""] = ids;
  expect(await mark({ isRead: true, until: middle, kinds: ["REVIEW"] })).toEqual({ marked: 0, unread: 3 });
  expect(await mark({ isRead: true, until: middle, kinds: ["GUARDRAIL"] })).toEqual({ marked: 2, unread: 1 });
  expect(await mark({ isRead: false, ids: [oldest, latest, "gone"] })).toEqual({ marked: 1, unread: 2 });
  const listed = await owner.client.listNotifications({ path: PROJECT, query: { unread: true, kinds: ["GUARDRAIL"], limit: 1 } });
  expect([listed.data.map((one) => one.id), listed.pagination.totalItems]).toEqual([[latest], 2]);
  expect(await refusal(mark({ isRead: true }))).toEqual(invalid(["ids", "is required, unless until is given"]));
  expect(await refusal(mark({ isRead: true, ids, until: latest }))).toEqual(invalid(["until", "cannot be given with ids"]));
  expect(await refusal(mark({ isRead: true, ids, kinds: ["REVIEW"] }))).toEqual(invalid(["kinds", "needs until"]));
  expect(await refusal(mark({ isRead: true, until: "gone" }))).toEqual(invalid(["until", "is not the id of one of your notifications"]));
  await clear(owner);
});

test("people see only what they may read, in projects that they can access", async () => {
  const guest = await colleague();
  const { id } = (await guest.client.createGate({ body: { name: `own ${++count}` } })).data;
  await record("guardrail_alert", "alert", { gateID: id, metricID: "errors::event_count" });
  expect(await texts(guest)).toHaveLength(1);
  await server.client.createRole({ body: { name: "Nothing", permissions: { read_keys: true } } });
  await server.client.updateProjectMember({ path: { ...PROJECT, email: guest.email }, body: { role: "Nothing" } });
  await record("guardrail_alert", "alert", { gateID: id, metricID: "errors::event_count" });
  expect(await texts(guest)).toEqual([]);
  await server.client.updateProjectMember({ path: { ...PROJECT, email: guest.email }, body: { role: "Viewer" } });
  expect(await texts(guest)).toHaveLength(1);
  await server.client.removeProjectMember({ path: { ...PROJECT, email: guest.email } });
  expect(await refusal(guest.client.listNotifications({ path: PROJECT }))).toMatchObject({
    status: 404,
    message: "Project default does not exist.",
  });
});

test("notifications are deleted after 90 days, and beyond the latest 1,000 of a person", async () => {
  const owner = await colleague();
  const { now } = server.clock;
  const happening = { event: "ROLLOUT_FINISHED", opens: { type: "gate", id: "g", name: "G" }, about: { type: "gate", id: "g", name: "G" } };
  await server.database.prisma.$executeRaw`
    insert into notification ("projectID", "personID", id, seq, time, kind, "entityType", event)
    select 'default', ${owner.id}, 'filled ' || n, n, ${now}::bigint - n, 'ROLLOUT', 'gate', ${JSON.stringify(happening)} from generate_series(1, 1002) as n`;
  await deleteNotifications.run(env());
  const rows = () => server.database.prisma.$queryRaw<{ id: string }[]>`
    select id from notification where "personID" = ${owner.id} order by time desc, seq desc, id desc`;
  expect(await rows()).toHaveLength(1_000);
  expect((await rows())[0]?.id).toBe("filled 1");
  server.clock.now += 90 * DAY_MS - 500;
  await deleteNotifications.run(env());
  expect((await rows()).length).toBe(500);
});
