import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { kinds } from "../../src/console/kinds.ts";
import { buildProject } from "../support/evaluated-project.ts";
import { makeNamed } from "../support/fixtures.ts";
import { writes } from "../support/operations.ts";
import { prepare } from "../support/prepare.ts";
import { startServer, type TestServer } from "../support/server.ts";

// SDKs download a ruleset when its time moves. The register declares for each kind whether it moves the time; the database moves it.

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await makeNamed(server);
});
afterAll(() => server.close());

const MOVING = new Set(kinds.filter(({ ruleset }) => ruleset !== null).map(({ type }) => type));
/** The kinds whose changes moved the time, and those whose changes did not. */
const proven = new Set<string>();

async function project() {
  const { lastSeq, rulesetTime } = await server.database.prisma.project.findUniqueOrThrow({ where: { id: "default" } });
  return { lastSeq, rulesetTime: Number(rulesetTime) };
}

describe("the ruleset's time", () => {
  test.each(writes)("$operationId: increases exactly if the write changes an input of the ruleset", async (operation) => {
    const { send } = await prepare(server, operation);
    const before = await project();
    server.clock.now += 1_000;
    expect((await send()).status).toBeLessThan(300);
    const changes = await server.database.prisma.change.findMany({ where: { time: server.clock.now } });
    const types = changes.map(({ entityType }) => entityType);
    const moving = changes.filter(({ projectID, entityType }) => projectID === "default" && MOVING.has(entityType));
    const { rulesetTime } = await project();
    if (moving.length > 0) expect(rulesetTime).toBeGreaterThanOrEqual(before.rulesetTime + moving.length);
    else expect(rulesetTime).toBe(before.rulesetTime);
    for (const type of moving.length > 0 ? moving.map(({ entityType }) => entityType) : types) proven.add(type);
  });

  test("is covered for every kind", () => {
    // No operation writes the weights of autotunes, but checks do. The audit log records the actors of code references, results updates, row copies, resolved alerts, ended sessions, deleted unit data, repeated deliveries and evaluations of prompts.
    const written = kinds.map(({ type }) => type).filter((type) => type !== "autotune_weights");
    expect([...proven].sort()).toEqual(
      [
        ...written,
        "code_references",
        "guardrail_alert",
        "ingestion_run",
        "prompt_evaluation",
        "pulse_load",
        "session",
        "topline_alert",
        "unit_data",
        "webhook_delivery",
      ].sort(),
    );
  });

  test("is moved by some kinds and not by others", () => {
    expect(kinds.flatMap(({ type, ruleset }) => (ruleset === null ? [] : [type])).toSorted()).toEqual([
      "autotune",
      "autotune_weights",
      "dynamic_config",
      "environment_set",
      "experiment",
      "experiment_overrides",
      "gate",
      "gate_overrides",
      "holdout",
      "holdout_overrides",
      "key",
      "layer",
      "layer_overrides",
      "param_store",
      "prompt",
      "segment",
      "target_app",
    ]);
  });
});

describe("the register of kinds", () => {
  test("has each type once, as a stored kind and as a reference target", () => {
    const types = kinds.map(({ type }) => type);
    const named = kinds.flatMap(({ named }) => (named ? [named.as] : []));
    expect(types).toEqual([...new Set(types)]);
    expect(named).toEqual([...new Set(named)]);
  });

  test("has one kind for each input of the ruleset compiler", () => {
    // Segment ids are not entities.
    const places = Object.keys(buildProject({})).filter((place) => place !== "segmentIDs");
    const read = kinds.flatMap(({ ruleset }) => (ruleset === null || ruleset === "scopes" ? [] : [ruleset]));
    expect(read.sort()).toEqual(places.sort());
  });
});
