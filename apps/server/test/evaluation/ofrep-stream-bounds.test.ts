import { afterAll, beforeAll, expect, test } from "vitest";
import type { Credentials } from "../../src/common/context.ts";
import { createFlagStreams, type FlagStreamsOptions } from "../../src/evaluation/ofrep/flag-streams.ts";
import { findKeyVersionsIn } from "../../src/evaluation/ofrep/stream-key-store.ts";
import type { StreamWriter } from "../../src/evaluation/stream-writer.ts";
import { makeKey } from "../support/keys.ts";
import { replicaRulesets } from "../support/rulesets.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
let rulesets: ReturnType<typeof replicaRulesets>;
let credentials: Credentials;
/** A time long after the last change, ms. */
let now: number;

beforeAll(async () => {
  server = await startServer();
  rulesets = replicaRulesets(server);
  const { id } = await makeKey(server, { type: "CLIENT" });
  const scope = { type: "CLIENT" as const, environments: [], targetApps: [] };
  credentials = {
    actor: { id, name: "CONSOLE API", email: null },
    projectID: "default",
    scope,
    scopes: [],
    permissions: new Set(),
    grantedBy: "",
    limits: null,
    publishing: null,
    administersInstance: false,
  };
  now = server.clock.now + 600_000;
});
afterAll(async () => {
  await rulesets.close();
  await server.close();
});

function streams(options: Partial<FlagStreamsOptions> = {}) {
  return createFlagStreams({ rulesets, findKeyVersions: findKeyVersionsIn(server.database, () => server.clock.now), ...options });
}

/** A client with the given number of unread bytes. */
function reader(untaken = 0) {
  const leaving = new AbortController();
  const seen: string[] = [];
  const leave = (how: string) => () => {
    seen.push(how);
    leaving.abort();
  };
  const writer: StreamWriter = {
    write(text) {
      seen.push(text);
      return untaken;
    },
    end: leave("ended"),
    destroy: leave("cut off"),
    closed: leaving.signal,
  };
  return { writer, seen, leave: leave("left") };
}

test("a server limits its open streams; a closed stream frees a place", async () => {
  const { open } = streams({ limit: 2 });
  const readers = [reader(), reader(), reader()] as const;
  for (const { writer } of readers.slice(0, 2)) (await open(credentials, undefined, now))(writer);
  await expect(open(credentials, undefined, now)).rejects.toMatchObject({ code: "unavailable" });
  readers[0].leave();
  (await open(credentials, undefined, now))(readers[2].writer);
  await expect(open(credentials, undefined, now)).rejects.toMatchObject({ code: "unavailable" });
  for (const { leave } of readers) leave();
});

test("a key is limited to its share of the streams, so that other keys can open some", async () => {
  const { open } = streams({ limit: 4, limitPerKey: 2 });
  const { id } = await makeKey(server, { type: "CLIENT" });
  const other = { ...credentials, actor: { ...credentials.actor, id } };
  const [first, second, third] = [reader(), reader(), reader()];
  for (const { writer } of [first, second]) (await open(credentials, undefined, now))(writer);
  await expect(open(credentials, undefined, now)).rejects.toMatchObject({ code: "too_many_requests" });
  (await open(other, undefined, now))(third.writer);
  first.leave();
  await open(credentials, undefined, now);
  for (const { leave } of [second, third]) leave();
});

test("concurrent requests do not exceed the limit of streams", async () => {
  const { open } = streams({ limit: 2 });
  const opened = await Promise.allSettled(Array.from({ length: 10 }, () => open(credentials, undefined, now)));
  const refused = opened.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
  expect(refused).toEqual(Array.from({ length: 8 }, () => "unavailable"));
});

test("an idle stream gets periodic heartbeat comments", async () => {
  const { writer, seen, leave } = reader();
  (await streams({ heartbeatMs: 20 }).open(credentials, undefined, now))(writer);
  await waitFor(() => expect(seen.slice(1, 3)).toEqual([":\n\n", ":\n\n"]));
  leave();
});

test("a client with more than 64 KiB of unread data is disconnected, and others are not", async () => {
  const { open } = streams({ heartbeatMs: 20 });
  const [slow, quick] = [reader(65_537), reader(65_536)];
  for (const { writer } of [slow, quick]) (await open(credentials, undefined, now))(writer);
  expect(slow.seen.slice(1)).toEqual(["cut off"]);
  await waitFor(() => expect(quick.seen[1]).toBe(":\n\n"));
  expect(slow.seen).toHaveLength(2);
  quick.leave();
});

test("a stopping server ends its streams and opens no new ones", async () => {
  const { open, close } = streams();
  const [early, late] = [reader(), reader()];
  (await open(credentials, undefined, now))(early.writer);
  const begin = await open(credentials, undefined, now);
  close();
  expect(early.seen.slice(1)).toEqual(["ended"]);
  begin(late.writer);
  expect(late.seen).toEqual(["ended"]);
  await expect(open(credentials, undefined, now)).rejects.toMatchObject({ code: "unavailable" });
});

test("a replica that is behind the client does not announce a change that the client already has", async () => {
  const { time } = await rulesets.view(credentials.projectID, credentials.scope);
  const { writer, seen, leave } = reader();
  const ahead = `${time + 5_000}.ahead`;
  (await streams().open(credentials, ahead, now))(writer);
  expect(seen).toEqual([`retry: 2000\nid: ${ahead}\nevent: message\ndata: {"type":"connected"}\n\n`]);
  leave();
});

test("an inactive key cannot open a stream", async () => {
  const { id } = await makeKey(server, { type: "CLIENT" });
  await server.client.deactivateKey({ path: { id } });
  const revoked = { ...credentials, actor: { id, name: "CONSOLE API", email: null } };
  await expect(streams().open(revoked, undefined, now)).rejects.toMatchObject({ code: "unauthorized" });
});
