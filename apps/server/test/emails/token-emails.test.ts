import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { linkIn, startEmailing } from "../support/emailing.ts";
import { makePerson, signIn } from "../support/people.ts";
import { startServer, type TestServer } from "../support/server.ts";

const PASSWORD = "correct horse battery staple";

let emailing: Awaited<ReturnType<typeof startEmailing>>;
let server: TestServer;
beforeAll(async () => {
  emailing = await startEmailing();
  server = emailing.server;
});
afterAll(() => emailing.close());

const invite = async (email: string, at = server) => (await at.client.inviteUsers({ body: { role: "Member", emails: [email] } })).data[0];
const reset = (id: string, query = "") => server.send("POST", `/console/v1/people/${id}/password_reset${query}`);
const redeem = (email: string, link: string) =>
  server.send("POST", "/console/v1/session/redeem", { body: { token: link.split("#")[1], email, password: PASSWORD } });
/** The emails to a person after the job has run. */
const receive = async (address: string) => {
  await emailing.send();
  return emailing.smtp.to(address);
};

describe("inviteUsers", () => {
  test("200: the person gets one email, and the link in it lets them set a password", async () => {
    const issued = await invite("kim@example.com");
    expect(issued).toMatchObject({ isEmailed: true });
    const [email, ...more] = await receive("kim@example.com");
    expect(more).toEqual([]);
    expect(Object.fromEntries(email?.headers ?? [])).toEqual({
      from: "Gatehouse <gatehouse@example.com>",
      to: "kim@example.com",
      subject: "Invitation to default on Gatehouse",
      date: "Fri, 21 Nov 2025 04:40:00 +0000",
      "message-id": expect.stringMatching(/^<\w{22}@example\.com>$/),
      "auto-submitted": "auto-generated",
      "x-auto-response-suppress": "All",
      "mime-version": "1.0",
      "content-type": expect.stringMatching(/^multipart\/alternative;/),
    });
    expect(email?.text).toBe(
      [
        "You were invited to the project default on Gatehouse.",
        "To accept, set your password. The link works once, within 72 hours.",
        `Accept invitation:\n${issued?.url}`,
        "-- \nIf you didn't expect this invitation, you can ignore this email.",
      ].join("\n\n"),
    );
    expect(email?.html).toContain(`<a href="${issued?.url}"`);
    expect((await redeem("kim@example.com", linkIn(email?.text ?? ""))).status).toBe(200);
    expect(await emailing.waiting()).toBe(0);
  });

  test("200: a person who can sign in, one whose invitation is revoked before it is sent, and a dry run get no email", async () => {
    const { person } = await makePerson(server, { password: PASSWORD });
    expect(await invite(person.email)).toMatchObject({ isEmailed: false });
    await invite("revoked@example.com");
    const { data } = await server.client.listInvitations();
    await server.client.deleteInvitation({ path: { id: data.find(({ email }) => email === "revoked@example.com")?.id ?? "" } });
    await server.client.inviteUsers({ body: { role: "Member", emails: ["dry@example.com"] }, query: { dryRun: true } });
    await emailing.send();
    expect(["revoked@example.com", "dry@example.com", person.email].flatMap(emailing.smtp.to)).toEqual([]);
    expect(await emailing.waiting()).toBe(0);
  });

  test("200: markup in names stays text", async () => {
    const { headers } = await makePerson(server, { isAdministrator: true });
    const body = { firstName: '<img src="http://eve.example.com/x">', lastName: "<b>L</b>" };
    expect((await server.send("PATCH", "/console/v1/session", { key: null, headers, body })).status).toBe(200);
    await server.send("POST", "/console/v1/users/invite", { key: null, headers, body: { role: "Member", emails: ["lee@example.com"] } });
    const [email] = await receive("lee@example.com");
    expect(email?.text).toContain('<img src="http://eve.example.com/x"> <b>L</b> invited you to the project default on Gatehouse.');
    expect(email?.html).toContain(
      "&lt;img src=&quot;http://eve.example.com/x&quot;&gt; &lt;b&gt;L&lt;/b&gt; invited you to the project default on Gatehouse.",
    );
  });

  test("200: a server without the setting sends no email", async () => {
    const plain = await startServer();
    expect(await invite("kim@example.com", plain)).toMatchObject({ isEmailed: false, url: expect.stringContaining("/welcome#once-") });
    expect(await plain.database.prisma.email.count()).toBe(0);
    await plain.close();
  });
});

describe("createPasswordReset", () => {
  test("200: the person gets an email whose link sets their password", async () => {
    const { person } = await makePerson(server, { password: "another battery staple horse" });
    expect((await reset(person.id)).body.data).toMatchObject({ isEmailed: true });
    const [email] = await receive(person.email);
    expect(email?.headers.get("subject")).toBe("Set a new password for Gatehouse");
    expect(email?.text).toContain("An administrator sent you a link to set a new password for your Gatehouse account.");
    expect((await redeem(person.email, linkIn(email?.text ?? ""))).status).toBe(200);
    expect((await signIn(server, { email: person.email, password: PASSWORD })).status).toBe(200);
  });

  test("200: of two resets before the first email is sent, only the second link is sent", async () => {
    const { person } = await makePerson(server);
    await reset(person.id);
    const { url } = (await reset(person.id)).body.data;
    const sent = await receive(person.email);
    expect(sent.map(({ text }) => text.includes(url))).toEqual([true]);
  });

  test("200: a person who is deactivated before the email is sent gets none", async () => {
    const { person } = await makePerson(server);
    await reset(person.id);
    await server.send("PATCH", `/console/v1/people/${person.id}`, { body: { isActive: false } });
    expect([await receive(person.email), await emailing.waiting()]).toEqual([[], 0]);
  });
});
