import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProvider } from "../../src/accounts/provider.ts";
import { oidcConfig } from "../support/identity-provider.ts";
import { makePerson } from "../support/people.ts";
import { closedPort } from "../support/port.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { TEST_ADMINISTRATOR } from "../support/template-database.ts";

const START = "/console/v1/session/oidc";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** A provider that cannot be reached. */
async function providerAway() {
  return createProvider(oidcConfig(`http://127.0.0.1:${await closedPort()}`), `http://gatehouse.test:4000${START}/callback`);
}

const requires = (what: string) => `Insufficient permissions. This requires ${what}.`;

describe("a server", () => {
  test("without a provider answers 404, and names the setting", async () => {
    const plain = await server.replica(undefined, { provider: undefined });
    for (const path of [START, `${START}/callback?code=x`]) {
      const { status, body } = await plain.send("GET", path);
      expect([status, body.message]).toEqual([404, "Single sign-on is not set up. The operator does that with GATEHOUSE_OIDC_ISSUER."]);
    }
    await plain.close();
  });

  test("answers 503 while its provider is unreachable, and asks it again", async () => {
    const cut = await server.replica(undefined, { provider: await providerAway() });
    for (let attempt = 0; attempt < 2; attempt++) {
      const { status, body } = await cut.send("GET", START);
      expect([status, body]).toEqual([
        503,
        { status: 503, code: "unavailable", message: "The provider cannot be reached. Try again shortly." },
      ]);
    }
    await cut.close();
  });

  test("can leave the provider alone: passwords are refused", async () => {
    const sso = await server.replica(undefined, { passwordSignIn: false, provider: await providerAway() });
    const { headers } = await makePerson(server);
    const off = requires("signing in with the provider, as the operator has turned passwords off: GET /console/v1/session/oidc");
    const answers = [
      await sso.send("POST", "/console/v1/session", { body: TEST_ADMINISTRATOR }),
      await sso.send("POST", "/console/v1/session/redeem", {
        body: { token: "once-x", email: "a@example.com", password: "long enough for one" },
      }),
      await sso.send("POST", "/console/v1/session/redeem/check", { body: { token: "once-x" } }),
      await sso.send("PUT", "/console/v1/session/password", { headers, body: { currentPassword: "x", password: "long enough for one" } }),
    ];
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual(Array(4).fill([403, off]));
    expect((await sso.client.getSignInMethods()).data).toEqual({
      password: false,
      passkey: false,
      singleSignOn: true,
      passwordReset: false,
    });
    await sso.close();
  });
});
