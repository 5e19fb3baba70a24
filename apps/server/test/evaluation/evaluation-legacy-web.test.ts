import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKey } from "../support/keys.ts";
import { startServer, type TestServer } from "../support/server.ts";

// Requests as statsig-js 5 and statsig-react 2 send them. Both SDKs run in `sdk/sdk.test.ts`.

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startServer();
  key = (await makeKey(server, { type: "CLIENT" })).key;
});
afterAll(() => server.close());

const sent = (isEncoded: "0" | "1") => ({
  "Content-Type": "application/json; charset=UTF-8",
  "STATSIG-API-KEY": key,
  "STATSIG-CLIENT-TIME": "1763700000000",
  "STATSIG-SDK-TYPE": "js-client",
  "STATSIG-SDK-VERSION": "5.1.0",
  "STATSIG-ENCODED": isEncoded,
});

/** The SDK's encoding: `btoa` writes one byte for each character, and throws for characters beyond U+00FF. */
const encoded = (body: object) => btoa(JSON.stringify(body)).split("").reverse().join("");

const initialize = (rawBody: string, headers: Record<string, string>, query = "") =>
  server.send("POST", `/v1/initialize${query}`, { key: null, rawBody, headers });

describe("initializeClient", () => {
  test("200: decodes a body that the header declares as encoded, as with `se=1`, and keeps its characters", async () => {
    const user = { userID: "José Ÿ Müller", custom: { straße: "½" } };
    const body = { user, hash: "djb2", deltasResponseRequested: false, statsigMetadata: { stableID: "s" } };
    expect(() => encoded(body)).toThrow();
    user.userID = "José Müller";
    const { status, body: initialized } = await initialize(encoded(body), sent("1"));
    expect([status, initialized.user]).toEqual([200, expect.objectContaining(user)]);
    expect((await initialize(encoded(body), sent("0"), "?se=1")).body).toEqual(initialized);
    expect((await initialize(JSON.stringify(body), sent("0"))).body).toEqual(initialized);
  });

  test("400: explains a mismatch of the header and the body", async () => {
    expect(await initialize("{}", sent("1"))).toMatchObject({
      status: 400,
      body: { code: "invalid_request", errors: [{ property: "body", errorMessage: "is not valid base64 in reverse" }] },
    });
  });

  test("answers a browser's preflight for every header of the SDK", async () => {
    const names = Object.keys(sent("1")).join(",").toLowerCase();
    const response = await fetch(`${server.url}/v1/initialize`, {
      method: "OPTIONS",
      headers: { Origin: "http://shop.example", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": names },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(response.headers.get("Access-Control-Allow-Headers")).toBe(names);
  });
});

describe("registerEventsByBeacon", () => {
  test("202: stores what a closing page sends as text with its own clock", async () => {
    const body = {
      events: [{ eventName: "left_page", user: { userID: "alice" } }],
      statsigMetadata: { sdkType: "js-client" },
      clientTime: "1763700000000",
    };
    const response = await fetch(`${server.url}/v1/rgstr_b?k=${key}`, { method: "POST", body: JSON.stringify(body) });
    expect(response.status).toBe(202);
    const { data } = await server.client.listEventValues({ path: { eventName: "left_page" } });
    expect(data).toMatchObject([{ userID: "alice", source: "js-client" }]);
  });
});
