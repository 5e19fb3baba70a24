import { afterEach, describe, expect, test } from "vitest";
import { evaluateAll } from "../support/ofrep.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

const HOUR_MS = 3_600_000;
const INTERNAL = {
  status: 500,
  code: "internal",
  message: "The request failed. The server's log has the cause under the X-Request-Id of this response.",
};

let server: TestServer;
afterEach(() => server.close());

describe("a running server", () => {
  test("serves security.txt with the operator's contacts, valid for 90 days", async () => {
    const contacts = ["mailto:security@example.com", "https://example.com/report"];
    const securityContact = { contacts, policy: "https://example.com/policy" };
    server = await startServer({ publicUrl: "https://flags.example.com", securityContact });
    const day = new Date(server.clock.now).toISOString().slice(0, 10);
    const expires = new Date(Date.parse(day) + 90 * 24 * HOUR_MS).toISOString();
    const { status, text, headers } = await server.send("GET", "/.well-known/security.txt", { key: null });
    expect([status, headers.get("Content-Type"), text]).toEqual([
      200,
      "text/plain; charset=utf-8",
      `Contact: mailto:security@example.com
Contact: https://example.com/report
Expires: ${expires}
Policy: https://example.com/policy
Canonical: https://flags.example.com/.well-known/security.txt
`,
    ]);
  });

  const PROBES = ["/livez", "/readyz", "/readyz/console"];
  const probe = async (path: string) => {
    const { status, text } = await server.send("GET", path, { key: null });
    return [status, text];
  };
  const probeAll = () => Promise.all(PROBES.map(probe));

  test("is alive and ready without a key; without its database it is ready only for flags", async () => {
    server = await startServer();
    expect(await probeAll()).toEqual([
      [200, "ok\n"],
      [200, "ready\ndatabase: connected\n"],
      [200, "ready\ndatabase: connected\n"],
    ]);
    await evaluateAll(server, { targetingKey: "alice" });
    await server.database.cutOff();
    expect(await probeAll()).toEqual([
      [200, "ok\n"],
      [200, "ready\ndatabase: away\n"],
      [503, "not ready\ndatabase: away\n"],
    ]);
  });

  test("is not ready without its database if it has read no ruleset, or no key is trusted any more", async () => {
    server = await startServer();
    await server.client.listGates();
    const other = await startServer();
    await evaluateAll(other, { targetingKey: "alice" });
    for (const { database } of [server, other]) await database.cutOff();
    const notReady = [503, "not ready\ndatabase: away\n"];
    expect(await probe("/readyz")).toEqual(notReady);
    await server.close();
    server = other;
    expect(await probe("/readyz")).toEqual([200, "ready\ndatabase: away\n"]);
    server.clock.now += HOUR_MS + 1;
    expect(await probe("/readyz")).toEqual(notReady);
  });

  test.each([
    ["starting", "starting\n"],
    ["stopping", "shutting down\n"],
  ] as const)("is alive and not ready while it is %s", async (phase, body) => {
    server = await startServer({ phase: () => phase });
    expect(await probeAll()).toEqual([
      [200, "ok\n"],
      [503, body],
      [503, body],
    ]);
  });

  test("counts and times requests by operationId and status, and reports its connections", async () => {
    server = await startServer();
    await server.client.listGates();
    await server.send("GET", "/console/v1/gates/absent");
    await server.send("GET", "/console/v1/gates?surprise=1");
    const { body: text } = await server.send("GET", "/metrics", { key: null });
    expect(text).toContain('gatehouse_http_request_duration_seconds_count{operation="listGates",status="200"} 1\n');
    expect(text).toContain('gatehouse_http_request_duration_seconds_count{operation="getGate",status="404"} 1\n');
    expect(text).toContain('gatehouse_http_request_duration_seconds_count{operation="listGates",status="400"} 1\n');
    expect(text).toMatch(/gatehouse_database_connections\{state="total"\} [1-9]/);
  });

  test("logs one line for each request, without keys, headers or bodies", async () => {
    server = await startServer();
    await server.client.createGate({ body: { name: "secret-name", description: "secret-description" } });
    await server.send("POST", "/console/v1/gates", { body: { name: 5, description: "secret-description" } });
    const lines = server.logged.map((line) => JSON.parse(line));
    expect(lines).toEqual([
      expect.objectContaining({ msg: "request", method: "POST", path: "/console/v1/gates", operation: "createGate", status: 201 }),
      expect.objectContaining({ msg: "request", method: "POST", path: "/console/v1/gates", operation: "createGate", status: 400 }),
    ]);
    expect(server.logged.join("")).not.toMatch(/secret-|console-|SERVICE-API-KEY/i);
  });

  test("has a request id for each request in the response and in the log", async () => {
    server = await startServer();
    const { headers } = await server.send("GET", "/console/v1/gates");
    const requestID = headers.get("X-Request-Id");
    expect(server.logged.map((line) => JSON.parse(line).requestID)).toEqual([requestID]);
  });

  test.each(["/console/v1/gates", "/ofrep/v1/configuration"])("%s uses the request id and the trace of its caller", async (path) => {
    server = await startServer();
    const traceID = "4bf92f3577b34da6a3ce929d0e0e4736";
    const sent = { "X-Request-Id": "edge-7", traceparent: `00-${traceID}-00f067aa0ba902b7-01` };
    const { headers } = await server.send("GET", path, { headers: sent });
    expect(headers.get("X-Request-Id")).toBe("edge-7");
    await waitFor(() =>
      expect(server.logged.map((line) => JSON.parse(line))).toMatchObject([{ requestID: "edge-7", trace_id: traceID, path }]),
    );
  });

  test("forbids framing, sniffing and running its responses, and hides the server software", async () => {
    server = await startServer();
    const { headers } = await server.send("GET", "/console/v1/gates");
    expect(headers.get("Content-Security-Policy")).toBe("default-src 'none';frame-ancestors 'none'");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("X-Powered-By")).toBeNull();
  });

  test("responds to pages of other origins only if configured", async () => {
    server = await startServer();
    const headers = { Origin: "https://console.example.com" };
    expect((await server.send("GET", "/console/v1/gates", { headers })).headers.get("Access-Control-Allow-Origin")).toBeNull();
    await server.close();
    server = await startServer({ corsOrigins: ["https://console.example.com"] });
    const preflight = await server.send("OPTIONS", "/console/v1/gates", {
      key: null,
      headers: { ...headers, "Access-Control-Request-Method": "POST" },
    });
    expect(preflight.headers.get("Access-Control-Allow-Origin")).toBe("https://console.example.com");
    const other = await server.send("GET", "/console/v1/gates", { headers: { Origin: "https://evil.example.com" } });
    expect(other.headers.get("Access-Control-Allow-Origin")).toBeNull();
  });

  test("sends, logs and counts a response that violates the contract, outside of tests", async () => {
    server = await startServer({ strictResponses: false });
    const { data } = await server.client.createGate({ body: { name: "leaky" } });
    const entity = JSON.stringify({ ...data, leaked: "column" });
    await server.database.prisma.gate.updateMany({ data: { entity } });
    expect(await server.send("GET", "/console/v1/gates/leaky")).toMatchObject({ status: 200, body: { data: { leaked: "column" } } });
    expect(server.logged.filter((line) => line.includes("breaks the contract"))).toHaveLength(1);
    const { body: text } = await server.send("GET", "/metrics", { key: null });
    expect(text).toContain('gatehouse_response_violations_total{operation="getGate"} 1\n');
  });

  test("replaces a response that violates the contract by 500 in tests, and logs the violation", async () => {
    server = await startServer();
    const { data } = await server.client.createGate({ body: { name: "leaky" } });
    await server.database.prisma.gate.updateMany({ data: { entity: JSON.stringify({ ...data, leaked: "column" }) } });
    const { status, headers, body } = await server.send("GET", "/console/v1/gates/leaky");
    expect([status, headers.get("Content-Type"), body]).toEqual([500, "application/json; charset=utf-8", INTERNAL]);
    expect(headers.get("ETag")).toBeNull();
    const [line = "{}"] = server.logged.filter((one) => one.includes(headers.get("X-Request-Id") ?? "none"));
    expect(JSON.parse(line)).toMatchObject({ operation: "getGate", err: { message: expect.stringContaining("breaks the contract") } });
  });
});
