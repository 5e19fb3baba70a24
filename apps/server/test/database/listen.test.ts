import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Listening } from "../../src/store/database/listen.ts";
import { needs } from "../support/needs.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

/** The id of the project that the tests' server starts with. */
const PROJECT = "default";

describe("a change of a project", needs.notifications, () => {
  let server: TestServer;
  let listening: Listening;
  let heard: string[];
  let connections: number;

  beforeEach(async () => {
    server = await startServer();
    heard = [];
    connections = 0;
    listening = server.database.listen("gatehouse_change", {
      onMessage: (payload) => void heard.push(payload),
      onConnected: () => {
        connections += 1;
      },
    });
    await waitFor(() => expect(connections).toBe(1));
  });
  afterEach(async () => {
    await listening.close();
    await server.close();
  });

  test("sends one notification with the project's id at its commit", async () => {
    await server.client.createTag({ body: { name: "first" } });
    await waitFor(() => expect(heard).toEqual([PROJECT]));
  });

  test("sends one notification if one request changes several entities", async () => {
    await server.client.createGate({ body: { name: "new_gate", tags: ["a", "b", "c"] } });
    await waitFor(() => expect(heard).toEqual([PROJECT]));
  });

  test("sends no notification if it stored nothing", async () => {
    await server.client.createGate({ body: { name: "never_made" }, query: { dryRun: true } });
    await server.client.createTag({ body: { name: "after" } });
    await waitFor(() => expect(heard).toEqual([PROJECT]));
  });

  test("is received again after the connection was closed", needs.postgres, async () => {
    await server.database.endConnections();
    await waitFor(() => expect(connections).toBe(2));
    await server.client.createTag({ body: { name: "later" } });
    await waitFor(() => expect(heard).toEqual([PROJECT]));
  });
});

describe("the ruleset's time", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startServer();
  });
  afterEach(() => server.close());

  const time = async () => Number((await server.database.prisma.project.findUniqueOrThrow({ where: { id: PROJECT } })).rulesetTime);

  test("is the database time of the last change that affects evaluation, even if the server's clock is wrong", async () => {
    const before = Date.now();
    server.clock.now = before + 600_000;
    await server.client.createGate({ body: { name: "new_gate" } });
    const made = await time();
    expect(made).toBeGreaterThanOrEqual(before);
    expect(made).toBeLessThanOrEqual(Date.now());
    await server.client.createTeam({ body: { name: "Payments" } });
    expect(await time()).toBe(made);
  });

  test("increases with each change, even if it is ahead of the database's clock", async () => {
    const ahead = Date.now() + 600_000;
    await server.database.prisma.project.update({ where: { id: PROJECT }, data: { rulesetTime: ahead } });
    await server.client.createGate({ body: { name: "first_gate" } });
    await server.client.createGate({ body: { name: "second_gate" } });
    expect(await time()).toBe(ahead + 2);
  });
});
