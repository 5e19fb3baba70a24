import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWorkspace, startServer } from "./servers.ts";

let server: Awaited<ReturnType<typeof startServer>>;
let env: Record<string, string>;
const { folder, gatehouse, start, remove } = createWorkspace();

beforeAll(async () => {
  server = await startServer();
  env = { GATEHOUSE_URL: server.url, GATEHOUSE_KEY: server.key };
});
afterAll(() => {
  server?.stop();
  remove();
});

describe("call", () => {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const REPORT = ["call", "downloadReport", "-q", "type=first_exposures", "-q", `date=${yesterday}`];
  const HEADER = "experimentID,experimentName,idType,unitID,groupID,groupName,firstExposureTime,environment\r\n";

  test("prints a file, or writes it with --out", async () => {
    expect((await gatehouse(REPORT, env)).stdout).toBe(HEADER);
    const written = await gatehouse([...REPORT, "--out", "report.csv"], env);
    expect(written).toEqual({ code: 0, stdout: "", stderr: `Wrote ${HEADER.length} bytes to report.csv.\n` });
    expect(readFileSync(join(folder, "report.csv"), "utf8")).toBe(HEADER);
    const json = await gatehouse([...REPORT, "--out", "report.csv", "--json"], env);
    expect(JSON.parse(json.stdout)).toEqual({ file: "report.csv", bytes: HEADER.length });
  });

  test("sends the body of a download, and prints its lines", async () => {
    const { stdout } = await gatehouse(["call", "downloadUnitData", "-b", "{ unitType: userID, id: u-1 }"], env);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).type)).toEqual(["unit", "end"]);
  });

  test("writes no file if the server refuses the download", async () => {
    const { code, stderr } = await gatehouse(["call", "downloadUsage", "-q", "end=soon", "--out", "usage.csv"], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining("end: must be integer")]);
    expect(["usage.csv", "usage.csv.part"].map((name) => existsSync(join(folder, name)))).toEqual([false, false]);
    const unwritable = await gatehouse([...REPORT, "--out", "nowhere/report.csv"], env);
    expect([unwritable.code, unwritable.stderr]).toEqual([1, "Error: nowhere/report.csv.part does not exist.\n"]);
  });

  test("prints changes as lines of JSON until it is interrupted", async () => {
    const child = start(["call", "streamChanges", "-q", "after=0"], env);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async () => JSON.parse((await lines.next()).value as string);
    await server.client.createGate({ body: { name: "streamed" } });
    let change = await next();
    while (change.entityID !== "streamed") change = await next();
    expect(change).toMatchObject({ type: "change", entityType: "gate", version: 1, operationID: "createGate" });
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([null, "SIGINT"]);
  });

  test.each<[string, string]>([
    ["changePassword", "changePassword needs the session of a person who is signed in to the console, and takes no key."],
    ["listPeople", "listPeople needs the session of an administrator who is signed in to the console, and takes no key."],
    ["createSession", "createSession is part of signing in to the console, and takes no key."],
  ])("says why a key can't call %s", async (operationId, message) => {
    expect(await gatehouse(["call", operationId], env)).toEqual({ code: 1, stdout: "", stderr: `Error: ${message}\n` });
  });

  test.each([
    [["listGates", "--out", "gates.json"], "listGates does not download a file, so --out cannot be used."],
    [["downloadUsage", "--if-match", "x"], "downloadUsage takes no --if-match."],
    [["streamChanges", "--idempotency-key", "x"], "streamChanges takes no --idempotency-key."],
  ])("refuses an option that would have no effect: %j", async (args, message) => {
    expect((await gatehouse(["call", ...args], env)).stderr).toBe(`Error: ${message}\n`);
  });

  test("operations lists downloads and streams", async () => {
    const { stdout } = await gatehouse(["operations", "stream", "--json"]);
    expect(JSON.parse(stdout).map(({ operationId }: { operationId: string }) => operationId)).toContain("streamChanges");
  });
});
