import { describe, expect, test } from "vitest";
import { startReady } from "../support/process.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

/** The lines that a server writes for a request with the ids of a caller. */
async function linesOf(env: Record<string, string>): Promise<string[]> {
  const server = await startReady({ GATEHOUSE_DATA_DIR: "memory", ...env });
  const headers = { "X-Request-Id": "edge-7", traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
  await fetch(`${server.url}/livez`, { headers });
  return (await server.stop()).stdout.split("\n").filter((line) => line.includes("edge-7"));
}

describe("the log of a started server", () => {
  test("is JSON with the ids of the request and of the caller's trace, unless it is a terminal", async () => {
    expect((await linesOf({})).map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 30, msg: "request", requestID: "edge-7", trace_id: TRACE, path: "/livez", status: 200 }),
    ]);
  });

  test("is text with LOG_FORMAT=text", async () => {
    expect(await linesOf({ LOG_FORMAT: "text" })).toEqual([
      expect.stringMatching(
        new RegExp(
          `^[\\d:.]{12} INFO  request requestID=edge-7 trace_id=${TRACE} method=GET path=/livez operation=none status=200 ms=[\\d.]+$`,
        ),
      ),
    ]);
  });
});
