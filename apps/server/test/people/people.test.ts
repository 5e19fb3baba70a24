import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePerson } from "../support/people.ts";
import { conflicting, invalid, startServer, type TestServer } from "../support/server.ts";
import { TEST_ADMINISTRATOR, TEST_KEY } from "../support/template-database.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

type Headers = Record<string, string>;
const patch = (id: string, body: object, headers: Headers = {}) => server.send("PATCH", `/console/v1/people/${id}`, { body, headers });

describe("listPeople", () => {
  test("lists everybody with an account, newest first, in pages", async () => {
    server.clock.now += 1;
    const { person } = await makePerson(server);
    const { body } = await server.send("GET", "/console/v1/people?limit=1");
    expect([body.data, body.pagination]).toMatchObject([
      [{ id: person.id, isActive: true }],
      { totalItems: 2, nextPage: "/console/v1/people?page=2&limit=1" },
    ]);
  });

  test("is for server administrators, and for no key", async () => {
    const { headers } = await makePerson(server);
    const answers = [
      await server.send("GET", "/console/v1/people", { key: TEST_KEY }),
      await server.send("GET", "/console/v1/people", { key: null, headers }),
    ];
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual(
      Array(2).fill([403, "Insufficient permissions. This requires the session of a server administrator."]),
    );
  });
});

describe("patchPerson", () => {
  test("changes only the fields given, and names who did", async () => {
    const { person } = await makePerson(server);
    const { body } = await patch(person.id, { firstName: "Renamed" });
    expect(body.data).toMatchObject({
      ...person,
      firstName: "Renamed",
      version: 2,
      lastModifierEmail: TEST_ADMINISTRATOR.email,
      lastModifierID: expect.any(String),
      lastModifierName: TEST_ADMINISTRATOR.email,
    });
  });

  test("keeps the last active administrator: 409", async () => {
    const lone = await startServer();
    const { data } = (await lone.send("GET", "/console/v1/people")).body;
    const refused = conflicting(
      "ada@example.com is the last active server administrator. Make somebody else one first.",
      "isAdministrator",
    );
    for (const body of [{ isAdministrator: false }, { isActive: false }])
      expect((await lone.send("PATCH", `/console/v1/people/${data[0].id}`, { body })).body).toEqual(refused);
    await lone.close();
  });

  test("keeps one of the last two, when both are demoted at once", async () => {
    const two = await startServer();
    const { person, headers } = await makePerson(two, { isAdministrator: true });
    const [first] = (await two.send("GET", "/console/v1/people")).body.data.filter(({ id }: { id: string }) => id !== person.id);
    const demote = (id: string, by: Headers) =>
      two.send("PATCH", `/console/v1/people/${id}`, { body: { isAdministrator: false }, headers: by, key: null });
    const answers = await Promise.all([demote(first.id, headers), demote(person.id, headers)]);
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    const left = (await two.database.prisma.person.findMany()).filter(({ isAdministrator }) => isAdministrator);
    expect(left).toHaveLength(1);
    await two.close();
  });
});

describe("confirmSession", () => {
  test("needs the password, and limits wrong attempts", async () => {
    const password = "a password of mine";
    const { headers } = await makePerson(server, { password });
    const guess = (text: string) => server.send("POST", "/console/v1/session/confirmation", { body: { password: text }, headers });
    for (let attempt = 0; attempt < 10; attempt++) expect((await guess("wrong")).status).toBe(400);
    expect((await guess(password)).status).toBe(429);
  });
});

describe("changePassword", () => {
  const OLD = "an old password of mine";
  const change = (headers: Headers, body: object) => server.send("PUT", "/console/v1/session/password", { body, headers });

  test("sets another password and ends the person's other sessions", async () => {
    const { person, headers } = await makePerson(server, { password: OLD });
    const other = await server.send("POST", "/console/v1/session", { body: { email: person.email, password: OLD } });
    const cookie = { Cookie: other.headers.get("Set-Cookie")?.split(";")[0] ?? "" };
    expect((await change(headers, { currentPassword: OLD, password: "a new password of mine" })).status).toBe(200);
    const reads = [headers, cookie].map(
      async (one) => (await server.send("GET", "/console/v1/session", { key: null, headers: one })).status,
    );
    expect(await Promise.all(reads)).toEqual([200, 401]);
    expect((await server.send("POST", "/console/v1/session", { body: { email: person.email, password: OLD } })).status).toBe(401);
  });

  test("needs the current password, and limits wrong attempts", async () => {
    const { headers } = await makePerson(server, { password: OLD });
    const guess = (currentPassword: string) => change(headers, { currentPassword, password: "a new password of mine" });
    expect((await guess("wrong")).body).toEqual(invalid(["currentPassword", "is wrong"]));
    for (let attempt = 1; attempt < 10; attempt++) expect((await guess("wrong")).status).toBe(400);
    expect((await guess(OLD)).status).toBe(429);
  });

  test.each([
    ["short", "elevenchars", "must NOT have fewer than 12 characters"],
    ["common", "Password1234!", "is a common password, a name, or a variation of one"],
    ["common, as it stands", "1qaz2wsx3edc", "is a common password, a name, or a variation of one"],
    ["counted", "123456789012", "is a common password, a name, or a variation of one"],
    ["repeated", "abcabcabcabc", "is a common password, a name, or a variation of one"],
    ["the product's name", "gatehouse2026!", "is a common password, a name, or a variation of one"],
  ])("refuses one that is %s", async (_, password, errorMessage) => {
    const { headers } = await makePerson(server, { password: OLD });
    expect((await change(headers, { currentPassword: OLD, password })).body).toEqual(invalid(["password", errorMessage]));
  });

  test("refuses the person's own address", async () => {
    const { headers } = await makePerson(server, { password: OLD, email: "charles.babbage@example.com" });
    const own = invalid(["password", "is a common password, a name, or a variation of one"]);
    for (const password of ["charles.babbage", "Charles.Babbage@example.com"])
      expect((await change(headers, { currentPassword: OLD, password })).body).toEqual(own);
  });
});
