import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePerson, readSecret, signIn } from "../support/people.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { asPerson } from "../support/sessions.ts";
import { TEST_ADMINISTRATOR } from "../support/template-database.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

describe("listInstanceAuditLogs", () => {
  const readEntries = async (id: string) => {
    const { body } = await server.send("GET", "/console/v1/instance/audit_logs?limit=1000");
    return body.data.filter(({ entityID, updatedByUserID }: { entityID: string; updatedByUserID: string }) =>
      [entityID, updatedByUserID].includes(id),
    );
  };

  test("has who signed in and out, when and from where", async () => {
    const { person, headers: earlier } = await makePerson(server, { password: TEST_ADMINISTRATOR.password });
    const { headers } = await signIn(server, { email: person.email, password: TEST_ADMINISTRATOR.password }, { "User-Agent": "a browser" });
    await server.send("DELETE", "/console/v1/session", { headers: asPerson(readSecret(headers)) });
    await server.send("PUT", "/console/v1/session/password", {
      headers: earlier,
      body: { currentPassword: TEST_ADMINISTRATOR.password, password: "seven bridges of Königsberg" },
    });
    const events = (await readEntries(person.id)).filter(({ entityType }: { entityType: string }) => entityType === "session");
    expect(events).toMatchObject([
      { operationID: "changePassword", reason: "Changed the password, which ended the other sessions." },
      { operationID: "deleteSession", reason: "Signed out." },
      { operationID: "createSession", reason: "Signed in.", userAgent: "a browser" },
    ]);
    for (const event of events)
      expect(event).toMatchObject({ modifierEmail: person.email, address: "127.0.0.1", requestID: expect.any(String) });
  });

  test("has failures to sign in, added up", async () => {
    const failing = await startServer();
    for (let count = 0; count < 5; count++) await signIn(failing, { email: "guessed@example.com", password: "guess" });
    const { body } = await failing.send("GET", "/console/v1/instance/audit_logs?actionType=createSession");
    expect(body.data).toMatchObject([{ entityID: "guessed@example.com", reason: "Failed to sign in.", updatedBy: "ANONYMOUS" }]);
    await failing.close();
  });

  test("is in no project's audit log", async () => {
    await signIn(server, TEST_ADMINISTRATOR);
    const { body } = await server.send("GET", "/console/v1/audit_logs?limit=1000");
    expect(body.data.filter(({ entityType }: { entityType: string }) => ["session", "person"].includes(entityType))).toEqual([]);
  });
});
