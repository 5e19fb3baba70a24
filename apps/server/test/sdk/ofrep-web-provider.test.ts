import { OFREPWebProvider, type OFREPWebProviderOptions } from "@openfeature/ofrep-web-provider";
import { type Client, OpenFeature } from "@openfeature/web-sdk";
import { EventSource } from "eventsource";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { makeKey } from "../support/keys.ts";
import { untilSeen } from "../support/ofrep.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { FOR_FREE, FOR_PRO, makeFlagsOfEveryKind } from "./support/ofrep-flags.ts";

// Bulk evaluations with the official provider for browsers.

let server: TestServer;
let key: string;
beforeAll(async () => {
  // Node does not have either yet.
  Object.assign(globalThis, { EventSource, localStorage: new MemoryStorage() });
  server = await startServer();
  await makeFlagsOfEveryKind(server);
  ({ key } = await makeKey(server, { type: "CLIENT" }));
});
afterEach(() => OpenFeature.clearProviders());
afterAll(() => server.close());

class MemoryStorage {
  readonly #items = new Map<string, string>();
  getItem = (name: string) => this.#items.get(name) ?? null;
  setItem = (name: string, value: string) => void this.#items.set(name, value);
  removeItem = (name: string) => void this.#items.delete(name);
}

type Exchange = { url: string; tag: string | null; status: number; errorCode?: string };
/** Exchanges of the application that was started last. */
let exchanges: Exchange[];

function watchedFetch(): typeof fetch {
  const own: Exchange[] = [];
  exchanges = own;
  return async (input, init) => {
    const { url, headers } = input as Request;
    const response = await fetch(input, init);
    const { errorCode } = response.status === 400 ? ((await response.clone().json()) as { errorCode?: string }) : {};
    const exchange = { url: url.slice(server.url.length), tag: headers.get("If-None-Match"), status: response.status };
    own.push(errorCode ? { ...exchange, errorCode } : exchange);
    return response;
  };
}

const free = { targetingKey: "alice", plan: "free" };
const pro = { targetingKey: "alice", plan: "pro" };

type Options = Partial<OFREPWebProviderOptions> & { domain?: string };

let applications = 0;
async function application(context: Record<string, string> = free, { domain = `application ${++applications}`, ...options }: Options = {}) {
  const headers: [string, string][] = [["Authorization", `Bearer ${key}`]];
  const provider = new OFREPWebProvider({
    baseUrl: server.url,
    headers,
    cacheMode: "disabled",
    fetchImplementation: watchedFetch(),
    ...options,
  });
  await OpenFeature.setProviderAndWait(domain, provider, context);
  const become = (other: Record<string, string>) => OpenFeature.setContext(domain, other);
  return { client: OpenFeature.getClient(domain), provider, become };
}

function details(client: Client, flag: string) {
  const isGate = typeof FOR_FREE[flag]?.value === "boolean";
  const { value, reason, variant, flagMetadata } = isGate ? client.getBooleanDetails(flag, false) : client.getObjectDetails(flag, {});
  return { value, reason, ...(variant !== undefined && { variant }), flagMetadata };
}

const allDetails = (client: Client) => Object.fromEntries(Object.keys(FOR_FREE).map((flag) => [flag, details(client, flag)]));

describe("an application with the official OFREP provider for browsers", () => {
  test("reads every flag with its value, reason, variant and metadata, in one request", async () => {
    const { client, provider } = await application();
    expect(Object.keys(provider.flagCache).toSorted()).toEqual(Object.keys(FOR_FREE).toSorted());
    expect(allDetails(client)).toEqual(FOR_FREE);
  });

  test("reads only the flags that its context names", async () => {
    const named = Object.keys(FOR_FREE).slice(0, 2);
    const { client, provider } = await application({ ...free, flags: named.join() });
    expect(Object.keys(provider.flagCache)).toEqual(named);
    expect(named.map((flag) => details(client, flag))).toEqual(named.map((flag) => FOR_FREE[flag]));
    expect(exchanges).toEqual([{ url: "/ofrep/v1/evaluate/flags", tag: null, status: 200 }]);
  });

  test("reads every flag again when its user changes", async () => {
    const { client, become } = await application();
    await become(pro);
    expect(allDetails(client)).toEqual(FOR_PRO);
  });

  test("gets its default value for a flag that does not exist or is of another type", async () => {
    const { client } = await application();
    expect(client.getBooleanDetails("missing", true)).toMatchObject({ value: true, reason: "ERROR", errorCode: "FLAG_NOT_FOUND" });
    expect(client.getStringDetails("everyone", "default")).toMatchObject({ value: "default", reason: "ERROR", errorCode: "TYPE_MISMATCH" });
    expect(client.getBooleanDetails("checkout", true)).toMatchObject({ value: true, reason: "ERROR", errorCode: "TYPE_MISMATCH" });
  });

  test("sends its ETag, and keeps its flags after a 304", async () => {
    const { client } = await application(free, { changeDetection: "polling", pollInterval: 20 });
    await expect.poll(() => exchanges.filter(({ status }) => status === 304).length).toBeGreaterThan(1);
    expect(exchanges.slice(1).every(({ tag }) => tag !== null)).toBe(true);
    expect(new Set(exchanges.slice(1).map(({ status }) => status))).toEqual(new Set([304]));
    expect(allDetails(client)).toEqual(FOR_FREE);
  });

  test("is notified of a change by the event stream, and fetches that change", async () => {
    const rules = [{ name: "All", passPercentage: 100, conditions: [] }];
    await server.client.createGate({ body: { name: "flipped", rules } });
    await untilSeen(server, "flipped");
    const { client } = await application();
    expect(client.getBooleanValue("flipped", false)).toBe(true);
    await server.client.disableGate({ path: { id: "flipped" } });
    await expect.poll(() => client.getBooleanDetails("flipped", true)).toMatchObject({ value: false, reason: "DISABLED" });
    expect(exchanges).toContainEqual({ url: expect.stringContaining("flagConfigEtag="), tag: expect.any(String), status: 200 });
    await server.client.deleteGate({ path: { id: "flipped" } });
    await expect.poll(() => client.getBooleanDetails("flipped", true).errorCode).toBe("FLAG_NOT_FOUND");
  });

  test("starts with its cached flags, and gets a 304 for their ETag", async () => {
    const kept = { cacheMode: "local-cache-first", changeDetection: "none", domain: "kept" } as const;
    await application(pro, kept);
    await OpenFeature.clearProviders();
    const { client } = await application(pro, kept);
    expect(client.getBooleanDetails("for_pro", false)).toMatchObject({ value: true, reason: "CACHED" });
    await expect.poll(() => exchanges).toEqual([{ url: "/ofrep/v1/evaluate/flags", tag: expect.any(String), status: 304 }]);
  });

  test.each([
    ["without a targeting key", { plan: "pro" }, "TARGETING_KEY_MISSING"],
    ["with a context that is not valid", { ...free, customIDs: "acme" }, "INVALID_CONTEXT"],
  ])("does not start %s", async (_, context, errorCode) => {
    await expect(application(context as Record<string, string>)).rejects.toMatchObject({ code: "GENERAL" });
    expect(exchanges).toEqual([{ url: "/ofrep/v1/evaluate/flags", tag: null, status: 400, errorCode }]);
  });

  test("does not start with an unknown key", async () => {
    const started = application(free, { headers: [["Authorization", "Bearer client-unknown"]] });
    await expect(started).rejects.toMatchObject({ code: "PROVIDER_FATAL" });
    expect(exchanges).toEqual([{ url: "/ofrep/v1/evaluate/flags", tag: null, status: 401 }]);
  });
});
