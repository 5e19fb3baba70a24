import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { needs } from "../support/needs.ts";
import { closedPort } from "../support/port.ts";
import { run } from "../support/process.ts";
import { waitFor } from "../support/wait-for.ts";

const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
/** The lines of this many requests are more than a pipe holds. */
const REQUESTS = 400;

const running: { kill(signal: "SIGKILL"): boolean }[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
});

/** Starts a server that writes its log to the output, and waits until it is ready. */
async function startWith(output: "pipe" | number) {
  const port = await closedPort();
  const env = { PATH: process.env.PATH, GATEHOUSE_DATA_DIR: "memory", HOST: "127.0.0.1", PORT: String(port) };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ["ignore", output, output] });
  running.push(child);
  const ended = once(child, "exit");
  const status = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
  return { child, status, ended };
}

describe("a server whose output", needs.embedded, () => {
  test.each([
    ["has no reader", "pipe", true],
    ["is not read", "pipe", false],
    ["is a file on a full disk", openSync("/dev/full", "w"), false],
  ] as const)("%s serves requests, and exits with 0 at SIGTERM", async (_what, output, isClosed) => {
    const { child, status, ended } = await startWith(output);
    if (isClosed) for (const stream of [child.stdout, child.stderr]) stream?.destroy();
    await waitFor(async () => expect(await status()).toBe(200));
    const statuses = [];
    for (let count = 0; count < REQUESTS; count++) statuses.push(await status());
    expect(statuses).toEqual(Array(REQUESTS).fill(200));
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });
});

describe("the log of a request", needs.embedded, () => {
  const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  const headers = { "X-Request-Id": "request-1", traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };

  /** The line of a request to a server that runs as this command. */
  async function lineOf(command: string, args: string[], env: Record<string, string> = {}): Promise<string> {
    const server = run(command, args, { GATEHOUSE_DATA_DIR: "memory", HOST: "127.0.0.1", PORT: "0", NO_COLOR: "1", ...env });
    running.push(server.child);
    const [, url] = await server.prints(/ready at (http:\S+)/);
    await fetch(`${url}/console/v1/gates`, { headers });
    const [line] = await server.prints(/^.*request-1.*$/m);
    return line.trimEnd();
  }
  const inTerminal = (env: Record<string, string> = {}) =>
    lineOf("script", ["-qfec", `exec ${process.execPath} ${MAIN}`, "/dev/null"], env);

  test("is text in a terminal, with the IDs of the request and its trace", needs.linux, async () => {
    expect(await inTerminal()).toMatch(
      new RegExp(`^\\d\\d:\\d\\d:\\d\\d\\.\\d{3} \\w+ .*\\brequestID=request-1\\b.*\\btrace_id=${TRACE}\\b`),
    );
    expect(JSON.parse(await inTerminal({ LOG_FORMAT: "json" }))).toMatchObject({ requestID: "request-1" });
  });

  test("is JSON elsewhere, with the same IDs", async () => {
    expect(JSON.parse(await lineOf(process.execPath, [MAIN]))).toMatchObject({ requestID: "request-1", trace_id: TRACE });
  });
});
