import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { offerAdministration } from "../../src/accounts/first-administrator.ts";
import { createAdministratorToken, createResetToken, removeFactors } from "../../src/cli/people.ts";
import { createLog } from "../../src/common/log.ts";
import { deleteEndedAccess } from "../../src/jobs/delete-ended-access.ts";
import { makePerson, makeToken } from "../support/people.ts";
import { makeMember, setUpTotp } from "../support/second-factors.ts";
import { invalid, startServer, type TestServer } from "../support/server.ts";
import { asPerson } from "../support/sessions.ts";

const HOUR_MS = 3_600_000;
const PASSWORD = "seven bridges of Königsberg";
const REFUSED = {
  status: 401,
  code: "unauthorized",
  message: "The token does not work for this email address, or no longer works. Ask for a new one.",
};

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

let count = 0;
const newEmail = () => `new${++count}@example.com`;
const redeem = (given: object) =>
  server.send("POST", "/console/v1/session/redeem", { body: { name: "Grace Hopper", password: PASSWORD, ...given } });
const signIn = async (email: string, password: string) =>
  (await server.send("POST", "/console/v1/session", { body: { email, password } })).status;

describe("the one-time token of an administrator", () => {
  test("makes a server administrator, signs them in, and is named by what it makes", async () => {
    const email = newEmail();
    const { status, body, headers } = await redeem({ token: await makeToken(server, "administrator"), email: email.toUpperCase() });
    expect([status, body.data.person]).toMatchObject([200, { email, firstName: "Grace", lastName: "Hopper", isAdministrator: true }]);
    const session = asPerson(/session=([^;]+)/.exec(headers.get("Set-Cookie") ?? "")?.[1] ?? "");
    const { id } = body.data.person;
    const { data } = (await server.send("GET", `/console/v1/people/${id}`, { key: null, headers: session })).body;
    expect(data).toMatchObject({ creatorID: id, creatorName: "Grace Hopper", creatorEmail: email, isActive: true, version: 1 });
    const change = await server.database.prisma.change.findFirst({ where: { entityID: id } });
    expect(change).toMatchObject({ projectID: "instance", operationID: "redeemToken", actorID: id, actorName: "Grace Hopper" });
    expect(await signIn(email, PASSWORD)).toBe(200);
  });

  test("works once, even if it is sent several times at once", async () => {
    const token = await makeToken(server, "administrator");
    const answers = await Promise.all(Array.from({ length: 5 }, () => redeem({ token, email: newEmail() })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401]);
    expect((await redeem({ token, email: newEmail() })).body).toEqual(REFUSED);
  });

  test("takes the others like it with it", async () => {
    const [one, other] = [await makeToken(server, "administrator"), await makeToken(server, "administrator")];
    expect((await redeem({ token: one, email: newEmail() })).status).toBe(200);
    expect((await redeem({ token: other, email: newEmail() })).body).toEqual(REFUSED);
  });

  test("is refused for the address of somebody who has an account", async () => {
    const { person } = await makePerson(server);
    expect((await redeem({ token: await makeToken(server, "administrator"), email: person.email })).body).toEqual(REFUSED);
  });

  test("needs a name, and is not used up by a request that is not valid", async () => {
    const [token, email] = [await makeToken(server, "administrator"), newEmail()];
    expect((await redeem({ token, email, name: undefined })).body).toEqual(invalid(["name", "is required"]));
    expect((await redeem({ token, email })).status).toBe(200);
  });
});

