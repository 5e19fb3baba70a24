import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeNamed } from "../support/fixtures.ts";
import { fill, operations, requiredAccess } from "../support/operations.ts";
import { readSecret } from "../support/people.ts";
import { entriesBy, makeMember, ORIGIN, setUpPasskey, setUpTotp } from "../support/second-factors.ts";
import { conflicting, startServer, type TestServer } from "../support/server.ts";
import { asPerson } from "../support/sessions.ts";
import { TEST_KEY } from "../support/template-database.ts";
import { totpCode } from "../support/totp-code.ts";

/** The operations that a session can call before its person has set up a second factor. */
const OPEN = [
  "getSession",
  "deleteSession",
  "getSecondFactors",
  "confirmSession",
  "startConfirmation",
  "startPasskeyCreation",
  "createPasskey",
  "startTotpSetup",
  "confirmTotp",
];
const REFUSED = { status: 403, code: "forbidden", message: "This server requires a second factor. Set one up in your account first." };

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ publicUrl: ORIGIN, requiresSecondFactor: true });
  await makeNamed(server);
});
afterAll(() => server.close());

describe("a server that requires second factors", () => {
  test("allows only some operations in a session whose person has none", async () => {
    const { headers } = await makeMember(server, { isAdministrator: true });
    const withSession = operations.filter((one) => requiredAccess(one) !== "none" && one.operationId !== "deleteSession");
    const open: string[] = ["deleteSession"];
    for (const { operationId, method, path, example } of withSession) {
      const { status, body } = await server.send(method, fill(path, {}), { key: null, headers, body: example });
      if (status !== 403) open.push(operationId);
      else expect([operationId, body]).toEqual([operationId, REFUSED]);
    }
    expect(open.toSorted()).toEqual(OPEN.toSorted());
  });

  test("says so in the account, and allows everything once the person has a factor", async () => {
    for (const setUp of [setUpTotp, setUpPasskey]) {
      const { headers, signIn } = await makeMember(server, { isAdministrator: true });
      const begun = await signIn();
      expect([begun.status, begun.body.data.mustSetUpSecondFactor]).toEqual([200, true]);
      const gates = () => server.send("GET", "/console/v1/gates", { key: null, headers });
      const must = async () => (await server.send("GET", "/console/v1/session", { key: null, headers })).body.data.mustSetUpSecondFactor;
      expect([(await gates()).body, await must()]).toEqual([REFUSED, true]);
      await setUp(server, headers);
      expect([(await gates()).status, await must()]).toEqual([200, false]);
    }
  });

  test("refuses to remove the last factor, and allows removing another one", async () => {
    const { headers, own } = await makeMember(server);
    await setUpTotp(server, headers);
    const last = conflicting("This is your last second factor, and the server requires one. Set up another one first.");
    expect((await own("DELETE", "totp")).body).toEqual(last);
    const passkey = await setUpPasskey(server, headers);
    expect((await own("DELETE", "totp")).status).toBe(200);
    expect((await own("DELETE", `passkeys/${passkey.id}`)).body).toEqual(last);
  });

  test("exempts keys and sessions of single sign-on", async () => {
    const { headers, person } = await makeMember(server, { isAdministrator: true });
    await server.database.prisma.session.updateMany({ where: { personID: person.id }, data: { isSingleSignOn: true } });
    const statuses = [
      (await server.send("GET", "/console/v1/gates", { key: null, headers })).status,
      (await server.send("GET", "/console/v1/gates", { key: TEST_KEY })).status,
    ];
    expect(statuses).toEqual([200, 200]);
  });

  test("requires a new factor after an administrator has removed the factors, which ends sessions and one-time links", async () => {
    const administrator = await makeMember(server, { isAdministrator: true });
    await setUpTotp(server, administrator.headers);
    const { headers, person, signIn, status } = await makeMember(server);
    const secret = await setUpTotp(server, headers);
    await setUpPasskey(server, headers);
    await server.send("POST", `/console/v1/people/${person.id}/password_reset`, { key: null, headers: administrator.headers });
    const path = `/console/v1/people/${person.id}/second_factors`;
    const asAdministrator = { key: null, headers: administrator.headers };
    const read = async () => (await server.send("GET", path, asAdministrator)).body.data;
    expect(await read()).toEqual({ totp: true, passkeys: 1, recoveryCodes: 0 });
    expect((await server.send("DELETE", `${path}?dryRun=true`, asAdministrator)).status).toBe(200);
    expect([await read(), await status()]).toEqual([{ totp: true, passkeys: 1, recoveryCodes: 0 }, 200]);
    expect((await server.send("DELETE", path, asAdministrator)).status).toBe(200);
    expect([await read(), await status()]).toEqual([{ totp: false, passkeys: 0, recoveryCodes: 0 }, 401]);
    expect(await server.database.prisma.oneTimeToken.count({ where: { personID: person.id } })).toBe(0);
    server.clock.now += 30_000;
    const begun = await signIn({ code: totpCode(secret, server.clock.now) });
    expect([begun.status, begun.body.data.mustSetUpSecondFactor]).toEqual([200, true]);
    expect((await entriesBy(server, administrator.person.id)).at(-1)).toEqual([
      "deletePersonSecondFactors",
      `Removed the second factors of ${person.email}, and ended their sessions and one-time links.`,
    ]);
    expect(await status(asPerson(readSecret(begun.headers)))).toBe(200);
  });
});
