import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorBody, prepareEvaluation } from "../support/evaluation-operations.ts";
import { rowsWithoutEvents } from "../support/faults.ts";
import { insufficient, makeKey } from "../support/keys.ts";
import { listen, readStreamUrl } from "../support/ofrep.ts";
import { consoleOperations, evaluationOperations, fill, requiredAccess } from "../support/operations.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

const EVERY_SCOPE = ["omni_read_write", "can_access_keys"] as ("omni_read_write" | "can_access_keys")[];
/** The address of this test, which is the only trusted proxy. */
const PROXY = "127.0.0.1";
const FOREIGN = "198.51.100.9";
const OFFICE = "203.0.113.7";

const textFrom = (address: string) =>
  `The key cannot be used from ${address}. Its allowed addresses do not include this address. ` +
  "If it is the address of a proxy, add it to GATEHOUSE_TRUSTED_PROXIES.";
const forbiddenFrom = (address: string) => ({ status: 403, code: "forbidden", message: textFrom(address) });
const from = (address: string) => ({ "X-Forwarded-For": address });

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ trustedProxies: ["loopback"] });
});
afterAll(() => server.close());

const read = (key: string, address: string, at = server) => at.send("GET", "/console/v1/gates", { key, headers: from(address) });
const get = async (id: string) => (await server.client.getKey({ path: { id } })).data;

describe("a key with allowed addresses", () => {
  test("works only from these, as a trusted proxy reports them, on every server within half a second of a change", async () => {
    const replica = await server.replica();
    const { id, key } = await makeKey(server, { type: "CONSOLE", allowedAddresses: ["203.0.113.0/24", "2001:db8::/32"] });
    const statuses = async (address: string) => [(await read(key, address)).status, (await read(key, address, replica)).status];
    expect(await statuses(OFFICE)).toEqual([200, 200]);
    expect(await statuses(`::ffff:${OFFICE}`)).toEqual([200, 200]);
    expect(await statuses("2001:db8::7")).toEqual([200, 200]);
    expect(await statuses(`${OFFICE}, ${FOREIGN}`)).toEqual([403, 403]);
    expect((await read(key, FOREIGN)).body).toEqual(forbiddenFrom(FOREIGN));
    await server.client.patchKey({ path: { id }, body: { allowedAddresses: [FOREIGN] } });
    server.clock.now += 500;
    expect([await statuses(OFFICE), await statuses(FOREIGN)]).toEqual([
      [403, 403],
      [200, 200],
    ]);
    await server.client.patchKey({ path: { id }, body: { allowedAddresses: [] } });
    server.clock.now += 500;
    expect(await statuses(OFFICE)).toEqual([200, 200]);
    await replica.close();
  });

  test("is named in the audit log if another address uses it, in either API or by a stream's URL, and refusals are added up", async () => {
    const { id, key } = await makeKey(server, { type: "CONSOLE", allowedAddresses: [OFFICE] });
    const { id: application, key: secret } = await makeKey(server, { type: "CLIENT", allowedAddresses: [OFFICE] });
    const flags = { key: secret, body: { context: { targetingKey: "a" } } };
    const { body } = await server.send("POST", "/ofrep/v1/evaluate/flags", { ...flags, headers: from(OFFICE) });
    expect((await read(key, FOREIGN)).status).toBe(403);
    expect((await read(key, FOREIGN)).status).toBe(403);
    expect((await listen(server, body.eventStreams[0].endpoint.requestUri, from(FOREIGN))).status).toBe(403);
    const refusals = async () => {
      const { data } = await server.client.listAuditLogs({ query: { actionType: "permission_denied", sortOrder: "asc" } });
      return data.filter(({ entityID }) => entityID === id || entityID === application);
    };
    await expect.poll(refusals).toHaveLength(2);
    const message = { old: null, new: textFrom(FOREIGN) };
    expect(await refusals()).toMatchObject(
      [id, application].map((entityID) => ({
        ...{ entityID, updatedByUserID: entityID, operationID: "useKey", address: FOREIGN, changes: { message } },
      })),
    );
  });

  test("is refused if an untrusted peer claims an address, and the error names the peer", async () => {
    const direct = await server.replica(undefined, { trustedProxies: [] });
    const { key } = await makeKey(server, { type: "CONSOLE", allowedAddresses: [OFFICE] });
    expect((await read(key, OFFICE, direct)).body).toEqual(forbiddenFrom(PROXY));
    await direct.close();
  });

  test("loses its open streams when its list changes, and opens new ones only from its addresses", async () => {
    const { id, key } = await makeKey(server, { type: "CONSOLE", allowedAddresses: [OFFICE] });
    const flags = await server.send("POST", "/ofrep/v1/evaluate/flags", {
      key,
      headers: from(OFFICE),
      body: { context: { targetingKey: "a" } },
    });
    const flagStream = flags.body.eventStreams[0].endpoint.requestUri;
    const open = (address: string) =>
      Promise.all([
        listen(server, flagStream, from(address)),
        listen(server, "/console/v1/changes/stream", { ...from(address), "SERVICE-API-KEY": key }),
      ]);
    const streams = await open(OFFICE);
    for (const stream of streams) await stream.next();
    await server.client.patchKey({ path: { id }, body: { allowedAddresses: [FOREIGN] } });
    server.clock.now += 500;
    for (const stream of streams) {
      let event = await stream.next();
      while (event !== undefined) event = await stream.next();
    }
    expect((await open(OFFICE)).map(({ status }) => status)).toEqual([403, 403]);
    const again = await open(FOREIGN);
    expect(again.map(({ status }) => status)).toEqual([200, 200]);
    for (const stream of again) stream.close();
  });

  test("creates, changes and rotates only keys whose addresses are among its own", async () => {
    const { key } = await makeKey(server, { type: "CONSOLE", scopes: EVERY_SCOPE, allowedAddresses: ["203.0.113.0/24"] });
    const { id: everywhere } = await makeKey(server);
    const send = (method: string, path: string, body?: unknown) =>
      server.send(method, `/console/v1/keys${path}`, { key, headers: from(OFFICE), body });
    const create = (given: object) => send("POST", "", { type: "SERVER", description: "", ...given });
    const refused = insufficient("a key whose allowed addresses are all among those of the key of the request");
    expect((await create({})).body).toEqual(refused);
    expect((await create({ allowedAddresses: [OFFICE, FOREIGN] })).body).toEqual(refused);
    expect((await send("PATCH", `/${key}`, { allowedAddresses: [] })).body).toEqual(refused);
    expect((await send("PATCH", `/${everywhere}/rotate`)).body).toEqual(refused);
    expect((await create({ allowedAddresses: [OFFICE] })).status).toBe(200);
    expect((await send("PATCH", `/${key}`, { allowedAddresses: ["203.0.113.0/28"] })).status).toBe(200);
  });

  test("must allow the address of a request that is made with it", async () => {
    const { id, key } = await makeKey(server, { type: "CONSOLE", scopes: EVERY_SCOPE });
    const patch = (allowedAddresses: string[]) =>
      server.send("PATCH", `/console/v1/keys/${id}`, { key, headers: from(OFFICE), body: { allowedAddresses } });
    const error = `must include ${OFFICE}, the address of this request, because the request uses this key`;
    expect((await patch([FOREIGN])).body).toEqual(invalid(["allowedAddresses", error]));
    expect((await get(id)).allowedAddresses).toEqual([]);
    expect((await patch([FOREIGN, OFFICE])).status).toBe(200);
  });
});