describe("the one-time token of a password reset", () => {
  test("sets the person's password and ends their sessions", async () => {
    const { person, headers } = await makePerson(server, { password: "an old password of mine" });
    const token = await createResetToken(server.database, person.email.toUpperCase(), server.clock.now);
    expect((await redeem({ token, email: person.email, name: "Somebody Else" })).body.data.person).toMatchObject({
      lastName: person.lastName,
    });
    expect((await server.send("GET", "/console/v1/session", { headers })).status).toBe(401);
    expect([await signIn(person.email, "an old password of mine"), await signIn(person.email, PASSWORD)]).toEqual([401, 200]);
  });

  test("is refused for another address, and for a person who was deactivated since, even if they are active again", async () => {
    const [one, other] = [await makePerson(server), await makePerson(server)];
    const token = await makeToken(server, "password_reset", one.person.id);
    expect((await redeem({ token, email: other.person.email })).body).toEqual(REFUSED);
    expect((await redeem({ token, email: newEmail() })).body).toEqual(REFUSED);
    for (const isActive of [false, true]) {
      await server.send("PATCH", `/console/v1/people/${one.person.id}`, { body: { isActive } });
      expect((await redeem({ token, email: one.person.email })).body).toEqual(REFUSED);
    }
  });

  test("is not made for somebody who has no account", async () => {
    await expect(createResetToken(server.database, "nobody@example.com")).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a one-time token", () => {
  test("works for 72 hours, and is deleted after that", async () => {
    const late = await startServer();
    const send = (token: string) =>
      late.send("POST", "/console/v1/session/redeem", { body: { name: "Grace", password: PASSWORD, token, email: newEmail() } });
    const tokens = [await makeToken(late, "administrator"), await makeToken(late, "password_reset", "nobody")];
    late.clock.now += 72 * HOUR_MS;
    expect((await send(tokens[0] ?? "")).body).toEqual(REFUSED);
    const job = deleteEndedAccess({ idleMs: HOUR_MS, longestMs: HOUR_MS });
    await job.run({ database: late.database, log: createLog("silent", { write() {} }), now: () => late.clock.now - 1 });
    expect(await late.database.prisma.oneTimeToken.count()).toBe(2);
    await job.run({ database: late.database, log: createLog("silent", { write() {} }), now: () => late.clock.now });
    expect([await late.database.prisma.oneTimeToken.count(), await late.database.prisma.session.count()]).toEqual([0, 0]);
    await late.close();
  });

  test("is kept as a hash, and in no log", async () => {
    const token = await makeToken(server, "administrator");
    expect(JSON.stringify(await server.database.prisma.oneTimeToken.findMany(), (_, value) => String(value))).not.toContain(token);
    await server.send("GET", `/console/v1/gates/${token}`);
    expect(server.logged.join("")).not.toContain(token);
  });

  test("that is refused counts as a failure to sign in", async () => {
    const email = newEmail();
    for (let attempt = 0; attempt < 10; attempt++) expect((await redeem({ token: "once-unknown", email })).status).toBe(401);
    expect((await redeem({ token: await makeToken(server, "administrator"), email })).status).toBe(429);
  });
});

describe("an instance without an administrator", () => {
  let empty: TestServer;
  beforeAll(async () => {
    empty = await startServer();
    await empty.database.prisma.person.deleteMany();
  });
  afterAll(() => empty.close());
  const offer = (given = {}) =>
    offerAdministration(
      empty.database,
      { adminEmail: undefined, adminPassword: undefined, passwordSignIn: true, ...given },
      empty.clock.now,
    );
  const signInto = async (password: string) =>
    (await empty.send("POST", "/console/v1/session", { body: { email: "root@example.com", password } })).status;

  test("offers a token at each start, until there is one", async () => {
    const [first, second] = [await offer(), await offer()];
    expect([first, second]).toEqual([expect.stringMatching(/^once-\w{44}$/), expect.stringMatching(/^once-\w{44}$/)]);
    const body = { token: first, email: "root@example.com", name: "Root", password: PASSWORD };
    expect((await empty.send("POST", "/console/v1/session/redeem", { body })).status).toBe(200);
    expect(await offer()).toBeUndefined();
  });

  test("gets the one of the settings, once: later starts change nothing", async () => {
    await empty.database.prisma.person.deleteMany();
    const given = { adminEmail: "Root@example.com", adminPassword: "set by the operator" };
    expect(await Promise.all([offer(given), offer(given)])).toEqual([undefined, undefined]);
    expect(await signInto("set by the operator")).toBe(200);
    expect(await empty.database.prisma.change.findFirst({ orderBy: { id: "desc" } })).toMatchObject({
      reason: "Signed in.",
      actorName: "Administrator",
    });
    await offer({ ...given, adminPassword: "another password of the operator" });
    expect([await signInto("set by the operator"), await signInto("another password of the operator")]).toEqual([200, 401]);
  });

  test("refuses a common password in the settings, and names the setting", async () => {
    await empty.database.prisma.person.deleteMany();
    await expect(offer({ adminEmail: "root@example.com", adminPassword: "Password1234!" })).rejects.toThrow(
      "GATEHOUSE_ADMIN_PASSWORD is a common password, a name, or a variation of one",
    );
  });

  test("is offered none where people sign in with the provider alone, since a token sets a password", async () => {
    await empty.database.prisma.person.deleteMany();
    expect(await offer({ passwordSignIn: false })).toBeUndefined();
    expect(await offer()).toMatch(/^once-/);
  });

  test("can get one from the command line, at any time", async () => {
    expect(await createAdministratorToken(empty.database)).toMatch(/^once-\w{44}$/);
  });
});

describe("gatehouse people remove-second-factors", () => {
  test("removes a person's second factors, sessions and one-time links, and writes to the audit log", async () => {
    const { person, headers, signIn: signInAgain, status } = await makeMember(server);
    await setUpTotp(server, headers);
    await makeToken(server, "password_reset", person.id);
    await removeFactors(server.database, person.email.toUpperCase(), server.clock.now);
    expect([await status(), (await signInAgain()).status]).toEqual([401, 200]);
    expect(await server.database.prisma.oneTimeToken.count({ where: { personID: person.id } })).toBe(0);
    const entry = await server.database.prisma.change.findFirst({ where: { operationID: "deletePersonSecondFactors" } });
    const reason = `Removed the second factors of ${person.email}, and ended their sessions and one-time links.`;
    expect(entry).toMatchObject({ projectID: "instance", actorID: "system", entityID: person.id, reason });
    await expect(removeFactors(server.database, "nobody@example.com")).rejects.toMatchObject({ code: "not_found" });
  });
});
