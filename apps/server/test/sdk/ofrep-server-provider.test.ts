import { OFREPProvider } from "@openfeature/ofrep-provider";
import { type Client, OpenFeature } from "@openfeature/server-sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKey } from "../support/keys.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { FOR_FREE, FOR_PRO, makeFlagsOfEveryKind } from "./support/ofrep-flags.ts";

// Single evaluations with the official provider for servers.

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startServer();
  await makeFlagsOfEveryKind(server);
  ({ key } = await makeKey(server));
});
afterAll(async () => {
  await OpenFeature.clearProviders();
  await server.close();
});

type Options = { fetchImplementation?: typeof fetch; headers?: [string, string][] };

let domains = 0;
async function application({ fetchImplementation, headers = [["Authorization", `Bearer ${key}`]] }: Options = {}): Promise<Client> {
  const domain = `application ${++domains}`;
  const options = { baseUrl: server.url, headers, ...(fetchImplementation && { fetchImplementation }) };
  await OpenFeature.setProviderAndWait(domain, new OFREPProvider(options));
  return OpenFeature.getClient(domain);
}

const free = { targetingKey: "alice", plan: "free" };
const pro = { targetingKey: "alice", plan: "pro" };

async function details(client: Client, flag: string, context: typeof free) {
  const isGate = typeof FOR_FREE[flag]?.value === "boolean";
  const { value, reason, variant, flagMetadata } = isGate
    ? await client.getBooleanDetails(flag, false, context)
    : await client.getObjectDetails(flag, {}, context);
  return { value, reason, ...(variant !== undefined && { variant }), flagMetadata };
}

describe("an application with the official OFREP provider for servers", () => {
  test.each(Object.keys(FOR_FREE))("reads the flag %s with its value, reason, variant, and metadata", async (flag) => {
    const client = await application();
    expect(await details(client, flag, free)).toEqual(FOR_FREE[flag]);
    expect(await details(client, flag, pro)).toEqual(FOR_PRO[flag]);
  });

  test("can send its key as X-API-Key", async () => {
    const client = await application({ headers: [["X-API-Key", key]] });
    expect(await client.getBooleanValue("everyone", false, free)).toBe(true);
  });

  test("gets its default value and FLAG_NOT_FOUND for a flag that does not exist", async () => {
    const client = await application();
    const answer = { value: true, reason: "ERROR", errorCode: "FLAG_NOT_FOUND", errorMessage: "Flag missing does not exist." };
    expect(await client.getBooleanDetails("missing", true, free)).toMatchObject(answer);
  });

  test("gets its default value and TYPE_MISMATCH for a flag of another type", async () => {
    const client = await application();
    const mismatch = { reason: "ERROR", errorCode: "TYPE_MISMATCH" };
    expect(await client.getStringDetails("everyone", "default", free)).toMatchObject({ value: "default", ...mismatch });
    expect(await client.getNumberDetails("everyone", 7, free)).toMatchObject({ value: 7, ...mismatch });
    expect(await client.getObjectDetails("everyone", { a: 1 }, free)).toMatchObject({ value: { a: 1 }, ...mismatch });
    expect(await client.getBooleanDetails("checkout", true, free)).toMatchObject({ value: true, ...mismatch });
  });

  test("gets its default value and TARGETING_KEY_MISSING for a context without a targeting key", async () => {
    const client = await application();
    const missing = { value: true, reason: "ERROR", errorCode: "TARGETING_KEY_MISSING", errorMessage: "context.targetingKey is required." };
    expect(await client.getBooleanDetails("everyone", true, { plan: "pro" })).toMatchObject(missing);
  });

  test("gets its default value and INVALID_CONTEXT for an invalid context", async () => {
    const client = await application();
    const invalid = {
      value: true,
      reason: "ERROR",
      errorCode: "INVALID_CONTEXT",
      errorMessage: "context.customIDs must be object or null.",
    };
    expect(await client.getBooleanDetails("everyone", true, { ...free, customIDs: "acme" })).toMatchObject(invalid);
  });

  test("gets its default value and PARSE_ERROR if its request is corrupted", async () => {
    const damaging: typeof fetch = async (input) =>
      fetch(new Request((input as Request).url, { ...toRequestInit(input as Request), body: "{" }));
    const client = await application({ fetchImplementation: damaging });
    expect(await client.getBooleanDetails("everyone", true, free)).toMatchObject({
      value: true,
      reason: "ERROR",
      errorCode: "PARSE_ERROR",
    });
  });

  test("gets its default value and GENERAL with an unknown key", async () => {
    const client = await application({ headers: [["Authorization", "Bearer secret-unknown"]] });
    expect(await client.getBooleanDetails("everyone", true, free)).toMatchObject({ value: true, reason: "ERROR", errorCode: "GENERAL" });
  });
});

function toRequestInit({ method, headers }: Request): RequestInit {
  return { method, headers };
}