describe("createKey and patchKey", () => {
  test("store addresses in canonical form, each once", async () => {
    const { id, allowedAddresses } = await makeKey(server, {
      allowedAddresses: ["::ffff:203.0.113.7", OFFICE, "2001:DB8:0::/32", "10.0.0.7/32"],
    });
    expect(allowedAddresses).toEqual([OFFICE, "2001:db8::/32", "10.0.0.7"]);
    expect((await get(id)).allowedAddresses).toEqual(allowedAddresses);
    const [row] = await server.database.prisma.key.findMany({ where: { id }, select: { allowedAddresses: true } });
    expect(row).toEqual({ allowedAddresses });
  });

  test("400: names each invalid address, and the range that was probably meant", async () => {
    const violations = invalid(
      ["allowedAddresses[1]", "must be 10.0.0.0/8, or 10.1.2.3 alone: 10.1.2.3/8 has bits after its prefix that are not zero"],
      ["allowedAddresses[2]", "must be an IPv4 or IPv6 address, or a range such as 10.0.0.0/8"],
    );
    const allowedAddresses = [OFFICE, "10.1.2.3/8", "example.com"];
    expect(await refusal(makeKey(server, { allowedAddresses }))).toEqual(violations);
    const { id } = await makeKey(server);
    expect(await refusal(server.client.patchKey({ path: { id }, body: { allowedAddresses } }))).toEqual(violations);
  });
});

describe("with a key from an address that it does not allow", () => {
  let swept: TestServer;
  let toCall: Awaited<ReturnType<typeof prepareEvaluation>>;
  beforeAll(async () => {
    swept = await startServer({ trustedProxies: ["loopback"] });
    toCall = await prepareEvaluation(swept);
    const [first] = (await swept.client.listKeys({})).data;
    await swept.client.patchKey({ path: { id: first?.id ?? "" }, body: { allowedAddresses: [PROXY] } });
    swept.clock.now += 500;
  });
  afterAll(() => swept.close());

  const forKeys = consoleOperations.filter((operation) => requiredAccess(operation) === undefined);

  test("every operation of the console API that keys can send is refused, and nothing changes", async () => {
    const before = await rowsWithoutEvents(swept.database);
    for (const { operationId, method, path, example } of forKeys) {
      const { status, body } = await swept.send(method, fill(path, {}), { key: swept.key, headers: from(FOREIGN), body: example });
      expect.soft([operationId, status, body]).toEqual([operationId, 403, forbiddenFrom(FOREIGN)]);
    }
    expect(await rowsWithoutEvents(swept.database)).toEqual(before);
    expect((await read(swept.key, PROXY, swept)).status).toBe(200);
  });

  test("every operation of the evaluation API is refused, whether the key is in a header, in the URL or in a token", async () => {
    for (const operation of evaluationOperations) {
      const { operationId, method, example } = operation;
      const { url, isOpenedByURL } = toCall(operation);
      const ways = [
        { url, key: isOpenedByURL ? null : swept.key },
        ...(isOpenedByURL ? [] : [{ url: `${url}?k=${swept.key}`, key: null }]),
      ];
      for (const { url: way, key } of ways) {
        const { status, body } = await swept.send(method, way, { key, headers: from(FOREIGN), body: example });
        expect
          .soft([operationId, status, body, body.message ?? body.errorDetails])
          .toEqual([operationId, 403, expect.objectContaining(errorBody(operation, 403, "forbidden")), textFrom(FOREIGN)]);
      }
    }
  });

  test("a stream's URL of the key is refused too", async () => {
    const stream = await listen(swept, await readStreamUrl(swept, swept.key), from(FOREIGN));
    expect(stream.status).toBe(403);
    stream.close();
  });
});
