import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { linkIn, startEmailing } from "../support/emailing.ts";
import { makePerson, signIn } from "../support/people.ts";
import { readMetrics } from "../support/read-metrics.ts";
import { startServer, type TestServer } from "../support/server.ts";

const [PASSWORD, ANOTHER] = ["correct horse battery staple", "seven bridges of Königsberg"];
const HOUR_MS = 3_600_000;
const ANSWER = { message: "If the address belongs to a person with a password, they get an email with a link." };

let emailing: Awaited<ReturnType<typeof startEmailing>>;
let server: TestServer;
beforeAll(async () => {
  emailing = await startEmailing({ trustedProxies: ["loopback"] });
  server = emailing.server;
});
afterAll(() => emailing.close());

/** Sends a request from an address. */
const request = async (email: string, address = "192.0.2.1", at = server) =>
  at.send("POST", "/console/v1/session/password_reset", { body: { email }, headers: { "X-Forwarded-For": address } });
const redeem = (email: string, link: string) =>
  server.send("POST", "/console/v1/session/redeem", { body: { token: link.split("#")[1], email, password: ANOTHER } });
/** The links that a person was sent, after the job has run. */
const receive = async (address: string) => {
  await emailing.send();
  return emailing.smtp.to(address).map(({ text }) => linkIn(text));
};

describe("requestPasswordReset", () => {
  test("200: a person gets an email, and sets another password with its link, once", async () => {
    const { person, headers } = await makePerson(server, { password: PASSWORD });
    const { status, body } = await request(person.email.toUpperCase());
    expect([status, body]).toEqual([200, ANSWER]);
    const [link = "", ...more] = await receive(person.email);
    expect([link, more]).toEqual([expect.stringMatching(/^\/welcome#once-\w+$/), []]);
    expect((await redeem(person.email, link)).status).toBe(200);
    expect((await redeem(person.email, link)).status).toBe(401);
    expect((await server.send("GET", "/console/v1/session", { headers })).status).toBe(401);
    const signIns = await Promise.all([PASSWORD, ANOTHER].map((password) => signIn(server, { email: person.email, password })));
    expect(signIns.map((one) => one.status)).toEqual([401, 200]);
  });

  test("200: unknown addresses, deactivated people and people without a password get the same answer and no email", async () => {
    const { person: withoutPassword } = await makePerson(server);
    const { person: deactivated } = await makePerson(server, { password: PASSWORD });
    await server.send("PATCH", `/console/v1/people/${deactivated.id}`, { body: { isActive: false } });
    for (const email of ["nobody@example.com", withoutPassword.email, deactivated.email]) {
      const { status, body } = await request(email, "192.0.2.2");
      expect([status, body, await receive(email)]).toEqual([200, ANSWER, []]);
    }
    expect(await emailing.waiting()).toBe(0);
  });

  test("200: a person gets at most 3 links an hour, which all work until one is used, and for an hour", async () => {
    const { person } = await makePerson(server, { password: PASSWORD });
    for (let index = 0; index < 4; index++) expect((await request(person.email, `192.0.3.${index}`)).status).toBe(200);
    const [first = "", second = "", third = "", ...more] = await receive(person.email);
    expect(more).toEqual([]);
    const warned = server.logged.filter((line) => line.includes("too many password reset links")).map((line) => JSON.parse(line));
    expect(warned).toEqual([expect.objectContaining({ personID: person.id })]);
    expect((await readMetrics(server)).get('gatehouse_emails_total{outcome="limited"}')).toBe(1);
    expect([(await redeem(person.email, second)).status, (await redeem(person.email, first)).status]).toEqual([200, 401]);
    expect((await redeem(person.email, third)).status).toBe(401);
    await request(person.email, "192.0.3.9");
    const last = (await receive(person.email)).at(-1) ?? "";
    server.clock.now += HOUR_MS;
    expect((await redeem(person.email, last)).status).toBe(401);
  });

  test("200: the links of an administrator and of an invitation still work after a request", async () => {
    const { person } = await makePerson(server, { password: PASSWORD });
    const { url } = (await server.send("POST", `/console/v1/people/${person.id}/password_reset`)).body.data;
    await request(person.email, "192.0.4.1");
    await receive(person.email);
    expect((await redeem(person.email, url)).status).toBe(200);
  });

  test("200: the audit log of the instance has the request of a person, with the address it came from, and no token", async () => {
    const { person } = await makePerson(server, { password: PASSWORD });
    await request(person.email, "192.0.5.1");
    const [link = ""] = await receive(person.email);
    const entries = await server.database.prisma.change.findMany({ where: { operationID: "requestPasswordReset", entityID: person.id } });
    expect(entries).toMatchObject([
      {
        ...{ projectID: "instance", entityType: "session", actorName: "ANONYMOUS", address: "192.0.5.1" },
        reason: `Requested a password reset link, which is emailed to ${person.email}.`,
      },
    ]);
    expect(JSON.stringify(entries, (_, value) => (typeof value === "bigint" ? `${value}` : value))).not.toContain(link.split("#")[1]);
  });

  test("400: text that is not an email address", async () => {
    expect((await request("nobody", "192.0.6.1")).status).toBe(400);
  });

  test("403: a server on which people sign in only with a provider", async () => {
    const replica = await server.replica(undefined, { passwordSignIn: false });
    expect((await request("kim@example.com", "192.0.2.1", replica)).status).toBe(403);
    expect((await replica.client.getSignInMethods()).data.passwordReset).toBe(false);
    await replica.close();
  });

  test("404: a server that sends no email", async () => {
    const plain = await startServer();
    const { status, body } = await request("kim@example.com", "192.0.2.1", plain);
    expect([status, body.message]).toEqual([
      404,
      "This server does not send email. Ask an administrator for a password reset link. The operator can set up email with GATEHOUSE_SMTP_URL.",
    ]);
    expect((await plain.client.getSignInMethods()).data.passwordReset).toBe(false);
    expect((await server.client.getSignInMethods()).data.passwordReset).toBe(true);
    await plain.close();
  });

  test("429: the sixth request for an address from one network, whether or not the address belongs to anyone", async () => {
    const { person } = await makePerson(server, { password: PASSWORD });
    for (const email of [person.email, "stranger@example.com"]) {
      const statuses: number[] = [];
      for (let index = 0; index < 6; index++) statuses.push((await request(email, "192.0.7.1")).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    }
    const { headers, body } = await request(person.email, "192.0.7.1");
    expect([body.message, Number(headers.get("Retry-After")) > 0]).toEqual([
      "There were too many password reset requests. Try again after Retry-After seconds.",
      true,
    ]);
    expect((await request(person.email, "192.0.7.2")).status).toBe(200);
  });

  test("429: requests beyond the 50 of a network write nothing, however many addresses they name", async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 53; index++) statuses.push((await request(`stranger${index}@example.com`, "192.0.8.1")).status);
    expect(statuses).toEqual([...Array(50).fill(200), 429, 429, 429]);
    const counted = { projectID: "instance", actorID: { startsWith: "resets of ", endsWith: " from 192.0.8.1" } };
    expect(await server.database.prisma.writeLease.count({ where: counted })).toBe(50);
  });

  test("429: requests refused for one address do not count toward the limit of the network", async () => {
    for (let index = 0; index < 60; index++) await request("stranger@example.com", "192.0.9.1");
    expect((await request("another@example.com", "192.0.9.1")).status).toBe(200);
  });
});
