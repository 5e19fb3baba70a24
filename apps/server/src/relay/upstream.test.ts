import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createUpstream, ForbiddenRequest, RejectedRequest, type Upstream } from "./upstream.ts";

let origin: Server;
let answer: { status: number; text: string };
let changes: [isReachable: boolean, cause?: unknown][];
let upstream: Upstream;
beforeEach(async () => {
  changes = [];
  answer = { status: 200, text: "{}" };
  origin = createServer((_, response) => response.writeHead(answer.status, { "Content-Type": "application/json" }).end(answer.text));
  await new Promise<void>((resolve) => origin.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
  upstream = createUpstream({ origin: url, key: "secret-a", version: "1", onChange: (...change) => void changes.push(change) });
});
afterEach(() => {
  origin.closeAllConnections();
  origin.close();
});

const failure = (status: number, code: string) => JSON.stringify({ status, code, message: "No." });
async function post(path: Parameters<Upstream["post"]>[0], status: number, text: string) {
  answer = { status, text };
  return upstream.post(path, {}).catch((error: unknown) => error);
}

describe("the origin of a relay", () => {
  test("is away after any answer that is not from Gatehouse", async () => {
    const foreign: [number, string][] = [
      [200, "<html>Sign in</html>"],
      [200, "{}"],
      [200, "null"],
      [400, "Bad request"],
      [401, '{"message":"No."}'],
      [403, "<html>Blocked</html>"],
      [404, "default backend"],
      [408, ""],
      [413, "too large"],
      [429, failure(429, "too_many_requests")],
      [502, "<html>Bad gateway</html>"],
    ];
    for (const path of ["/v1/relay/keys", "/v1/relay/ruleset", "/v1/relay/events"] as const) {
      for (const [status, text] of foreign) {
        const error = await post(path, status, text);
        expect(error).toMatchObject({ code: "unavailable", message: expect.stringContaining("cannot reach its origin") });
        expect((error as Error).cause).not.toBeInstanceOf(RejectedRequest);
        expect([upstream.isReachable(), upstream.refusal()]).toEqual([false, undefined]);
      }
    }
  });

  test("rejects only the content that it blames itself", async () => {
    for (const [status, code] of [
      [400, "invalid_request"],
      [413, "payload_too_large"],
      [422, "idempotency_key_reused"],
    ] as const) {
      const error = await post("/v1/relay/events", status, failure(status, code));
      expect(error).toMatchObject({ code: "unavailable", cause: expect.any(RejectedRequest) });
      expect(upstream.isReachable()).toBe(true);
    }
    for (const path of ["/v1/relay/events", "/v1/relay/ruleset"] as const)
      expect(await post(path, 403, failure(403, "forbidden"))).toMatchObject({ code: "unavailable", cause: expect.any(ForbiddenRequest) });
    for (const status of [403, 404, 405, 503]) {
      const error = await post("/v1/relay/events", status, failure(status, "forbidden"));
      expect((error as Error).cause).not.toBeInstanceOf(RejectedRequest);
    }
  });

  test("refuses the relay's key until it accepts it again", async () => {
    await post("/v1/relay/keys", 403, failure(403, "forbidden"));
    expect(upstream.refusal()).toContain("whose allowed addresses include the address of the relay");
    expect(await post("/v1/relay/keys", 200, '{"projectID":"p","time":1,"keys":[]}')).toBe('{"projectID":"p","time":1,"keys":[]}');
    expect(upstream.refusal()).toBeUndefined();
    await post("/v1/relay/events", 401, failure(401, "unauthorized"));
    expect(upstream.refusal()).toContain("must set a valid GATEHOUSE_RELAY_KEY");
  });

  test("reports its first failure, and each later change once", async () => {
    await post("/v1/relay/events", 404, "default backend");
    await post("/v1/relay/events", 404, "default backend");
    await post("/v1/relay/events", 202, '{"success":true}');
    await post("/v1/relay/events", 202, '{"success":true}');
    await post("/v1/relay/events", 500, "");
    expect(changes.map(([isReachable]) => isReachable)).toEqual([false, true, false]);
    expect(String(changes[0]?.[1])).toBe("Error: The origin answers /v1/relay/events with 404: default backend");
  });
});
