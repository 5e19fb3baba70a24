import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { descriptions as consoleOperations } from "@gatehouse/contract/console";
import { descriptions as evaluationOperations } from "@gatehouse/contract/evaluation";
import { descriptions as scimOperations } from "@gatehouse/contract/scim";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callApi } from "../src/call-api.ts";
import { operations, requireOperation } from "../src/operations.ts";
import { createWorkspace, SCIM_TOKEN, startServer } from "./servers.ts";

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
    ["changePassword", "changePassword needs a console session of a person, and takes no key."],
    ["listPeople", "listPeople needs a console session of an administrator, and takes no key."],
    ["createSession", "createSession is part of signing in to the console, and takes no key."],
    ["getIDListFile", "getIDListFile takes a token in its URL instead of a key. Call listIDLists, and open the URL that it returns."],
    [
      "streamFlagChanges",
      "streamFlagChanges takes a token in its URL instead of a key. Call evaluateFlags, and open the URL that it returns.",
    ],
  ])("says why a key can't call %s", async (operationId, message) => {
    expect(await gatehouse(["call", operationId], env)).toEqual({ code: 1, stdout: "", stderr: `Error: ${message}\n` });
  });

  test.each([
    [["listGates", "--out", "gates.json"], "listGates does not download a file, so --out cannot be used."],
    [
      ["checkGate", "-b", "{ gateName: a, user: {} }", "--out", "gate.json"],
      "checkGate does not download a file, so --out cannot be used.",
    ],
    [["downloadUsage", "--if-match", "x"], "downloadUsage takes no --if-match."],
    [["streamChanges", "--idempotency-key", "x"], "streamChanges takes no --idempotency-key."],
  ])("refuses an option that would have no effect: %j", async (args, message) => {
    expect((await gatehouse(["call", ...args], env)).stderr).toBe(`Error: ${message}\n`);
  });

  test("sends every operation of the contract or says why it cannot, each under one name", () => {
    const every = [consoleOperations, evaluationOperations, scimOperations].flatMap((all) => Object.values(all));
    const callable = new Set(operations.map(({ operationId }) => operationId));
    expect(new Set(every.map(({ operationId }) => operationId)).size).toBe(every.length);
    const refused = every.filter(({ operationId }) => !callable.has(operationId));
    for (const { operationId } of refused)
      expect(() => requireOperation(operationId)).toThrow(
        new RegExp(`^${operationId} (is part of signing in|needs a console session of an? \\w+|takes a token in its URL)`),
      );
    const needsKey = (one: { permission?: string; opensBy: string }) =>
      one.opensBy === "key" && !["none", "session", "administrator"].includes(one.permission ?? "");
    expect([...callable].sort()).toEqual(
      every
        .filter(needsKey)
        .map(({ operationId }) => operationId)
        .sort(),
    );
  });

  test("evaluates flags and stores events with the same key", async () => {
    await server.client.createGate({ body: { name: "evaluated", isEnabled: true } });
    const body = "{ gateName: evaluated, user: { userID: ann } }";
    expect(JSON.parse((await gatehouse(["call", "checkGate", "-b", body], env)).stdout)).toMatchObject({ name: "evaluated", value: false });
    const specs = JSON.parse((await gatehouse(["call", "getConfigSpecsV2ByKey", "-p", `sdkKey=${server.key}`], env)).stdout);
    expect(Object.keys(specs.feature_gates)).toContain("evaluated");
    const events = "{ events: [{ eventName: bought, user: { userID: ann } }] }";
    expect(JSON.parse((await gatehouse(["call", "logEvent", "-b", events], env)).stdout)).toEqual({
      success: true,
      message: "Events logged successfully.",
    });
    const flag = await gatehouse(["call", "evaluateFlag", "-p", "key=missing", "-b", "{ context: { targetingKey: ann } }"], env);
    expect([flag.code, flag.stdout, flag.stderr]).toEqual([1, "", "Error: Flag missing does not exist.\n"]);
  });

  test.each(["", ".", ".."])("refuses the path parameter %j, which would address another operation", async (value) => {
    const { code, stderr } = await gatehouse(
      ["call", "evaluateFlag", "-p", `key=${value}`, "-b", "{ context: { targetingKey: ann } }"],
      env,
    );
    expect([code, stderr]).toEqual([1, 'Error: evaluateFlag: --param key must not be empty, "." or "..".\n']);
  });

  test("sends events once, and gives up on a server that does not answer", async () => {
    let count = 0;
    let isSilent = false;
    const failing = createServer((_, response) => {
      count++;
      if (!isSilent) response.writeHead(503).end();
    });
    await new Promise<void>((resolve) => failing.listen(0, "127.0.0.1", resolve));
    const profile = { url: `http://127.0.0.1:${(failing.address() as AddressInfo).port}`, key: "secret-1" };
    const body = { events: [{ eventName: "bought", user: { userID: "ann" } }] };
    const send = (timeoutMs?: number) => callApi(profile, requireOperation("logEvent"), { path: {}, query: {}, body }, timeoutMs);
    await expect(send()).rejects.toThrow("logEvent: 503 Service Unavailable");
    expect(count).toBe(1);
    isSilent = true;
    await expect(send(500)).rejects.toThrow("logEvent took longer than 0.5 seconds.");
    failing.closeAllConnections();
    failing.close();
  });

  test("manages people with a token of the identity provider", async () => {
    const scim = (...args: string[]) => gatehouse(["call", ...args], { ...env, GATEHOUSE_KEY: SCIM_TOKEN });
    const body = "{ schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: grace@example.com }";
    const { id } = JSON.parse((await scim("createScimUser", "-b", body)).stdout);
    const found = JSON.parse((await scim("listScimUsers", "-q", 'filter=userName eq "grace@example.com"')).stdout);
    expect(found.Resources.map((one: { id: string }) => one.id)).toEqual([id]);
    expect(await scim("deleteScimUser", "-p", `id=${id}`)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await scim("getScimUser", "-p", "id=missing")).toEqual({ code: 1, stdout: "", stderr: "Error: User missing does not exist.\n" });
    expect((await gatehouse(["call", "listScimUsers"], env)).stderr).toBe(
      "Error: listScimUsers takes one of the tokens in the server's GATEHOUSE_SCIM_TOKENS.\nPass it with --key.\n",
    );
    const wrong = await gatehouse(["call", "listScimUsers", "--key", "another-token-of-the-provider-0123456789"], env);
    expect([wrong.code, wrong.stderr]).toEqual([1, "Error: A token of GATEHOUSE_SCIM_TOKENS is needed, as Authorization: Bearer.\n"]);
  });

  test("operations lists downloads and streams", async () => {
    const { stdout } = await gatehouse(["operations", "stream", "--json"]);
    expect(JSON.parse(stdout).map(({ operationId }: { operationId: string }) => operationId)).toContain("streamChanges");
  });
});
