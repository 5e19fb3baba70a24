import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rowsWithoutEvents } from "../support/faults.ts";
import { consoleOperations, fill, requiredAccess } from "../support/operations.ts";
import { makePerson, makeToken, signIn } from "../support/people.ts";
import { startServer, type TestServer } from "../support/server.ts";

const PASSWORD = "an attic full of maps";
const OFFICE = "203.0.113.7";
const FOREIGN = "198.51.100.9";

const textFrom = (address: string) =>
  `The console cannot be used from ${address}. GATEHOUSE_CONSOLE_ADDRESSES does not include this address. ` +
  "If it is the address of a proxy, add it to GATEHOUSE_TRUSTED_PROXIES.";
const forbiddenFrom = (address: string) => ({ status: 403, code: "forbidden", message: textFrom(address) });
const from = (address: string) => ({ "X-Forwarded-For": address });

let server: TestServer;
let administrator: Awaited<ReturnType<typeof makePerson>>;
beforeAll(async () => {
  server = await startServer({ trustedProxies: ["loopback"], consoleAddresses: ["203.0.113.0/24"] });
  administrator = await makePerson(server, { isAdministrator: true, password: PASSWORD });
});
afterAll(() => server.close());

const account = (address: string, at = server) =>
  at.send("GET", "/console/v1/session", { key: null, headers: { ...administrator.headers, ...from(address) } });

describe("the addresses allowed to use the console", () => {
  test("refuse every operation with a session or without credentials from other addresses, and nothing changes", async () => {
    const before = await rowsWithoutEvents(server.database);
    for (const operation of consoleOperations) {
      const { operationId, method, path, example, statuses } = operation;
      expect.soft([operationId, statuses]).toEqual([operationId, expect.arrayContaining(["403"])]);
      const isOpen = requiredAccess(operation) === "none";
      for (const headers of [administrator.headers, ...(isOpen ? [{ "Sec-Fetch-Site": "same-origin" }] : [])]) {
        const { status, body } = await server.send(method, fill(path, {}), {
          key: null,
          headers: { ...headers, ...from(FOREIGN) },
          body: example,
        });
        expect.soft([operationId, status, body]).toEqual([operationId, 403, forbiddenFrom(FOREIGN)]);
      }
    }
    expect(await rowsWithoutEvents(server.database)).toEqual(before);
  });

  test("let a session continue at an allowed address, and let people sign in there", async () => {
    expect([(await account(FOREIGN)).status, (await account(OFFICE)).status]).toEqual([403, 200]);
    const credentials = { email: administrator.person.email, password: PASSWORD };
    expect((await signIn(server, credentials, from(FOREIGN))).body).toEqual(forbiddenFrom(FOREIGN));
    expect((await signIn(server, credentials, from(OFFICE))).status).toBe(200);
  });

  test("leave a one-time link unused if it is opened elsewhere", async () => {
    const body = { token: await makeToken(server, "administrator"), email: "first@example.com", name: "Grace Hopper", password: PASSWORD };
    const redeem = (address: string) => server.send("POST", "/console/v1/session/redeem", { body, headers: from(address) });
    expect([(await redeem(FOREIGN)).status, (await redeem(OFFICE)).status]).toEqual([403, 200]);
  });

  test("don't limit keys, the evaluation API or the console's page", async () => {
    const status = async (path: string, headers = {}) =>
      (await server.send("GET", path, { key: server.key, headers: { ...from(FOREIGN), ...headers } })).status;
    expect(await status("/console/v1/gates")).toBe(200);
    expect(await status("/v1/download_config_specs")).toBe(200);
    expect(await status("/sign-in", { Accept: "text/html" })).toBe(200);
  });

  test("show a page with the reason to a browser that returns from the provider elsewhere", async () => {
    const { status, text } = await server.send("GET", "/console/v1/session/oidc/callback?code=x&state=y", {
      key: null,
      headers: { ...from(FOREIGN), Accept: "text/html" },
    });
    expect([status, text]).toEqual([403, expect.stringContaining(`<p>${textFrom(FOREIGN)}</p>`)]);
  });

  test("keep a site whose host name resolves to the server from signing in through a browser at an allowed address", async () => {
    const named = await server.replica(undefined, { publicUrl: "https://flags.example.com" });
    const { port } = new URL(named.url);
    const credentials = { email: administrator.person.email, password: PASSWORD };
    const statuses = [];
    for (const origin of ["http://evil.example", "https://flags.example.com"]) {
      const request = httpRequest({
        ...{ host: "127.0.0.1", port, method: "POST", path: "/console/v1/session" },
        headers: { Host: new URL(origin).host, Origin: origin, "Content-Type": "application/json", ...from(OFFICE) },
      });
      request.end(JSON.stringify(credentials));
      const [response] = await once(request, "response");
      response.resume();
      statuses.push(response.statusCode);
    }
    expect(statuses).toEqual([403, 200]);
    await named.close();
  });

  test("ignore an address that an untrusted peer claims, and the error names the peer", async () => {
    const direct = await server.replica(undefined, { trustedProxies: [] });
    expect((await account(OFFICE, direct)).body).toEqual(forbiddenFrom("127.0.0.1"));
    await direct.close();
  });
});
